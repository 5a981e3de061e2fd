// The keys and the database of the service's settings, for the operator's commands. Without DATABASE_URL, the database
// is that of `npm start`, running or not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { refuseUnknown } from '../src/base/setting.ts'
import { settings } from '../src/config.ts'
import type { Reader } from '../src/database/connection.ts'
import { checkKeys } from '../src/vault/deployment-checks.ts'
import { type KeySource, type Keys, keySettingName } from '../src/vault/keys.ts'
import { projectDir } from './binaries.ts'
import { findRunning, startPostgres } from './postgres.ts'

refuseUnknown(process.env, settings)
const { SWITCHYARD_DATA, KEYS, KEY_COMMAND, KEY_FILE } = process.env
const dataDir = SWITCHYARD_DATA || join(projectDir, 'data')

/** The source of the keys. The mode is live, because missing keys must never be created here. */
export const ownKeys: KeySource = {
  mode: 'live',
  keys: KEYS || null,
  command: KEY_COMMAND || null,
  file: KEY_FILE || join(dataDir, 'keys.json'),
  lenient: process.env.MODE !== 'live',
}

/**
 * Opens the database of DATABASE_URL, else that of `npm start`, which is started for the duration of the command if it
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

/**
 * Refuses keys that are not those of the database: a link, a digest or a record made with them would be of no use to
 * the service.
 */
export const checkOwnKeys = (reader: Pick<Reader, 'query'>, keys: Keys): Promise<void> =>
  checkKeys(reader, { keys, source: keySettingName(ownKeys) })
