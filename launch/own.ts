// The keys and the database that the service's settings name, for the commands of its operator. Without DATABASE_URL
// it is the database of `npm start`, running or not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { refuseUnknown } from '../src/base/setting.ts'
import { settings } from '../src/config.ts'
import type { KeySource } from '../src/vault/keys.ts'
import { projectDir } from './binaries.ts'
import { findRunning, startPostgres } from './postgres.ts'

refuseUnknown(process.env, settings)
const { SWITCHYARD_DATA, KEYS, KEY_COMMAND, KEY_FILE } = process.env
const dataDir = SWITCHYARD_DATA || join(projectDir, 'data')

/** As in live mode: keys that are not there are never made here. */
export const ownKeys: KeySource = {
  mode: 'live',
  keys: KEYS || null,
  command: KEY_COMMAND || null,
  file: KEY_FILE || join(dataDir, 'keys.json'),
}

/**
 * The database: where DATABASE_URL says, else the one of `npm start`, which is started for as long as it takes if it
 * does not run.
 */
export async function openOwnDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const { DATABASE_URL: given } = process.env
  const url = given || findRunning(join(dataDir, 'postgres'))
  if (url) return { url, close: async () => {} }
  if (!existsSync(join(dataDir, 'postgres', 'cluster')))
    throw new Misconfigured(`there is no database in ${dataDir}; set DATABASE_URL or SWITCHYARD_DATA`)
  const started = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  return { url: started.url, close: started.stop }
}
