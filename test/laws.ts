import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { finals, type Grid, statesOf } from '../src/base/lifecycle.ts'

export type Lifecycle = {
  name: string
  grid: Grid
  /** The states that something new may be in. */
  begins: readonly string[]
  /** States in which it is at rest though news may still move it; all others with moves are unfinished. */
  rests?: readonly string[]
}

/** Where one can get to from these states, themselves included. */
function reachable(grid: Grid, from: readonly string[]): Set<string> {
  const found = new Set(from)
  for (const state of found) for (const next of Object.values(grid[state] ?? {})) found.add(next)
  return found
}

/** The laws that every lifecycle obeys. */
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
