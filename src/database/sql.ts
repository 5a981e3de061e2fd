import type { SqlType } from './table.ts'

/**
 * SQL in pieces. A value that a change brings is a piece of its own (`SqlParam`), and so is what is said in one way for
 * one change and in another for many (`Varying`). The statement of one change and that of many are written from the
 * same pieces: nothing is ever looked for in a text.
 */
export type Sql = string | SqlParam | Varying | readonly Sql[]

/** A value: the place in the list of all that a change brings, from 0. */
export type SqlParam = { readonly at: number; readonly type: SqlType }

export type Varying = { readonly one: Sql; readonly many: Sql }

/** A template whose values are pieces: `` sql`select ${merchant} from h` ``. */
export const sql = (texts: TemplateStringsArray, ...pieces: Sql[]): Sql =>
  texts.flatMap((text, i): Sql[] => (i < pieces.length ? [text, pieces[i]!] : [text]))

/** Pieces with the same text between each two of them. */
export const joined = (pieces: readonly Sql[], between: string): Sql =>
  pieces.flatMap((piece, i): Sql[] => (i === 0 ? [piece] : [between, piece]))

/** As it is said for one change: each value is a parameter of the statement, `$1::text`. */
export const forOne = (piece: Sql): string => write(piece, 'one', ({ at, type }) => `$${at + 1}::${type}`)

/** As it is said for many: the values of each stand in a line of the relation `line`, as p1, p2 … */
export const forMany = (piece: Sql, line: 'i' | 'h'): string => write(piece, 'many', ({ at }) => `${line}.p${at + 1}`)

function write(piece: Sql, of: keyof Varying, value: (param: SqlParam) => string): string {
  if (typeof piece === 'string') return piece
  if ('at' in piece && 'type' in piece) return value(piece)
  if ('one' in piece && 'many' in piece) return write(piece[of], of, value)
  return piece.map(one => write(one, of, value)).join('')
}
