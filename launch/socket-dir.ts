// The folder of the database's socket. The socket is the only access to the database, so the folder is closed to all
// other users (0700).
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { give } from './server-user.ts'

/** The "port" of the database: any number works, because it is only part of the socket's name. */
export const port = 5432
const socketName = `.s.PGSQL.${port}`

/** Whether the socket's path is short enough: the kernel allows 108 bytes, including the final zero. */
export function fits(dir: string): boolean {
  return Buffer.byteLength(join(dir, socketName)) <= 107
}

/**
 * Returns `preferred` if its path is short enough, else a folder with an unguessable name, noted in `noteFile` for the
 * start after a crash.
 */
export function openSocketDir(preferred: string, noteFile: string, owner: number): string {
  const dir = fits(preferred) ? preferred : (reusable(noteFile, owner) ?? makeShort(noteFile))
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  give(dir, owner)
  // The process that made these files is gone (this process holds the lock), but the pid in the lock file may belong
  // to another process by now.
  rmSync(join(dir, socketName), { force: true })
  rmSync(join(dir, `${socketName}.lock`), { force: true })
  return dir
}

/** Returns the socket folder of a running server, found as above without creating anything; null if there is none. */
export function findSocketDir(preferred: string, noteFile: string): string | null {
  const noted = () => (existsSync(noteFile) ? readFileSync(noteFile, 'utf8') : null)
  const dir = fits(preferred) ? preferred : noted()
  return dir !== null && existsSync(join(dir, socketName)) ? dir : null
}

function reusable(noteFile: string, owner: number): string | null {
  try {
    const dir = readFileSync(noteFile, 'utf8')
    const seen = lstatSync(dir)
    const ours = seen.uid === owner || seen.uid === process.getuid?.()
    return seen.isDirectory() && ours && (seen.mode & 0o077) === 0 && fits(dir) ? dir : null
  } catch {
    return null
  }
}

function makeShort(noteFile: string): string {
  const base = fits(join(tmpdir(), 'switchyard-XXXXXX')) ? tmpdir() : '/tmp'
  const dir = mkdtempSync(join(base, 'switchyard-'))
  writeFileSync(noteFile, dir, { mode: 0o600 })
  return dir
}
