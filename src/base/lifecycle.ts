import { ok } from 'node:assert/strict'

/**
 * `state → move → next state`. As the grid is also the type, a target that is no state does not compile. Status enum,
 * diagram, SQL check, and the states in errors are derived from it.
 */
export type Grid = Record<string, Record<string, string>>

type Checked<G> = { [S in keyof G]: { [E in keyof G[S]]: keyof G & string } }

/** Declares a grid. It only checks the types and returns the value unchanged. */
export function moves<const G extends Checked<G>>(grid: G): G {
  return grid
}

export type StateOf<G> = keyof G & string
export type MoveOf<G> = { [S in keyof G]: keyof G[S] & string }[keyof G]

export const statesOf = <G extends Grid>(grid: G): StateOf<G>[] => Object.keys(grid)

/** Whether this move is allowed in this state. A move that the grid does not name is not allowed. */
export const may = (grid: Grid, state: string, move: string): boolean => Object.hasOwn(grid[state] ?? {}, move)

/** The state after the move. A move that the grid does not have is a bug: it fails an assertion. */
export function after<G extends Grid>(grid: G, state: StateOf<G>, move: MoveOf<G>): StateOf<G> {
  const next = grid[state]?.[move]
  ok(next !== undefined, `no move ${move} from ${state}`)
  return next
}

/** Returns the states in which this move is allowed, in the grid's order, for error messages and documentation. */
export const statesAllowing = <G extends Grid>(grid: G, move: MoveOf<G>): StateOf<G>[] =>
  statesOf(grid).filter(state => may(grid, state, move))

/** Returns the final states, which no move leaves. */
export const finals = <G extends Grid>(grid: G): StateOf<G>[] => statesOf(grid).filter(state => Object.keys(grid[state]!).length === 0)

/** The states whose table entry lists this attribute, in the table's order. */
export const statesThat = <S extends string, A extends string>(
  table: Readonly<Record<S, { traits: readonly A[] }>>,
  attribute: NoInfer<A>,
): S[] => (Object.keys(table) as S[]).filter(state => table[state].traits.includes(attribute))
