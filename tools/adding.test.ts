import { deepEqual, doesNotThrow, equal, throws } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { type Addition, addingPage, apply, filesOf, migrationsOf, root } from './adding.ts'
import { additions } from './additions.ts'

/** Additions that change more files than others; these numbers only go down. */
const more: Readonly<Record<string, number>> = { 'A permission': 3, 'A type of event': 3, 'A type of payment method': 7 }

test('an addition changes at most two files, or three with a migration', () => {
  const most = (one: Addition) => more[one.what] ?? (migrationsOf(one).length > 0 ? 3 : 2)
  deepEqual(
    additions.filter(one => filesOf(one).length > most(one)).map(({ what }) => what),
    [],
  )
})

test('docs/adding.md is up to date with the examples (if not: npm run docs)', () => {
  equal(readFileSync(join(root, 'docs', 'adding.md'), 'utf8'), addingPage())
})

test('each line that an example refers to occurs exactly once', () => {
  const place = mkdtempSync(join(tmpdir(), 'switchyard-adding-'))
  after(() => rmSync(place, { recursive: true }))
  for (const file of new Set(additions.flatMap(({ edits }) => edits.map(({ file }) => file)))) {
    mkdirSync(join(place, dirname(file)), { recursive: true })
    try {
      writeFileSync(join(place, file), readFileSync(join(root, file)))
    } catch {
      // A file of the example's own.
    }
  }
  for (const { what, edits } of additions) doesNotThrow(() => apply(place, edits), what)
  throws(() => apply(place, [{ file: 'src/config.ts', after: 'there is no such line', add: 'x' }]), /0 lines that begin/)
})
