import { deepEqual, equal } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** No function is over 80 lines, no file over 300 but tables. */

const root = join(import.meta.dirname, '..')
const LONGEST_FUNCTION = 80
const LONGEST_FILE = 300

/** Files that are tables: what is, line by line. */
const tables: readonly string[] = [
  'src/accounts/profile-settings.ts',
  'src/base/refusal.ts',
  'src/config.ts',
  'src/connectors/adyen/offers.ts',
  'src/connectors/stripe/offers.ts',
  'src/connectors/connector.ts',
  'src/connectors/next-action.ts',
  'src/http/routes/payments.ts',
  'src/http/routes/routing.ts',
  'src/payments/lifecycle.ts',
  'src/payouts/fields.ts',
  'src/routing/eligibility-checks.ts',
  'src/show/members.ts',
]

type Function = { name: string; lines: number }

const CONTROL = /^\s*(?:\} )?(?:if|else|for|while|switch|catch|do|try)\b/
const indentOf = (line: string): number => line.length - line.trimStart().length

/**
 * The functions of a file as the formatter lays them out: from the line where a signature begins to the line that
 * closes its body, at the same depth.
 */
function functionsOf(text: string): Function[] {
  const lines = text.split('\n')
  const opener = (at: number): number => {
    // The signature of a function may begin some lines above its body.
    let from = at
    if (/^\s*\)/.test(lines[at]!))
      do from--
      while (from > 0 && (indentOf(lines[from]!) !== indentOf(lines[at]!) || lines[from]!.trim() === ''))
    return from
  }
  return lines.flatMap((line, at) => {
    const opens = /=> (?:\{|\(\{|\(|\[)$|=>$/.test(line) || (/\{$/.test(line) && /\)(?:: [^{]*)?(?: \{)$/.test(line))
    if (!opens) return []
    const from = opener(at)
    if (CONTROL.test(lines[from]!)) return []
    const depth = indentOf(lines[from]!)
    const end = lines.findIndex((next, i) => i > at && next.trim() !== '' && indentOf(next) <= depth)
    const closed = end < 0 ? lines.length : /^\s*[}\])`]/.test(lines[end]!) ? end + 1 : end
    const name = /(?:function\*? |const |async )?([\w$]+)\s*(?:[=:(<]|$)/.exec(
      lines[from]!.replace(/^\s*(?:export |async |default |function\*? |const )*/, ''),
    )
    return [{ name: name?.[1] ?? '?', lines: closed - from }]
  })
}

const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'src/pages/browser/**'] })
  .toSorted()
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const sizesOf = (text: string): number => text.split('\n').length - 1

const foundFunctions = Object.fromEntries(
  sources.flatMap(({ file, text }) =>
    functionsOf(text)
      .filter(({ lines }) => lines > LONGEST_FUNCTION)
      .map(({ name, lines }) => [`${file} ${name}`, lines]),
  ),
)
const foundFiles = Object.fromEntries(
  sources.filter(({ file, text }) => sizesOf(text) > LONGEST_FILE && !tables.includes(file)).map(({ file, text }) => [file, sizesOf(text)]),
)

test('no function is over 80 lines', () => {
  deepEqual(foundFunctions, {})
})

test('no file is over 300 lines, except tables', () => {
  deepEqual(foundFiles, {})
})

test('the size check recognizes functions in each style of declaration', () => {
  const body = '  x()\n'.repeat(90)
  for (const text of [
    `export async function long(\n  a: A,\n): Promise<void> {\n${body}}\n`,
    `const long = (a: A) => {\n${body}}\n`,
    `export const long = () => ({\n${body}})\n`,
    `const o = {\n  long(a) {\n${body.replaceAll('  ', '    ')}  },\n}\n`,
  ])
    equal(functionsOf(text).find(({ lines }) => lines > LONGEST_FUNCTION)?.name, 'long', text.slice(0, 60))
  deepEqual(functionsOf(`if (a(b)) {\n${body}}\n`), [])
})
