import { newId } from '../base/id.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type SettledAccount, type SettlementAccount, settlementAccounts } from './tables.ts'

/** For how long a reader keeps an account without writing anything. */
const LEASE_MS = 60_000

const byId = statement('settlement_account_by_id', select(settlementAccounts, 'where merchant_id = $1 and merchant_connector_id = $2'))
const take = statement(
  'settlement_account_take',
  `update settlement_accounts set lease_by = $3, lease_until = $4 where merchant_id = $1 and merchant_connector_id = $2
    and (lease_by is null or lease_by = $3 or lease_until < $5) returning ${settlementAccounts.names.join(', ')}`,
)
const release = statement(
  'settlement_account_release',
  'update settlement_accounts set lease_by = null, lease_until = null where merchant_id = $1 and merchant_connector_id = $2 and lease_by = $3',
)

type Writes = Pick<Context, 'query' | 'commit' | 'now' | 'by'>
type Name = Pick<SettledAccount, 'merchant_id' | 'merchant_connector_id'>

/** Returns the state of an account's settlement; makes it if it is the first time. */
export async function settlementAccount(context: Writes, { merchant_id, merchant_connector_id }: Name): Promise<SettlementAccount> {
  const found = async () => (await context.query<SettlementAccount>(byId, [merchant_id, merchant_connector_id]))[0]
  const known = await found()
  if (known) return known
  const after = { merchant_id, merchant_connector_id, version: 1, closed_through: null, lease_by: null, lease_until: null }
  const written = await context.commit(changeTo(context, settlementAccounts.name, { before: null, after }, 'created'))
  return written.is === 'written' ? written.row : (await found())!
}

export type Lease = SettlementAccount & { lease_by: string; until(): string; release(): Promise<void> }

/** Takes an account for one reader; null while another has it. */
export async function takeAccount(context: Writes & Pick<Context, 'random'>, account: Name): Promise<Lease | null> {
  const { merchant_id, merchant_connector_id } = await settlementAccount(context, account)
  const lease_by = newId(context, 'rdr_')
  const until = () => later(context.now(), LEASE_MS)
  const values = [merchant_id, merchant_connector_id, lease_by]
  const [taken] = await context.query<SettlementAccount>(take, [...values, until(), context.now()])
  if (!taken) return null
  return {
    ...taken,
    lease_by,
    until,
    release: async () => void (await context.query(release, values)),
  }
}
