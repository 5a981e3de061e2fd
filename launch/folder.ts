// The data folder, made and locked.
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Misconfigured, whyNoFile } from '../src/base/misconfigured.ts'
import { takeLock } from './lock.mjs'

/** Its real path, and how to let go of it. Throws if it cannot be used, or is in use. */
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
 * Step by step: where a file system refuses with "no such folder" though the one above exists (/proc), Node's
 * `recursive` tries for ever.
 */
function make(path: string): void {
  if (existsSync(path)) return
  make(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // made meanwhile by another start
  }
}
