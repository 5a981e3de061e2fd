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
 * Checks that the mode is the one in which the database was first used. The first start stores the mode for good,
 * because live keys must not accept simulated payments, and test keys no real ones. Throws `Misconfigured`.
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
 * Checks that the database was encrypted with these keys, by decrypting the credentials of one connector account. With
 * other keys, no merchant could be served, no API key would be recognized, and a repeated request body would not match
 * its digest. Throws `Misconfigured`; `source` names the origin of the keys.
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
