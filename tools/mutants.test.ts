import { equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutants } from '../test/simulation/mutants.ts'

/** Mistakes that simulations must find are mistakes in the code as it is now. */

for (const { name, file, from, to } of mutants)
  test(`the code for this mutant occurs exactly once: ${name}`, () => {
    const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
    equal(text.split(from).length, 2, file)
    equal(text.replace(from, () => to) === text, false)
  })
