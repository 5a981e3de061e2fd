import { type Fetching, type SettlementFetch, settlementFetches } from '../accounts/report-fetches.ts'
import { refuse } from '../base/refusal.ts'
import { DAY_MS, later } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { Context, Reads, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { SettledAccount } from './tables.ts'

const byId = statement('settlement_fetch_of', select(settlementFetches, 'where merchant_id = $1 and merchant_connector_id = any($2)'))
const dueNow = statement(
  'settlement_fetch_now',
  `update settlement_fetches set fetch_at = $3, failures = 0 where merchant_id = $1 and merchant_connector_id = $2 and fetching = 'daily'`,
)

/** How far back reports are fetched at first. */
const FIRST_MS = 7 * DAY_MS

export const canFetch = (connector_name: string): boolean => connectors[connector_name]?.list_reports !== undefined

/** Finds whether and when the reports of these accounts are fetched. Accounts that never asked for it are left out. */
export const fetchesOf = (context: Reads, merchant_id: string, accounts: readonly SettledAccount[]): Promise<SettlementFetch[]> =>
  context.query<SettlementFetch>(byId, [merchant_id, accounts.map(one => one.merchant_connector_id)])

/**
 * Has an account's reports fetched daily and now, or no longer. `from`: the time since which reports are wanted.
 * Refuses (IR_16) an account whose processor gives none.
 */
export async function setFetching(
  context: Pick<Context, 'query' | 'commit' | 'now' | 'by'>,
  account: SettledAccount,
  fetching: Fetching,
  from?: Time,
): Promise<SettlementFetch> {
  const { merchant_id, merchant_connector_id, profile_id, connector_name: connector } = account
  if (!canFetch(connector)) refuse('precondition', { problem: `Reports of ${connector} cannot be fetched: upload them` })
  const now = context.now()
  const [before = null] = await fetchesOf(context, merchant_id, [account])
  const first = { fetch_at: null, page: null, failures: 0, problem: null, fetched_at: null, version: 1 }
  const from_time = from ?? before?.from_time ?? later(now, -FIRST_MS)
  const fixed = { merchant_id, merchant_connector_id, profile_id, connector }
  const isRestarted = before !== null && from_time < before.from_time
  const listing = before === null || isRestarted ? { listed_until: from_time, page: null } : {}
  const after: SettlementFetch = {
    ...{ ...fixed, ...first, listed_until: from_time, ...before, ...listing },
    ...{ fetching, from_time, ...(fetching === 'off' && { fetch_at: null, problem: null }) },
  }
  const written = await context.commit(
    changeTo(context, settlementFetches.name, { before, after }, fetching === 'daily' ? 'fetched' : 'not_fetched'),
  )
  if (written.is === 'conflict') refuse('busy')
  await context.query(dueNow, [merchant_id, merchant_connector_id, now])
  return (await fetchesOf(context, merchant_id, [account]))[0]!
}
