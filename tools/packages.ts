import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { install } from '../launch/install.mjs'
import { takeLock } from '../launch/lock.mjs'
import { interfaceDocument } from './packages/pages.ts'

/**
 * Builds what merchants install (`packages/`), if it is not there as it should be: installs what the build needs,
 * makes the types of the interface, and compiles each package to `dist/`. `npm run packages` does it by hand.
 */

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages')
const made = join(folder, '.made')
const document = join(root, 'docs/generated/openapi.json')

/** In the order in which they need each other. */
const packages = ['node', 'cli'] as const

/** What is published: those, and what shops' pages are built with, which needs no build. In the order of publishing. */
export const published = [...packages, 'js', 'react'] as const

function run(args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`)
}

/** A digest of everything that the build is made of. */
function inputs(): string {
  const own = globSync('{*.json,{node,cli}/*.json,{node,cli}/src/**/*}', { cwd: folder }).toSorted()
  const hash = createHash('sha256')
    .update(readFileSync(document))
    .update(readFileSync(import.meta.filename))
  for (const file of own.filter(file => !file.startsWith('node/src/made') && statSync(join(folder, file)).isFile()))
    hash.update(`${file}\n`).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

/** The types of the interface: not kept, because they are as long as its document. */
async function makeTypes(): Promise<void> {
  const types = join(folder, 'node/src/made/interface.ts')
  const digest = createHash('sha256').update(readFileSync(document)).digest('hex')
  if (existsSync(types) && readFileSync(types, 'utf8').startsWith(`// ${digest}\n`)) return
  mkdirSync(join(folder, 'node/src/made'), { recursive: true })
  const trimmed = join(made, 'interface.json')
  writeFileSync(trimmed, JSON.stringify(interfaceDocument()))
  run(['node_modules/openapi-typescript/bin/cli.js', trimmed, '-o', types])
  writeFileSync(types, `// ${digest}\n${readFileSync(types, 'utf8')}`)
}

/** Waits for another who builds. */
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

/** Builds the packages if need be. `say` is for a person at the terminal. */
export async function buildPackages(say: (line: string) => void = () => {}): Promise<void> {
  mkdirSync(made, { recursive: true })
  const note = join(made, 'made-of')
  await install(folder, { withTools: true, say, lock: join(made, 'installing') })
  await locked(async () => {
    const digest = inputs()
    const there = packages.every(name => existsSync(join(folder, name, 'dist')))
    if (there && existsSync(note) && readFileSync(note, 'utf8') === digest) return
    await makeTypes()
    for (const name of packages) {
      rmSync(join(folder, name, 'dist'), { recursive: true, force: true })
      run(['node_modules/typescript/bin/tsc', '-p', name])
    }
    writeFileSync(note, digest)
    say('packages are built')
  })
}

if (import.meta.main) await buildPackages(line => process.stderr.write(`packages: ${line}\n`))
