// The folder of the database's socket: the only door to it, so it is closed to all other users (0700).
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { give } from './server-user.ts'

/** Any number will do as the "port": it is only part of the socket's name. */
export const port = 5432
const socketName = `.s.PGSQL.${port}`

/** The kernel keeps 108 bytes for a socket's path, the closing zero included. */
export function fits(dir: string): boolean {
  return Buffer.byteLength(join(dir, socketName)) <= 107
}

/**
 * `preferred` if its path is short enough, else a folder with an unguessable name, noted in `noteFile` for the start
 * after a crash.
 */
export function openSocketDir(preferred: string, noteFile: string, owner: number): string {
  const dir = fits(preferred) ? preferred : (reusable(noteFile, owner) ?? makeShort(noteFile))
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  give(dir, owner)
  // The process that made these is gone (we hold the lock), but the pid in the lock file may be another one's by now.
  rmSync(join(dir, socketName), { force: true })
  rmSync(join(dir, `${socketName}.lock`), { force: true })
  return dir
}

/** Where a server that runs has its socket: as above, without making anything; null if there is none. */
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
