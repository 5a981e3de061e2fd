import { Misconfigured } from '../base/misconfigured.ts'
import type { Context, Statement } from '../context.ts'
import { type ConnectorAccountRow, sealedName } from './merchant.ts'

const anyAccount: Statement = {
  name: 'any_connector_account',
  text: 'select merchant_id, merchant_connector_id, sealed from connector_accounts limit 1',
}

const takeMode: Statement = { name: 'take_mode', text: 'update settings_version set mode = $1 where mode is null' }
const readMode: Statement = { name: 'read_mode', text: 'select mode from settings_version' }

/**
 * Is this the mode in which the database was first started? It is written then, and holds for good: live keys must
 * take no payments that are only played, and test keys none that are real. Throws
 * `Misconfigured`.
 */
export async function checkMode(context: Pick<Context, 'query'>, mode: 'test' | 'live'): Promise<void> {
  await context.query(takeMode, [mode])
  const [row] = await context.query<{ mode: string }>(readMode, [])
  if (row && row.mode !== mode)
    throw new Misconfigured(
      `MODE is ${mode}, but this database belongs to a deployment with MODE ${row.mode}. Set MODE=${row.mode}, or set DATABASE_URL to another database.`,
    )
}

/**
 * Are these the keys with which the database was written? What it holds of credentials shows it. With others no
 * merchant could be served, no API key would be known, and the same body would be taken for another one. Throws
 * `Misconfigured`; `source` is where the keys came from.
 */
export async function checkKeys(context: Context, source: string): Promise<void> {
  const [row] = await context.query<Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id' | 'sealed'>>(anyAccount, [])
  if (!row) return
  try {
    context.vault.open(row.merchant_id, sealedName(row.merchant_connector_id), row.sealed)
  } catch {
    throw new Misconfigured(
      `${source} does not contain the keys that this database was encrypted with. Restore those keys, or set DATABASE_URL to an empty database.`,
    )
  }
}
