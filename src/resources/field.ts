import type { TSchema } from 'typebox'
import type { ListedId } from '../database/listing-kinds.ts'
import type { Column } from '../database/table.ts'
import type { Filter } from '../lists/filters.ts'

/**
 * All facts about a member of a resource. Rows, shapes, reading, browsers' rights, answers, lists' filters, exports,
 * deletion, OpenAPI and docs are derived from it (`read.ts`). `Asking`: the operations that set the members.
 */
export type Field<Asking extends string = string> = {
  /** The field's shape in requests, with its limits; without a shape, no request can contain the field. */
  shape?: TSchema
  /** The operations that accept the field; default: all of them. */
  acceptedIn?: readonly Asking[]
  /** The operations that require the field. */
  requiredIn?: readonly Asking[]
  /** Besides the merchant's server, a browser: never the price, the buyer, the capture or the need of a challenge. */
  settableBy?: 'browser'
  /** The values that a browser may set, of a field that is otherwise the server's. */
  browserValues?: readonly unknown[]
  /**
   * Where the request's value is stored: in the column of its name; as sent in the column `request`; encrypted in
   * `personal`; masked in the row and encrypted in the vault (`instruments/`). Default: nowhere.
   */
  storedIn?: 'column' | 'request' | 'sealed' | 'vault'
  /** If the value is in `request` or nowhere: this column holds its result, such as the chosen connector. */
  column?: Column<unknown>
  /** The initial value of the column if the request does not set it; default: null. */
  initial?: unknown
  /** The credentials that see the field; default: none. `computed`: the member has further sources (`show/`). */
  visibility?: 'to all' | 'to the server' | 'computed'
  /** The source of the value in answers, if it is neither the column nor the request. */
  from?: 'last_error' | 'nothing'
  /** The field's shape in answers; default: the column's shape, or without a column the request's shape or null. */
  responseShape?: TSchema
  /** The value in answers if the request did not set the field; default: null. */
  default?: boolean | number | string | readonly []
  /** The effect of the field, if it does not simply do what its name says. No field is ignored silently. */
  effect?: Does
  /** The members within the field that are only stored, by their paths, each with the reason. */
  storedOnlyMembers?: Readonly<Record<string, string>>
  /** Checks more than the shape does. Refuses the value under this field name. */
  check?: (field: string, value: never, merchant: never) => void
  /** The meaning of the field: its description in requests and answers. */
  description?: string
  /** The filter of lists by this field. */
  filter?: Listed
  /** The position among the columns of an export, which never changes: new fields are added at the end. */
  exportPosition?: number
  /** Whether the field is sent to processors, under the same name. */
  sentToProcessor?: true
  /** Whether the field is personal data of a customer, which is erased when the customer is deleted. */
  personal?: true
}

/**
 * `facet`: its position among the facets of a kind (`database/listing-kinds.ts`), which never changes: new facets go
 * to the end. `as`, `description`: if they differ from the field's. `place`: the position, given for each filter if
 * they are not in the order of the fields.
 */
type Listed = Omit<Filter, 'by' | 'description'> & {
  as?: string
  place?: number
  by: { facet: number } | { id: ListedId } | 'own id'
  description?: string | null
}

export type Fields = Readonly<Record<string, Field>>

/**
 * `describes`: only describes goods or customer, and is shown. `only`: the values that ask for nothing; others are
 * refused by name, lest a merchant believe in their effect. `keptOnly`: stored without effect for existing clients,
 * for the reason `why` (`in`: by these operations only).
 */
type Does = 'describes' | { only?: readonly unknown[]; why?: string; keptOnly?: { why: string; in?: readonly string[] } }

/** Returns the effect of a field that is refused, except for these harmless values, and the reason. */
export const refused = (why: string, ...harmless: readonly unknown[]) => ({ only: harmless, why })

export const keptOnly = (why: string, ...by: readonly string[]) => ({ keptOnly: { why, ...(by.length > 0 && { in: by }) } })

export const neverSent = 'Not sent to processors'
