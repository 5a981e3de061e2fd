import type { TSchema } from 'typebox'
import type { ListedId } from '../database/listed.ts'
import type { Column } from '../database/table.ts'
import type { Filter } from '../lists/filters.ts'

/**
 * A member of a resource: all that is known of it, in one place. Rows, the shapes of requests, what a request says,
 * the rights of browsers, answers, filters of lists, columns of exports, deletion, OpenAPI and the pages of the docs
 * are read off it (`read.ts`). `Asking`: the operations that say what the resource is.
 */
export type Field<Asking extends string = string> = {
  /** What it looks like in a request, and its limits; without one no request says it. */
  shape?: TSchema
  /** Which operations take it; if nothing is said, all of them. */
  in?: readonly Asking[]
  /** Which operations cannot do without it. */
  needed?: readonly Asking[]
  /**
   * Who may say it beside the merchant's server: a browser with a client_secret. A browser's word on price, buyer,
   * capture or the need of a challenge is worth nothing.
   */
  by?: 'browser'
  /** Values of what is the server's to say that a browser may say all the same. */
  browserMay?: readonly unknown[]
  /**
   * Where it is kept as a request says it: in the column of its name; in the column `request`, as it was written;
   * sealed, in the column `personal`; masked in the row and sealed in the vault (`instruments/`). If nothing is said,
   * nowhere.
   */
  kept?: 'column' | 'request' | 'sealed' | 'vault'
  /**
   * The column of its name. Where it is kept as `request` or nowhere, this holds what became of what was said: the
   * connector that was chosen of those that were named.
   */
  column?: Column<unknown>
  /** What the column begins with where nothing was said, if that is not null. */
  initial?: unknown
  /**
   * Who sees it in answers: every credential, or only the merchant's server; if nothing is said, no credential.
   * `otherwise`: the answer has a member of this name that is made of more (`show/`).
   */
  shown?: 'to all' | 'to the server' | 'otherwise'
  /** From where answers have it, if neither from its column nor as it was asked. */
  from?: 'last_error' | 'nothing'
  /** Its shape in answers, if that is not its column's, or without a column the one in requests or null. */
  seen?: TSchema
  /** What answers say where nothing was said, if that is not null. */
  unsaid?: boolean | number | string | readonly []
  /** What becomes of it, if it does not what it says. Nothing is ignored in silence. */
  does?: Does
  /** Members within it that are kept only, by their paths, each with the reason. */
  inside?: Readonly<Record<string, string>>
  /** Holds it to more than its shape says, and refuses it by this name. */
  check?: (field: string, value: never, merchant: never) => void
  /** What it means, for people: its description in requests and answers. */
  says?: string
  /** How the resource is listed by it. */
  listed?: Listed
  /** Its place among the columns of an export, which never changes: the next one comes last. */
  exported?: number
  /** It is told to processors, under the same name. */
  told?: true
  /** It says something of a person, and goes when the person is deleted. */
  personal?: true
}

/**
 * A filter of lists. `facet`: its place among the words of a kind (`database/listed.ts`), which never changes: the next
 * one comes last. `as`: the name of the filter, where that is not the field's. `place`: its place among the filters,
 * where they do not stand in the order of the fields; then each has one. `says`: null, if the words of the field are
 * not those of the filter, and it needs none.
 */
export type Listed = Omit<Filter, 'by' | 'says'> & {
  as?: string
  place?: number
  by: { facet: number } | { id: ListedId } | 'own id'
  says?: string | null
}

export type Fields = Readonly<Record<string, Field>>

/**
 * What becomes of it: it describes what is sold to whom and is shown, which is what it is for; only these values
 * are taken, because they ask for nothing, and others refused by name, for a merchant must not believe that they
 * happened; it is taken for the sake of existing clients and kept, without doing what it is for, with the reason
 * (`in`: by this operation; by others it does what it says).
 */
export type Does = 'describes' | { only?: readonly unknown[]; why?: string; keptOnly?: { why: string; in?: string } }

/** It is refused, but for these values: why. */
export const refused = (why: string, ...harmless: readonly unknown[]) => ({ only: harmless, why })

export const keptOnly = (why: string, by?: string) => ({ keptOnly: { why, ...(by && { in: by }) } })

export const toNobody = 'Told to no processor'
