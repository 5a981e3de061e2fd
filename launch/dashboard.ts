// The dashboard is built when it is not there yet, or when what it is made of has changed. Nothing waits for it: the
// service shows a page that says so until it is there.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { diesWithParent } from './death-signal.mjs'
import { install } from './install.mjs'
import { takeLock } from './lock.mjs'

export type Build = {
  /** Settles when the dashboard is there; `true` if it was built just now. Rejects with the reason if it cannot be. */
  done: Promise<boolean>
  stop(): void
}

/** Where the build says what it was made of. */
const NOTE = 'made-of'

/** Files of the service that the dashboard is made of besides its own. */
const shared = [
  'src/base/countries.ts',
  'src/base/csv.ts',
  'src/base/currencies.ts',
  'src/events/catalogue.ts',
  'docs/generated/openapi.json',
]

/** A digest of everything that the build is made of. */
function inputsOf(project: string): string {
  const own = globSync('dashboard/**/*', { cwd: project, exclude: name => /(^|\/)(node_modules|dist|\.made)$/.test(name) })
  const files = [...own.filter(file => statSync(join(project, file)).isFile()), ...shared].toSorted()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(project, file)))
  return hash.digest('hex')
}

const madeOf = (dist: string): string | null => {
  try {
    return readFileSync(join(dist, NOTE), 'utf8')
  } catch {
    return null
  }
}

/**
 * Builds `dashboard/` of this project into `dashboard/dist`, if it is not there as it should be. `withTools` installs
 * besides what only its developers need; `say` is for a person at the terminal.
 */
export function buildDashboard(project: string, say: (line: string) => void, withTools = false): Build {
  let child: ChildProcess | null = null
  let stopped = false
  const started = (one: ChildProcess) => {
    child = one
    if (stopped) one.kill('SIGTERM')
  }
  return {
    done: build(project, say, withTools, started),
    stop() {
      stopped = true
      child?.kill('SIGTERM')
    },
  }
}

async function build(
  project: string,
  say: (line: string) => void,
  withTools: boolean,
  started: (child: ChildProcess) => void,
): Promise<boolean> {
  const folder = join(project, 'dashboard')
  const dist = join(folder, 'dist')
  if (!existsSync(join(folder, 'package.json'))) return false
  const inputs = inputsOf(project)
  if (madeOf(dist) === inputs) return false
  mkdirSync(join(folder, '.made'), { recursive: true })
  const lock = await waitForLock(join(folder, '.made', 'building'))
  try {
    if (madeOf(dist) === inputs) return false
    await install(folder, { withTools, say: line => say(`dashboard: ${line}`), started, lock: join(folder, '.made', 'installing') })
    const draft = join(folder, '.made', 'dist')
    rmSync(draft, { recursive: true, force: true })
    await vite(folder, draft, started)
    writeFileSync(join(draft, NOTE), inputs)
    rmSync(dist, { recursive: true, force: true })
    renameSync(draft, dist)
    return true
  } finally {
    lock.release()
  }
}

async function waitForLock(path: string): Promise<{ release(): void }> {
  for (;;) {
    const lock = takeLock(path, 'vite build')
    if (lock.holder === null) return lock
    await wait(200)
  }
}

/** Vite builds into this folder; what it says is told only if it fails. */
function vite(folder: string, into: string, started: (child: ChildProcess) => void): Promise<void> {
  const program = join(folder, 'node_modules', 'vite', 'bin', 'vite.js')
  const [command, ...args] = [...diesWithParent('TERM'), process.execPath, program, 'build', '--outDir', into, '--logLevel', 'warn']
  const child = spawn(command!, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } })
  started(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      said = (said + chunk).slice(-4000)
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`vite ended with ${signal ?? `code ${code}`}\n${said.trim()}`)),
    )
  })
}
