import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { finals, type Grid, statesOf } from '../src/base/lifecycle.ts'

export type Lifecycle = {
  name: string
  grid: Grid
  /** The states in which a new row may begin. */
  begins: readonly string[]
  /**
   * States in which the row is at rest although news may still move it; all other states with moves are unfinished.
   */
  rests?: readonly string[]
}

/** Gives the states that can be reached from these states, these included. */
function reachable(grid: Grid, from: readonly string[]): Set<string> {
  const found = new Set(from)
  for (const state of found) for (const next of Object.values(grid[state] ?? {})) found.add(next)
  return found
}

/** Defines tests of the laws that every lifecycle obeys. */
export function obeysTheLaws({ name, grid, begins, rests = [] }: Lifecycle): void {
  const ends = new Set([...finals(grid), ...rests])

  test(`${name}: every move leads to a state of the grid`, () => {
    const targets = Object.values(grid).flatMap(moves => Object.values(moves))
    deepEqual(
      [...new Set(targets)].filter(target => !Object.hasOwn(grid, target)),
      [],
    )
  })
  test(`${name}: every state can be reached from the first ones`, () => {
    const found = reachable(grid, begins)
    deepEqual(
      statesOf(grid).filter(state => !found.has(state)),
      [],
    )
  })
  test(`${name}: every unfinished state can come to an end`, () => {
    deepEqual(
      statesOf(grid).filter(state => ![...reachable(grid, [state])].some(next => ends.has(next))),
      [],
    )
  })
  test(`${name}: nothing leaves a final state, and nothing at rest becomes unfinished again`, () => {
    deepEqual(
      [...ends].filter(state => [...reachable(grid, [state])].some(next => !ends.has(next))),
      [],
    )
  })
}
