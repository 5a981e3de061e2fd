// Creates and locks the data folder.
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Misconfigured, whyNoFile } from '../src/base/misconfigured.ts'
import { takeLock } from './lock.mjs'

/**
 * Returns the folder's real path, and a function that releases its lock. Throws if the folder cannot be used, or is in
 * use.
 */
export function openFolder(path: string): { dataDir: string; release(): void } {
  try {
    make(path)
    const dataDir = realpathSync(path)
    const lock = takeLock(join(dataDir, 'lock'), 'npm start')
    if (lock.holder === null) return { dataDir, release: lock.release }
    throw new Misconfigured(
      `${dataDir} is in use by process ${lock.holder.pid} (${lock.holder.what}). Stop that process first, or set SWITCHYARD_DATA to another folder.`,
    )
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    throw new Misconfigured(
      `The data folder ${path} cannot be created or written: ${whyNoFile(error)}. Set SWITCHYARD_DATA to a folder that this user can write to.`,
    )
  }
}

/**
 * Creates a folder and its parents step by step: Node's `recursive` never ends where a file system answers "no such
 * folder" although the parent folder exists (/proc).
 */
function make(path: string): void {
  if (existsSync(path)) return
  make(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another start has created the folder meanwhile
  }
}
