import { converseAbout, noAnswer } from '../accounts/converse-about.ts'
import { type ConnectorAccount, findConnectorAccount } from '../accounts/merchant.ts'
import { type AccountWatch, accountWatches } from '../accounts/watches.ts'
import { between, DAY_MS, HOUR_MS, later, MINUTE_MS } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { Changes, Port } from '../connectors/port.ts'
import type { Reads, Time } from '../context.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { Call, JobContext } from '../operations/verb.ts'
import { receiveUpdate } from '../operations/webhook.ts'
import { latestPayments, sweepPayments, sweepPayouts } from './sweep.ts'

/**
 * Looks for changes of which no webhook told us. The cost is bounded for each account: a look reads `MOST_PAGES` pages
 * of the processor's list of changes and asks about some single payments (`sweep.ts`), each hour, or every ten minutes
 * while webhooks of the account are missing.
 */
const MOST_PAGES = 10
const USUALLY_MS = HOUR_MS
const WITHOUT_WEBHOOKS_MS = 10 * MINUTE_MS
const NEXT_PAGES_MS = MINUTE_MS
const WITHOUT_PAYMENTS_MS = DAY_MS
const WEBHOOKS_MISSING_MS = DAY_MS
/** Longer than the questions of a look take at a slow processor. */
const LOOK_LASTS_MS = 30 * MINUTE_MS

/** The clocks of processors differ from ours, and their lists may be late. */
const OVERLAP_MS = 5 * MINUTE_MS

const dueWatches = claimed(accountWatches, {
  when: 'look_at',
  gives: ['merchant_id', 'merchant_connector_id'],
  asksProcessor: true,
  lease_ms: LOOK_LASTS_MS,
})

const find = statement('account_watch', select(accountWatches, 'where merchant_id = $1 and merchant_connector_id = $2'))
const forget = statement('forget_account_watch', 'delete from account_watches where merchant_id = $1 and merchant_connector_id = $2')
const write = statement(
  'write_account_watch',
  `update account_watches set look_at = $3, listed_until = $4, page = $5, page_until = $6, swept_to = $7, payouts_swept_to = $8
    where merchant_id = $1 and merchant_connector_id = $2`,
)
const lastWebhook = statement(
  'last_webhook_of_account',
  'select last_webhook_at from account_webhooks where merchant_id = $1 and merchant_connector_id = $2',
)

async function watch(
  { context, services, settings }: JobContext,
  job: Pick<AccountWatch, 'merchant_id' | 'merchant_connector_id'>,
): Promise<void> {
  const key = [job.merchant_id, job.merchant_connector_id]
  const [merchant, [found]] = await Promise.all([settings.merchant(job.merchant_id), context.query<AccountWatch>(find, key)])
  if (!found) return
  const account = merchant && findConnectorAccount(merchant, job.merchant_connector_id)
  const connector = connectors[found.connector]
  if (
    !merchant ||
    !account ||
    account.deleted_at !== null ||
    !connector ||
    !(connector.list_changes || connector.read_payment || connector.accepts.recipients)
  ) {
    await context.query(forget, key)
    return
  }
  const call: Call = { context, services, merchant }
  const isIdle = (await latestPayments(call, found, { limit: 1 })).length === 0 && connector.accepts.recipients === undefined
  if (isIdle) {
    const now = context.now()
    await context.query(write, [...key, later(now, WITHOUT_PAYMENTS_MS), now, null, null, null, null])
    return
  }
  const listed = connector.list_changes ? await readChanges(call, connector, account, found) : found
  // A look that only goes on with a list asks about no single payments.
  const isNew = found.page === null
  const swept_to = isNew ? await sweepPayments(call, connector, found) : found.swept_to
  const payouts_swept_to = isNew ? await sweepPayouts(call, connector, found) : found.payouts_swept_to
  const now = context.now()
  const pause = listed.page !== null ? NEXT_PAGES_MS : (await hearsWebhooks(context, key, now)) ? USUALLY_MS : WITHOUT_WEBHOOKS_MS
  await context.query(write, [...key, later(now, pause), listed.listed_until, listed.page, listed.page_until, swept_to, payouts_swept_to])
}

async function hearsWebhooks(context: Reads, key: unknown[], now: Time): Promise<boolean> {
  const [heard] = await context.query<{ last_webhook_at: Time }>(lastWebhook, key)
  return heard !== undefined && between(heard.last_webhook_at, now) < WEBHOOKS_MISSING_MS
}

type Listed = Pick<AccountWatch, 'listed_until' | 'page' | 'page_until'>

/** Reads the list of changes where it was left, and receives each as a webhook. A silent processor is asked again. */
async function readChanges(call: Call, connector: Port, { account }: ConnectorAccount, found: AccountWatch): Promise<Listed> {
  const { context, merchant } = call
  const { merchant_connector_id } = found
  const now = context.now()
  const kept_ms = connector.accepts.tells?.changes_kept_ms ?? Number.POSITIVE_INFINITY
  if (between(found.listed_until, now) > kept_ms)
    context.log.warn(
      { merchant_id: merchant.merchant_id, merchant_connector_id },
      'the processor no longer lists all changes since the last look',
    )
  const until = found.page_until ?? now
  const since = later(found.listed_until, -OVERLAP_MS)
  const to = { connector_name: found.connector, merchant_connector_id }
  let { page } = found
  for (let i = 0; i < MOST_PAGES; i++) {
    const conversation = connector.list_changes!({ since, until, page }, account)
    const read = await converseAbout<Changes>(
      context,
      { merchant_id: merchant.merchant_id, merchant_connector_id },
      account,
      conversation,
      noAnswer,
    )
    if (read.is === 'unsupported') return { listed_until: until, page: null, page_until: null }
    if (read.is === 'unknown') return { listed_until: found.listed_until, page, page_until: page === null ? null : until }
    for (const update of read.updates) await receiveUpdate(call, to, update, 'a list')
    page = read.next
    if (page === null) return { listed_until: until, page: null, page_until: null }
  }
  return { listed_until: found.listed_until, page, page_until: until }
}

export const watchJob = scheduledJob(dueWatches, watch)
