import { converseAbout, noAnswer } from '../accounts/converse-about.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { nextStep } from '../base/retry.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { DisputeRead, DisputeUpdate } from '../connectors/connector.ts'
import { forLog, type Unscreened, withoutCard } from '../connectors/redaction/card-numbers.ts'
import type { Context } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { bytes, json, type RowOf, select, table, text, time } from '../database/table.ts'
import type { Destination } from './operation.ts'
import { findByIdentifiers } from './references.ts'
import { aggregateOf, type Call, type JobContext } from './verb.ts'

/**
 * News of disputes without a known payment. The money of a dispute is gone already, so no news is lost: if the
 * processor cannot be queried, or the payment is not known yet, the news is tried again for a week. Then the dispute
 * is not ours: a processor account may serve other systems too.
 */
const unmatchedDisputes = table('unmatched_disputes', {
  key: ['merchant_id', 'merchant_connector_id', 'digest'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    /** The same news waits only once. */
    digest: text(),
    connector: text(),
    /** Null if the news contains a text that looks like a card number; whether it is one is not known yet. */
    news: json<News>().orNull({ of: [{ reference: 'pay_1' }], dispute: 'ask', reference: 'dp_1' } as News),
    sealed_news: bytes(({ digest }) => recordOf(String(digest))).orNull(),
    received_at: time(),
    look_at: time(),
  },
})
/** As stored: without its tag. */
type News = DisputeUpdate extends infer U ? (U extends unknown ? Omit<U, 'is'> : never) : never
type UnmatchedDispute = RowOf<typeof unmatchedDisputes>

export const unmatchedDisputeJobs = claimed(unmatchedDisputes, {
  when: 'look_at',
  gives: ['merchant_id', 'merchant_connector_id', 'digest'],
  asksProcessor: true,
})

/** When the news is tried again, counted from its receipt. After the last time it is discarded. */
const LOOK_AFTER_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 2 * DAY_MS, 4 * DAY_MS, 7 * DAY_MS]

const noteUnmatched = statement(
  'note_unmatched_dispute',
  `insert into unmatched_disputes (merchant_id, merchant_connector_id, digest, connector, news, sealed_news, received_at, look_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict do nothing`,
)
const find = statement(
  'unmatched_dispute',
  select(unmatchedDisputes, 'where merchant_id = $1 and merchant_connector_id = $2 and digest = $3'),
)
const lookAgain = statement(
  'look_again_at_unmatched_dispute',
  'update unmatched_disputes set look_at = $4 where merchant_id = $1 and merchant_connector_id = $2 and digest = $3',
)
const forget = statement(
  'forget_unmatched_dispute',
  'delete from unmatched_disputes where merchant_id = $1 and merchant_connector_id = $2 and digest = $3',
)

export async function receiveDispute(call: Call, to: Destination, received: Unscreened<DisputeUpdate>): Promise<void> {
  const { context, merchant } = call
  const { is: _, ...update } = received.screened(withoutCard)
  if ((await place(call, to, update)) !== 'later') return
  const now = context.now()
  const text = JSON.stringify(update)
  const digest = context.vault.digest('unmatched dispute', text)
  const kept: [string | null, Buffer | null] =
    forLog(update, context.vault) === update ? [text, null] : [null, context.vault.seal(merchant.merchant_id, recordOf(digest), text)]
  await context.query(noteUnmatched, [
    merchant.merchant_id,
    to.merchant_connector_id,
    digest,
    to.connector_name,
    ...kept,
    now,
    nextStep(LOOK_AFTER_MS, now, now),
  ])
}

const recordOf = (digest: string) => `unmatched_dispute ${digest}`
const updateOf = ({ vault }: Context, { merchant_id, digest, news, sealed_news }: UnmatchedDispute): News =>
  news ?? JSON.parse(vault.open(merchant_id, recordOf(digest), sealed_news!))

export async function matchDispute(
  { context, services, settings }: JobContext,
  job: Pick<UnmatchedDispute, 'merchant_id' | 'merchant_connector_id' | 'digest'>,
) {
  const { merchant_id, merchant_connector_id, digest } = job
  const key = [merchant_id, merchant_connector_id, digest]
  const [merchant, [unmatched]] = await Promise.all([settings.merchant(merchant_id), context.query<UnmatchedDispute>(find, key)])
  if (!unmatched) return
  const to = { connector_name: unmatched.connector, merchant_connector_id }
  const isPlaced =
    merchant === undefined ||
    merchant === null ||
    (await place({ context, services, merchant }, to, updateOf(context, unmatched))) !== 'later'
  const look_at = isPlaced ? null : nextStep(LOOK_AFTER_MS, unmatched.received_at, context.now())
  if (!isPlaced && look_at === null)
    context.log.warn({ merchant_id, merchant_connector_id }, 'a dispute notification for an unknown payment was discarded')
  if (look_at === null) await context.query(forget, key)
  else await context.query(lookAgain, [...key, look_at])
}

async function place(call: Call, to: Destination, update: News): Promise<'placed' | 'not ours' | 'later'> {
  const { context, services, merchant } = call
  const isAsked = update.dispute === 'ask' && update.of !== undefined
  if (isAsked && (await findByIdentifiers(call, to.merchant_connector_id, update.of!)).length === 0) return 'not ours'
  const found: DisputeRead =
    update.dispute === 'ask' ? await retrieveDispute(call, to, update.reference) : { is: 'dispute', of: update.of, dispute: update.dispute }
  if (found.is === 'unknown') return 'later'
  if (isAsked && found.is === 'not_found') return 'not ours'
  const of = found.is === 'dispute' ? found.of : []
  const [operation] = await findByIdentifiers(call, to.merchant_connector_id, of)
  if (operation && found.is === 'dispute') {
    await aggregateOf(services, operation).disputed?.(call, operation, found.dispute)
    return 'placed'
  }
  const names = forLog(of, context.vault)
  context.log.warn({ merchant_id: merchant.merchant_id, ...to, names }, 'a processor reported a dispute for an unknown payment')
  return of.length === 0 ? 'not ours' : 'later'
}

/** Asks the processor for the state of a dispute. The answer of a connector without such a query is `unknown`. */
export async function retrieveDispute(
  call: Call,
  { connector_name, merchant_connector_id }: Destination,
  reference: string,
): Promise<DisputeRead> {
  const { context, merchant } = call
  const account = findConnectorAccount(merchant, merchant_connector_id)?.account
  const conversation = account && connectors[connector_name]?.read_dispute?.(reference, account)
  if (!account || !conversation) return { is: 'unknown', why: `${connector_name} does not support dispute lookups` }
  const owner = { merchant_id: merchant.merchant_id, merchant_connector_id }
  return converseAbout<DisputeRead>(context, owner, account, conversation, noAnswer)
}
