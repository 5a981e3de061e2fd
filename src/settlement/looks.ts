import { findConnectorAccount } from '../accounts/merchant.ts'
import { DAY_MS, later, MINUTE_MS } from '../base/time.ts'
import type { Context, Reads, Time } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { JobContext } from '../operations/verb.ts'
import { needAccount } from './account.ts'
import { askAboutDifferences, MOST_ASKED } from './ask.ts'
import { finishLeft } from './finish-left.ts'
import { takeAccount } from './lease.ts'
import { findMissingThere, rematch } from './rematch.ts'
import { type SettledAccount, type SettlementLook, settlementLooks } from './tables.ts'

/** After a look that asked about as many differences as it may, or that found new ones. */
const MORE_MS = MINUTE_MS
/** Answers change payments by then: the lines that differed are matched again. */
const ANSWERED_MS = 10 * MINUTE_MS
const USUALLY_MS = DAY_MS
/** While a report of the account is read. */
const TAKEN_MS = 2 * MINUTE_MS

export const dueSettlementLooks = claimed(settlementLooks, {
  when: 'look_at',
  gives: ['merchant_id', 'merchant_connector_id'],
  asksProcessor: true,
  lease_ms: 5 * MINUTE_MS,
})

const find = statement('settlement_look_due', select(settlementLooks, 'where merchant_id = $1 and merchant_connector_id = $2'))
const sooner = statement(
  'settlement_look_sooner',
  `insert into settlement_looks (merchant_id, merchant_connector_id, connector, look_at) values ($1, $2, $3, $4)
    on conflict (merchant_id, merchant_connector_id) do update set look_at = least(settlement_looks.look_at, excluded.look_at)`,
)
const next = statement(
  'settlement_look_next',
  'update settlement_looks set look_at = $3 where merchant_id = $1 and merchant_connector_id = $2 and look_at = $4',
)
const forget = statement('forget_settlement_look', 'delete from settlement_looks where merchant_id = $1 and merchant_connector_id = $2')

/** Has an account looked at by then: its differences, and what a process that dies meanwhile leaves. */
export const lookBy = async (
  context: Reads,
  { merchant_id, merchant_connector_id, connector_name }: SettledAccount,
  at: Time,
): Promise<void> => void (await context.query(sooner, [merchant_id, merchant_connector_id, connector_name, at]))

/** Asks about what differs, matches it again, and finds what the processor should have reported by now. */
export async function lookAtAccount(
  { context, services, settings }: JobContext,
  job: Pick<SettlementLook, 'merchant_id' | 'merchant_connector_id'>,
): Promise<void> {
  const key = [job.merchant_id, job.merchant_connector_id]
  const [merchant, [found]] = await Promise.all([settings.merchant(job.merchant_id), context.query<SettlementLook>(find, key)])
  if (!found) return
  const connection = merchant && findConnectorAccount(merchant, job.merchant_connector_id)
  if (!merchant || !connection || connection.deleted_at !== null) {
    await context.query(forget, key)
    return
  }
  const account = await needAccount(context, job.merchant_id, job.merchant_connector_id)
  const asked = await askAboutDifferences({ context, services, merchant }, account)
  const missing = await matchAgain(context, account)
  const pause = missing === null ? TAKEN_MS : missing > 0 || asked === MOST_ASKED ? MORE_MS : asked > 0 ? ANSWERED_MS : USUALLY_MS
  await context.query(next, [...key, later(context.now(), pause), found.look_at])
}

/** Returns how many movements are late that were not yesterday; null while a report of the account is read. */
async function matchAgain(context: Context, account: SettledAccount): Promise<number | null> {
  const lease = await takeAccount(context, account)
  if (!lease) return null
  try {
    await finishLeft(context, account)
    await rematch(context, account, lease.closed_through)
    return await findMissingThere(context, account)
  } finally {
    await lease.release()
  }
}
