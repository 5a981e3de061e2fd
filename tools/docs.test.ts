import { deepEqual, equal } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, pages } from './docs.ts'

const written = pages()

test('docs/generated contains only generated pages', () => {
  deepEqual(readdirSync(folder).sort(), Object.keys(written).sort())
})

for (const [file, text] of Object.entries(written)) {
  test(`docs/generated/${file} is up to date with the tables (if not: npm run docs)`, () => {
    equal(readFileSync(join(folder, file), 'utf8'), text)
  })
}

test('the pages are the same each time they are generated', () => {
  deepEqual(pages(), written)
})
