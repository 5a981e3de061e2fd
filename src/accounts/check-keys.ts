import { Misconfigured } from '../base/misconfigured.ts'
import type { Statement, World } from '../world.ts'
import { type ConnectorAccountRow, sealedName } from './merchant.ts'

const anyAccount: Statement = {
  name: 'any_connector_account',
  text: 'select merchant_id, merchant_connector_id, sealed from connector_accounts limit 1',
}

/**
 * Are these the keys with which the database was written? What it holds of credentials shows it. With others no merchant could be served, no API key would be known, and the same body would be
 * taken for another one. Throws `Misconfigured`; `source` is where the keys came from.
 */
export async function checkKeys(world: World, source: string): Promise<void> {
  const [row] = await world.query<Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id' | 'sealed'>>(anyAccount, [])
  if (!row) return
  try {
    world.vault.open(row.merchant_id, sealedName(row.merchant_connector_id), row.sealed)
  } catch {
    throw new Misconfigured(
      `${source} does not hold the keys with which this database was written. Bring those back, or let DATABASE_URL name an empty one.`,
    )
  }
}
