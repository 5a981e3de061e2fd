import { deepEqual, equal } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tokenizer } from 'acorn'
import { transformSync } from 'esbuild'
import { check, type VulnerableDiagnostics } from 'recheck'

/** Every regular expression takes linear time for every text: a stranger's text cannot stop a process. */

const root = join(import.meta.dirname, '..')
const files = globSync(['src/**/*.{ts,js}', 'packages/*/src/**/*.{ts,tsx}', 'launch/*.ts', 'sandbox/**/*.ts'], {
  cwd: root,
  exclude: ['**/*.test.ts'],
}).sort()

/** What the checker cannot decide, and why it is linear all the same. */
const decided: Readonly<Record<string, string>> = {
  // A run of fewer than fourteen digits is tried again from each of its digits: thirteen times at most. A longer run
  // matches.
  '/\\d(?:[\\s\\u2010-\\u2015._/\\\\-]{0,3}\\d){13,}/g': 'src/base/card-number.ts',
}

/** The files that build a regular expression at run time, and from what. */
const built: Readonly<Record<string, string>> = {
  'src/routing/keys.ts': 'a number of digits',
  'src/http/addresses.ts': 'our own addresses',
  'src/http/routes/users-answers.ts': 'the name of a cookie',
  'src/connectors/stripe/common.ts': 'prefixes of our own metadata',
  'src/pages/browser/confirm.js': 'alternatives in the table of src/pages/declines.ts',
  'src/pages/browser/methods.js': 'names of our own fields',
  'src/pages/declines.ts': 'alternatives in its own table',
}

type Found = { pattern: string; flags: string; file: string }

/** Returns the regular expressions of a file, and the patterns of its schemas. */
function expressionsOf(file: string): Found[] {
  const source = readFileSync(join(root, file), 'utf8')
  const { code } = transformSync(source, { loader: file.endsWith('x') ? 'tsx' : 'ts', format: 'esm', jsx: 'automatic' })
  const tokens: readonly { type: { label: string }; value?: unknown }[] = [
    ...tokenizer(code, { ecmaVersion: 'latest', sourceType: 'module' }),
  ]
  return tokens.flatMap(({ type, value }, at) => {
    if (type.label === 'regexp') return [{ ...(value as { pattern: string; flags: string }), file }]
    const isPattern = type.label === 'string' && tokens[at - 1]?.type.label === ':' && tokens[at - 2]?.value === 'pattern'
    return isPattern ? [{ pattern: value as string, flags: 'u', file }] : []
  })
}

/** The processor time of the fastest of five matches with a text, in milliseconds. */
function timeOf(expression: RegExp, text: string): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (const _ of text.matchAll(new RegExp(expression, 'g')));
    return process.cpuUsage(before).user / 1000
  })
  return Math.min(...times)
}

/**
 * Whether the checker has found a text by chance (it tries random ones where it cannot decide) for which the engine is
 * linear after all: four times the text takes less than eight times as long, or no time to speak of.
 */
function isOnlySuspected(expression: RegExp, { checker, attack }: VulnerableDiagnostics): boolean {
  const longer = (times: number) => attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + attack.suffix
  const times = Math.ceil(30_000 / longer(1).length)
  const after = timeOf(expression, longer(4 * times))
  return checker === 'fuzz' && (after < 20 || after < 8 * timeOf(expression, longer(times)))
}

test('no regular expression takes more than linear time', async () => {
  const all = new Map(files.flatMap(expressionsOf).map(one => [`/${one.pattern}/${one.flags}`, one]))
  equal(all.size > 400, true, 'and this test would see them')
  equal((await check('^(?:.*&)?id=(tr_\\w{1,60})(?:&.*)?$', '')).status, 'vulnerable', 'and the checker sees a quadratic one')
  const quadratic = { checker: 'fuzz', attack: { pumps: [{ prefix: '', pump: ' ' }], suffix: 'x' } } as VulnerableDiagnostics
  equal(isOnlySuspected(/\s+$/, quadratic), false, 'and the engine shows that it is')
  const slow: string[] = []
  for (const [written, { pattern, flags, file }] of all) {
    if (decided[written] === file) continue
    const found = await check(pattern, flags, { timeout: 60_000 })
    if (found.status === 'safe' || (found.status === 'vulnerable' && isOnlySuspected(new RegExp(pattern, flags), found))) continue
    slow.push(`${file}: ${written} is ${found.status}`)
  }
  deepEqual(slow, [])
})

test('a regular expression is built at run time only from our own words', () => {
  const building = files.filter(file => readFileSync(join(root, file), 'utf8').includes('new RegExp('))
  deepEqual(building, Object.keys(built).sort())
})
