import { equal, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** The cells of a row of a table in Markdown. */
const cellsOf = (row: string): string[] => row.split('|').slice(1, -1)
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)

test('each name in the table Where to look of docs/architecture.md is declared in its listed file', () => {
  const [, section] = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8').split('## Where to look\n')
  const rows = section!
    .split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('| ') && line.includes('.ts`'))
  ok(rows.length >= 15)
  for (const row of rows) {
    const [what, files, names] = cellsOf(row)
    const texts = quoted(files!).map(file => readFileSync(join(root, 'src', file), 'utf8'))
    for (const name of quoted(names!)) {
      const declared = new RegExp(`^export (async )?(type|const|function|class) ${name}\\b`, 'm')
      equal(texts.filter(text => declared.test(text)).length, 1, `${what}: ${name}`)
    }
  }
})

test('each threat on the security page lists tests that exist', () => {
  const [, section] = readFileSync(join(root, 'docs', 'security.md'), 'utf8').split('## Threats and what stops them\n')
  const rows = section!
    .split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| threat') && !line.startsWith('| ---'))
  ok(rows.length >= 15)
  for (const row of rows) {
    const [threat, , tests] = cellsOf(row)
    const held = quoted(tests!)
    ok(held.length > 0, `nothing holds${threat}`)
    for (const path of held) ok(existsSync(join(root, path)), `${path} is not there`)
  }
})
