import { refuse } from '../base/refusal.ts'
import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import type { SettledAccount } from './tables.ts'

const byId = statement(
  'settlement_connector_account',
  'select merchant_id, merchant_connector_id, profile_id, connector_name from connector_accounts where merchant_id = $1 and merchant_connector_id = $2',
)
const ofMerchant = statement(
  'settlement_connector_accounts',
  `select merchant_id, merchant_connector_id, profile_id, connector_name from connector_accounts
    where merchant_id = $1 and ($2::text[] is null or profile_id = any($2)) order by merchant_connector_id`,
)

/** Refuses (HE_02) an unknown account, and one of a profile that the caller does not see. */
export async function needAccount(
  context: Reads,
  merchant_id: string,
  merchant_connector_id: string,
  profiles: readonly string[] | null = null,
): Promise<SettledAccount> {
  const [found] = await context.query<SettledAccount>(byId, [merchant_id, merchant_connector_id])
  return found && (profiles?.includes(found.profile_id) ?? true)
    ? found
    : refuse('not_found', { what: 'connector account', id: merchant_connector_id })
}

export const accountsOf = (context: Reads, merchant_id: string, profiles: readonly string[] | null): Promise<SettledAccount[]> =>
  context.query<SettledAccount>(ofMerchant, [merchant_id, profiles])
