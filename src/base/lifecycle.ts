import { ok } from 'node:assert/strict'

/**
 * A lifecycle: `state → what happened → next state`. The grid is the type: a target that is not a state of the grid
 * does not compile. From it come the status enum, the diagram, the SQL check and the messages that name the welcome
 * states.
 */
export type Grid = Record<string, Record<string, string>>

type Checked<G> = { [S in keyof G]: { [E in keyof G[S]]: keyof G & string } }

/** Declares a grid; types only, the value is returned as it is. */
export function moves<const G extends Checked<G>>(grid: G): G {
  return grid
}

export type StateOf<G> = keyof G & string
export type MoveOf<G> = { [S in keyof G]: keyof G[S] & string }[keyof G]

export const statesOf = <G extends Grid>(grid: G): StateOf<G>[] => Object.keys(grid)

/** May this happen in this state? Allow-lists only: what the grid does not name is not allowed. */
export const may = (grid: Grid, state: string, move: string): boolean => Object.hasOwn(grid[state] ?? {}, move)

/** The state after the move. Asking for a move that the grid does not have is our own mistake, hence an assertion. */
export function after<G extends Grid>(grid: G, state: StateOf<G>, move: MoveOf<G>): StateOf<G> {
  const next = grid[state]?.[move]
  ok(next !== undefined, `no move ${move} from ${state}`)
  return next
}

/** The states in which this move is welcome, in the grid's order: for error messages and documentation. */
export const welcome = <G extends Grid>(grid: G, move: MoveOf<G>): StateOf<G>[] => statesOf(grid).filter(state => may(grid, state, move))

/** States that nothing leaves. */
export const finals = <G extends Grid>(grid: G): StateOf<G>[] => statesOf(grid).filter(state => Object.keys(grid[state]!).length === 0)

/**
 * The states of which this is true, in the order of their table: lists of states that mean something are made of what
 * the table says of each.
 */
export const statesThat = <S extends string, A extends string>(
  says: Readonly<Record<S, { is: readonly A[] }>>,
  attribute: NoInfer<A>,
): S[] => (Object.keys(says) as S[]).filter(state => says[state].is.includes(attribute))
