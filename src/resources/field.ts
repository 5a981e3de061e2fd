import type { TSchema } from 'typebox'
import type { ListedId } from '../database/listing-kinds.ts'
import type { Column } from '../database/table.ts'
import type { Filter } from '../lists/filters.ts'

/**
 * A member of a resource, with all facts about it in one place. Rows, the shapes of requests, the reading of requests,
 * the rights of browsers, answers, filters of lists, columns of exports, deletion, OpenAPI and the pages of the docs
 * are derived from these fields (`read.ts`). `Asking`: the names of the operations that set the resource's members.
 */
export type Field<Asking extends string = string> = {
  /** The field's shape in requests, with its limits; without a shape, no request can contain the field. */
  shape?: TSchema
  /** The operations that accept the field; default: all of them. */
  acceptedIn?: readonly Asking[]
  /** The operations that require the field. */
  requiredIn?: readonly Asking[]
  /**
   * The callers that may set the field besides the merchant's server: a browser with a client_secret. A browser must
   * not set the price, the buyer, the capture or the need of a challenge.
   */
  settableBy?: 'browser'
  /** The values that a browser may set, of a field that is otherwise the server's. */
  browserValues?: readonly unknown[]
  /**
   * The place where the field's value from the request is stored: in the column of its name; in the column `request`,
   * as it was sent; encrypted, in the column `personal`; masked in the row and encrypted in the vault
   * (`instruments/`). Default: nowhere.
   */
  storedIn?: 'column' | 'request' | 'sealed' | 'vault'
  /**
   * The column of the field's name. If the request's value is stored in `request` or nowhere, this column holds the
   * result of that value: the connector that was chosen of those in the request.
   */
  column?: Column<unknown>
  /** The initial value of the column if the request does not set it; default: null. */
  initial?: unknown
  /**
   * The credentials that see the field in answers: every credential, or only the merchant's server; default: none.
   * `computed`: the answer has a member of this name that is computed from more than this field (`show/`).
   */
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
 * A filter of lists. `facet`: the filter's position among the facets of a kind (`database/listing-kinds.ts`), which
 * never changes: new facets are added at the end. `as`: the name of the filter, if it differs from the field's.
 * `place`: the filter's position, if filters are not in the order of the fields; then each filter has one.
 * `description`: the description of the filter, if it differs from the field's; null if it needs none.
 */
type Listed = Omit<Filter, 'by' | 'description'> & {
  as?: string
  place?: number
  by: { facet: number } | { id: ListedId } | 'own id'
  description?: string | null
}

export type Fields = Readonly<Record<string, Field>>

/**
 * The effect of a field. `describes`: it only describes the goods or the customer, and is shown. `only`: only these
 * values are accepted, because they ask for nothing; other values are refused by name, because a merchant must not
 * believe that they take effect. `keptOnly`: the field is accepted for existing clients and stored without effect, for
 * the reason `why` (`in`: by these operations only; elsewhere the field takes effect).
 */
type Does = 'describes' | { only?: readonly unknown[]; why?: string; keptOnly?: { why: string; in?: readonly string[] } }

/** Returns the effect of a field that is refused, except for these harmless values, and the reason. */
export const refused = (why: string, ...harmless: readonly unknown[]) => ({ only: harmless, why })

export const keptOnly = (why: string, ...by: readonly string[]) => ({ keptOnly: { why, ...(by.length > 0 && { in: by }) } })

export const neverSent = 'Not sent to processors'
