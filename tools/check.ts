import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { install, whatIsMissing } from '../launch/install.mjs'
import { buildPackages } from './packages.ts'

/** Checks types and style: `npm run check`; `npm run check -- --write` fixes what can be fixed. */
const write = process.argv.includes('--write') ? ['--write'] : []
const root = join(import.meta.dirname, '..')
const dashboard = join(root, 'dashboard')
const changedAt = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0)

function run(command: string, args: readonly string[], cwd = root): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', cwd })
  if (status !== 0) process.exit(status ?? 1)
}

/** Makes the dashboard's types of the interface, from the OpenAPI document. */
async function dashboardTypes(): Promise<void> {
  if (whatIsMissing(dashboard, true) !== null) {
    mkdirSync(join(dashboard, '.made'), { recursive: true })
    await install(dashboard, {
      withTools: true,
      say: line => process.stderr.write(`dashboard: ${line}\n`),
      lock: join(dashboard, '.made', 'installing'),
    })
  }
  const document = join(root, 'docs/generated/openapi.json')
  const types = join(dashboard, '.made/interface.d.ts')
  if (changedAt(types) <= changedAt(document))
    run(process.execPath, ['node_modules/openapi-typescript/bin/cli.js', document, '-o', types], dashboard)
}

await dashboardTypes()
await buildPackages(line => process.stderr.write(`packages: ${line}\n`))
run('node_modules/.bin/tsc', ['--noEmit', '-p', '.'])
run('node_modules/.bin/tsc', ['--noEmit', '-p', 'src/pages/browser'])
run('node_modules/.bin/tsc', ['--noEmit', '-p', 'dashboard'])
run('node_modules/.bin/tsc', ['--noEmit', '-p', 'packages'])
run('node_modules/.bin/biome', ['check', ...write])
