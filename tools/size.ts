import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Prints the sizes of the project, so that two commits can be compared: `npm run size`. */

const root = join(import.meta.dirname, '..')
const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 } as const

/** The longest function that is not worth a line. */
const SHORT_FUNCTION = 60

const files = execFileSync('git', ['ls-files'], options).split('\n').filter(Boolean)
const textOf = (file: string): string => readFileSync(join(root, file), 'latin1')
const linesOf = (file: string): number => textOf(file).split('\n').length - 1
const isText = (file: string): boolean => !textOf(file).slice(0, 8000).includes('\0')
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
const longest = <T>(all: readonly T[], length: (one: T) => number): T | undefined => all.toSorted((a, b) => length(b) - length(a))[0]

/** Lines that contain nothing but a comment. */
const commentLines = (file: string): number => textOf(file).match(/^\s*(?:\/\/|\/\*|\*\/|\*(?:\s|$))/gm)?.length ?? 0

type Found = { message: string | { content: string }[]; location: { path: string | { file: string } } }

/** Returns each function of more than `SHORT_FUNCTION` lines: the lines of its body, as the linter counts them. */
function longFunctions(): { file: string; lines: number }[] {
  const config = mkdtempSync(join(tmpdir(), 'switchyard-size-'))
  const rules = { complexity: { noExcessiveLinesPerFunction: { level: 'error', options: { maxLines: SHORT_FUNCTION } } } }
  writeFileSync(join(config, 'biome.json'), JSON.stringify({ linter: { rules: { preset: 'none', ...rules } } }))
  const args = ['lint', `--config-path=${config}`, '--reporter=json', '--max-diagnostics=none']
  const { stdout } = spawnSync('node_modules/.bin/biome', [...args, ...files.filter(file => /\.(?:ts|tsx|mjs|js)$/.test(file))], options)
  rmSync(config, { recursive: true })
  return (JSON.parse(stdout) as { diagnostics: Found[] }).diagnostics.flatMap(({ message, location: { path } }) => {
    const text = typeof message === 'string' ? message : message.map(({ content }) => content).join('')
    const [, lines] = /^This function has too many lines \((\d+)\)/.exec(text) ?? []
    return lines === undefined ? [] : [{ file: typeof path === 'string' ? path : path.file, lines: Number(lines) }]
  })
}

/** Returns the number of exports that no other file imports. */
function unusedExports(): number {
  const { stdout } = spawnSync('node_modules/.bin/knip', ['--include', 'exports,types', '--reporter', 'json'], options)
  const { issues } = JSON.parse(stdout) as { issues: { exports?: unknown[]; types?: unknown[] }[] }
  return sum(issues.map(({ exports = [], types = [] }) => exports.length + types.length))
}

const tracked = files.filter(isText)
const code = files.filter(file => /^src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'))
const tests = files.filter(file => /^src\/.*\.test\.ts$/.test(file))
const folderOf = (file: string): string => file.split('/')[0]!
const rows: [string, number | string][] = [
  ['lines that are tracked', sum(tracked.map(linesOf))],
  ['lines of src without tests (.ts)', sum(code.map(linesOf))],
  ['  of them comments', sum(code.map(commentLines))],
  ['lines of the tests in src', sum(tests.map(linesOf))],
  ['exports that nothing imports', unusedExports()],
  ['kB of docs/generated/openapi.json', Math.round(textOf('docs/generated/openapi.json').length / 1000)],
]
for (const [folder, all] of Map.groupBy(longFunctions(), ({ file }) => folderOf(file))) {
  const { file, lines } = longest(all, one => one.lines)!
  rows.push([`longest function of ${folder}`, `${lines} (${file})`])
}
const longestFile = longest(code, linesOf)!
rows.push(['longest file of src without tests', `${linesOf(longestFile)} (${longestFile})`])
for (const [folder, all] of Map.groupBy(tracked, file => (file.includes('/') ? folderOf(file) : '.'))) {
  const lines = sum(all.map(linesOf))
  if (lines > 1000) rows.push([`lines of ${folder}`, lines])
}
for (const [what, value] of rows) process.stdout.write(`${what.padEnd(40)}${value.toLocaleString('en')}\n`)
