// A lock that does not outlive its process: held by a process name (pid, start time, boot) and free as soon as that
// process is gone. Node has no flock, and "delete the stale lock file, then make mine" lets two processes delete each
// other's. So the lock is a series of files path.1, path.2, …: only the highest counts, taking means linking the next
// number (link refuses an existing name), and only numbers below an existing one are ever deleted. A process that acts
// on an old view links a number that is not the highest, sees it, and looks again.
import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isSame, nameOf } from './proc.mjs'

/** Takes the lock, or tells who holds it. `{ holder: null, release }` or `{ holder }`. */
export function takeLock(path, what) {
  for (;;) {
    const highest = numbers(path).at(-1) ?? 0
    if (highest > 0) {
      const holder = read(`${path}.${highest}`)
      if (holder === 'gone') continue
      if (holder !== null) return { holder }
    }
    const mine = `${path}.${highest + 1}`
    if (!place(mine, path, { ...nameOf(process.pid), what })) continue
    const now = numbers(path)
    if (now.at(-1) !== highest + 1) {
      rmSync(mine, { force: true })
      continue
    }
    for (const n of now) if (n <= highest) rmSync(`${path}.${n}`, { force: true })
    return { holder: null, release: () => free(mine, path) }
  }
}

function numbers(path) {
  const start = `${basename(path)}.`
  return readdirSync(dirname(path))
    .filter(name => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .map(name => Number(name.slice(start.length)))
    .sort((a, b) => a - b)
}

/** The living holder, null when it is free, 'gone' when the file went while we looked. */
function read(file) {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8'))
    return holder.pid !== 0 && isSame(holder) ? holder : null
  } catch (error) {
    if (error.code === 'ENOENT') return 'gone'
    if (!(error instanceof SyntaxError)) throw error
    // Only where links do not exist can a file be seen half-written (see below): its writer is granted two seconds.
    return Date.now() - statSync(file).mtimeMs < 2000 ? { pid: -1, what: 'being written' } : null
  }
}

function place(file, path, content) {
  const draft = write(path, content)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(error.code)) throw error
    try {
      copyFileSync(draft, file, constants.COPYFILE_EXCL) // a file system without hard links
      return true
    } catch (second) {
      if (second.code === 'EEXIST') return false
      throw second
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function free(file, path) {
  try {
    renameSync(write(path, { pid: 0, begun: '', boot: '', what: 'free' }), file)
  } catch {
    // The folder may have been deleted meanwhile; the lock dies with this process anyway.
  }
}

function write(path, content) {
  const draft = join(dirname(path), `.${basename(path)}-${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  return draft
}
