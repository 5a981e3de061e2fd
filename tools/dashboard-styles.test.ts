import { deepEqual, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, '../packages/dashboard/src')
const read = (pattern: string): string =>
  globSync(pattern, { cwd: folder })
    .map(file => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

const selectors = read('styles/*.css')
  .replaceAll(/\/\*[\s\S]*?\*\//g, '')
  .replaceAll(/\{[^{}]*\}/g, ' ')
const code = read('**/*.{ts,tsx}')
const literals = code.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? []

test('every class of the dashboard’s styles is used by a part or a page', () => {
  const classes = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!))
  ok(classes.size > 100)
  const words = new Set(literals.flatMap(text => text.match(/[\w-]+/g) ?? []))
  const unused = [...classes].filter(name => !name.startsWith('mantine-') && !words.has(name))
  deepEqual(unused, [], 'delete their rules in packages/dashboard/src/styles')
})

test('pages have no styles of their own but classes: no style properties of Mantine, and no rule outside of styles/', () => {
  const [first, ...others] = globSync('**/*.css', { cwd: folder }).filter(file => !file.startsWith('styles/'))
  deepEqual([first, ...others].filter(Boolean), [])
  const pages = globSync('pages/**/*.tsx', { cwd: folder }).map(file => [file, readFileSync(join(folder, file), 'utf8')] as const)
  const styled = pages.filter(([, text]) => / (m[tblrxy]?|p[tblrxy]?|fw|fz|c|bg|gap|w|h|maw|miw)=\{/.test(text)).map(([file]) => file)
  deepEqual(styled, [], 'a class of packages/dashboard/src/styles says it')
})
