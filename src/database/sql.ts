import type { SqlType } from './table.ts'

/**
 * SQL in pieces. A value of a change is a piece of its own (`SqlParam`), and so is SQL that differs between the
 * statement for one change and that for many (`Varying`). Both statements are written from the same pieces: no text is
 * ever searched for placeholders.
 */
export type Sql = string | SqlParam | Varying | readonly Sql[]

/** A value: its place in the list of all values of a change, from 0. */
export type SqlParam = { readonly at: number; readonly type: SqlType }

type Varying = { readonly one: Sql; readonly many: Sql }

/** Builds SQL from a template whose values are pieces: `` sql`select ${merchant} from h` ``. */
export const sql = (texts: TemplateStringsArray, ...pieces: Sql[]): Sql =>
  texts.flatMap((text, i): Sql[] => (i < pieces.length ? [text, pieces[i]!] : [text]))

/** Joins pieces with the same text between each two of them. */
export const joined = (pieces: readonly Sql[], between: string): Sql =>
  pieces.flatMap((piece, i): Sql[] => (i === 0 ? [piece] : [between, piece]))

/** Writes the SQL for one change: each value is a parameter of the statement, `$1::text`. */
export const forOne = (piece: Sql): string => write(piece, 'one', ({ at, type }) => `$${at + 1}::${type}`)

/** Writes the SQL for many changes: the values of each stand in a line of the relation `line`, as p1, p2 … */
export const forMany = (piece: Sql, line: 'i' | 'h'): string => write(piece, 'many', ({ at }) => `${line}.p${at + 1}`)

function write(piece: Sql, of: keyof Varying, value: (param: SqlParam) => string): string {
  if (typeof piece === 'string') return piece
  if ('at' in piece && 'type' in piece) return value(piece)
  if ('one' in piece && 'many' in piece) return write(piece[of], of, value)
  return piece.map(one => write(one, of, value)).join('')
}
