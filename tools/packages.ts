import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { install } from '../launch/install.mjs'
import { takeLock } from '../launch/lock.mjs'
import { generatedModules, interfaceDocument } from './packages/pages.ts'

/**
 * Builds the packages that merchants install (`packages/`), unless they are up to date: installs what the build needs,
 * generates the types of the interface, and compiles each package to `dist/`. `npm run packages` builds them by hand.
 */

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages')
const made = join(folder, '.made')
/** The generated modules of the SDK, which are not in the repository. */
const modules = join(folder, 'node/src/made')
const document = join(root, 'docs/generated/openapi.json')

/** The packages that are built, in the order of their dependencies. */
const packages = ['node', 'cli'] as const

/**
 * The packages that are published, in the order of publishing: the built ones, and those for shops' pages, which need
 * no build.
 */
export const published = [...packages, 'js', 'react'] as const

function run(args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`)
}

/** Returns a digest of all inputs of the build. */
function inputs(): string {
  const own = globSync('{*.json,{node,cli}/*.json,{node,cli}/src/**/*}', { cwd: folder }).toSorted()
  const hash = createHash('sha256')
    .update(readFileSync(document))
    .update(readFileSync(import.meta.filename))
  for (const file of own.filter(file => file !== 'node/src/made/interface.ts' && statSync(join(folder, file)).isFile()))
    hash.update(`${file}\n`).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

/** Writes the SDK's table of operations and the tables that it shares with the service. This needs no installation. */
export function writeModules(): void {
  mkdirSync(modules, { recursive: true })
  for (const [name, text] of Object.entries(generatedModules())) {
    const file = join(modules, name)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    // A test that is running reads either the whole old or the whole new file.
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, text)
    renameSync(draft, file)
  }
}

/** Generates the types of the interface, which are as long as its document. */
function makeTypes(): void {
  const types = join(modules, 'interface.ts')
  const digest = createHash('sha256').update(readFileSync(document)).digest('hex')
  if (existsSync(types) && readFileSync(types, 'utf8').startsWith(`// ${digest}\n`)) return
  const trimmed = join(made, 'interface.json')
  writeFileSync(trimmed, JSON.stringify(interfaceDocument()))
  run(['node_modules/openapi-typescript/bin/cli.js', trimmed, '-o', types])
  writeFileSync(types, `// ${digest}\n${readFileSync(types, 'utf8')}`)
}

/** Runs work under a lock, after any other process has finished building. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const lock = takeLock(join(made, 'building'), 'packages')
    if (lock.holder === null)
      try {
        return await work()
      } finally {
        lock.release()
      }
    await wait(200)
  }
}

/** Installs what the build and the checks of the packages need. The documentation is installed when it is built. */
export const installTools = (say: (line: string) => void): Promise<void> => {
  mkdirSync(made, { recursive: true })
  const members = [...packages, 'page-scripts', 'dashboard']
  return install(folder, { withTools: true, members, say, lock: join(made, 'installing') })
}

/** Builds the packages if necessary. `say` receives progress for the terminal. */
export async function buildPackages(say: (line: string) => void = () => {}): Promise<void> {
  const note = join(made, 'made-of')
  await installTools(say)
  await locked(async () => {
    writeModules()
    const digest = inputs()
    const there = packages.every(name => existsSync(join(folder, name, 'dist')))
    if (there && existsSync(note) && readFileSync(note, 'utf8') === digest) return
    makeTypes()
    for (const name of packages) {
      rmSync(join(folder, name, 'dist'), { recursive: true, force: true })
      run(['node_modules/typescript/bin/tsc', '-p', name])
    }
    writeFileSync(note, digest)
    say('packages are built')
  })
}

if (import.meta.main) await buildPackages(line => process.stderr.write(`packages: ${line}\n`))
