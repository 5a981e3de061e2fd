// Builds the scripts of pages for customers, the dashboard and the documentation if they are missing or their sources
// have changed. Nothing waits for the builds: meanwhile the service shows a page that says so.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { diesWithParent } from './death-signal.mjs'
import { install } from './install.mjs'
import { takeLock } from './lock.mjs'

export type Build = {
  /**
   * Settles when the pages are built; `true` if they were built just now. Rejects with the reason if they cannot be
   * built.
   */
  done: Promise<boolean>
  stop(): void
}

/** The file in which a build stores the digest of its sources. */
const NOTE = 'made-of'

/** The workspace of all builds, whose libraries are installed only for those that are wanted. */
const workspace = 'packages'

/** The pages that are built: their sources outside their own folder, and the build program with its arguments. */
const kinds = {
  'page-scripts': {
    shared: ['src/pages/browser/*.js'],
    command: into => ['build.ts', into],
  },
  dashboard: {
    shared: [
      'src/base/countries.ts',
      'src/base/csv.ts',
      'src/base/currencies.ts',
      'src/base/event-types.ts',
      'docs/generated/openapi.json',
    ],
    command: into => ['../node_modules/vite/bin/vite.js', 'build', '--outDir', into, '--logLevel', 'warn'],
  },
  site: {
    shared: ['docs/*.md', 'docs/{guides,generated,bridge}/*.md', 'docs/pictures/*'],
    command: into => ['../node_modules/vitepress/bin/vitepress.js', 'build', '--outDir', into],
  },
} satisfies Record<string, { shared: string[]; command: (into: string) => [program: string, ...args: string[]] }>
export type PagesName = keyof typeof kinds
/** In the order in which they are built: customers need their pages first. */
export const pagesNames = Object.keys(kinds) as PagesName[]

function inputsOf(project: string, name: PagesName): string {
  const made = /(^|\/)(node_modules|dist|cache|\.made|\.temp)$/
  const own = `${workspace}/${name}`
  const all = [`${own}/**/*`, `${own}/.vitepress/**/*`, `${workspace}/package-lock.json`, ...kinds[name].shared].flatMap(what =>
    globSync(what, { cwd: project, exclude: file => made.test(file) }),
  )
  const files = [...new Set(all)].filter(file => statSync(join(project, file)).isFile()).toSorted()
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
 * Builds these pages of this project into their `dist`, unless they are up to date. `say` prints a line for the person
 * at the terminal.
 */
export function buildPages(project: string, name: PagesName, say: (line: string) => void): Build {
  let child: ChildProcess | null = null
  let stopped = false
  const started = (one: ChildProcess) => {
    child = one
    if (stopped) one.kill('SIGTERM')
  }
  return {
    done: build(project, name, say, started),
    stop() {
      stopped = true
      child?.kill('SIGTERM')
    },
  }
}

async function build(
  project: string,
  name: PagesName,
  say: (line: string) => void,
  started: (child: ChildProcess) => void,
): Promise<boolean> {
  const root = join(project, workspace)
  const folder = join(root, name)
  const dist = join(folder, 'dist')
  if (!existsSync(join(folder, 'package.json'))) return false
  const inputs = inputsOf(project, name)
  if (madeOf(dist) === inputs) return false
  for (const place of [root, folder]) mkdirSync(join(place, '.made'), { recursive: true })
  const lock = await waitForLock(join(folder, '.made', 'building'))
  try {
    if (madeOf(dist) === inputs) return false
    const progress = (line: string) => say(`${name}: ${line}`)
    await install(root, { withTools: false, members: [name], say: progress, started, lock: join(root, '.made', 'installing') })
    const draft = join(folder, '.made', 'dist')
    rmSync(draft, { recursive: true, force: true })
    await runBuild(folder, name, draft, started)
    writeFileSync(join(draft, NOTE), inputs)
    const former = join(folder, '.made', 'former')
    rmSync(former, { recursive: true, force: true })
    if (existsSync(dist)) renameSync(dist, former)
    renameSync(draft, dist)
    return true
  } finally {
    lock.release()
  }
}

async function waitForLock(path: string): Promise<{ release(): void }> {
  for (;;) {
    const lock = takeLock(path, 'the build of pages')
    if (lock.holder === null) return lock
    await wait(200)
  }
}

/** Builds into this folder; the program's output is shown only if the build fails. */
function runBuild(folder: string, name: PagesName, into: string, started: (child: ChildProcess) => void): Promise<void> {
  const build = kinds[name].command(into)
  const [command, ...args] = [...diesWithParent('TERM'), process.execPath, ...build]
  const child = spawn(command!, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } })
  started(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      output = (output + chunk).slice(-4000)
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${build[0]} ended with ${signal ?? `code ${code}`}\n${output.trim()}`)),
    )
  })
}
