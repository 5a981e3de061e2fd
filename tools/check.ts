import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages, installTools } from './packages.ts'

/**
 * Checks types, style, and that nothing is unused: `npm run check`; `npm run check -- --write` fixes what can be fixed.
 * Every check runs, also after one has failed; the last lines name those that failed, with the command that repeats
 * each alone.
 */
const write = process.argv.includes('--write') ? ['--write'] : []
const root = join(import.meta.dirname, '..')
const dashboard = join(root, 'packages/dashboard')
const changedAt = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0)

/** The TypeScript projects, by their folder. */
const projects = ['.', 'src/pages/browser', 'packages/dashboard', 'packages'] as const

/** The tests that only read the files of the project. */
const structure = ['arrows', 'comments', 'names', 'where'].map(name => `tools/${name}.test.ts`)

/** What the compiler found the last time: it checks again only what has changed and what imports that. */
const found = join(root, 'node_modules/.cache/types')

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(6)

type Check = { command: string[]; passed: boolean; output: string; ms: number }

/** Runs a command; keeps its output, so that those of several commands do not mix. */
function run(command: string[], cwd = root): Promise<Check> {
  const begun = performance.now()
  const [program, ...args] = command
  const child = spawn(program!, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', part => (output += part))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ command, passed: code === 0, output, ms: performance.now() - begun }))
  })
}

/** Makes the dashboard's types of the interface, from the OpenAPI document. */
async function dashboardTypes(): Promise<void> {
  const document = join(root, 'docs/generated/openapi.json')
  const types = join(dashboard, '.made/interface.d.ts')
  if (changedAt(types) > changedAt(document)) return
  const { passed, output } = await run(
    [process.execPath, '../node_modules/openapi-typescript/bin/cli.js', document, '-o', types],
    dashboard,
  )
  if (!passed) throw new Error(output)
}

const typesOf = (project: string): Promise<Check> => {
  const kept = join(found, `${project.replaceAll(/\W/g, '-')}.tsbuildinfo`)
  return run(['node_modules/.bin/tsc', '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept])
}

const begun = performance.now()
mkdirSync(found, { recursive: true })
const say = (line: string) => process.stderr.write(`packages: ${line}\n`)
await installTools(say)
await Promise.all([dashboardTypes(), buildPackages(say)])
const checks = await Promise.all([
  ...projects.map(typesOf),
  run(['node_modules/.bin/biome', 'check', ...write]),
  run(['node_modules/.bin/knip', '--reporter', 'compact']),
  run([process.execPath, '--test', '--test-reporter=dot', ...structure]),
])
for (const { output } of checks) process.stdout.write(output)
for (const { command, ms } of checks) process.stdout.write(`${seconds(ms)} s  ${nameOf(command)}\n`)
process.stdout.write(`${seconds(performance.now() - begun)} s  in all\n`)
const failed = checks.filter(({ passed }) => !passed)
for (const { command } of failed) process.stdout.write(`✖ Failed: ${nameOf(command)}\n    ${command.join(' ')}\n`)
process.stdout.write(`${checks.length - failed.length} passed, ${failed.length} failed\n`)
process.exitCode = failed.length === 0 ? 0 : 1

function nameOf([program, ...args]: string[]): string {
  if (program!.endsWith('biome')) return 'style and lengths (biome)'
  if (args.includes('--test')) return 'names, comments, notes and imports (tools/*.test.ts)'
  if (program!.endsWith('knip')) return 'files, exports and packages that nothing uses (knip)'
  const project = args[args.indexOf('-p') + 1]!
  return `types of ${project === '.' ? 'the service, its tests and tools' : project}`
}
