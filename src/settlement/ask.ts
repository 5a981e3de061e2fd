import { DAY_MS, later } from '../base/time.ts'
import type { Update } from '../connectors/port.ts'
import { statement } from '../database/statement.ts'
import { findOperation, findOperationByRequest, type Operation } from '../operations/operation.ts'
import { findByIdentifiers } from '../operations/references.ts'
import type { Call } from '../operations/verb.ts'
import { receiveUpdate } from '../operations/webhook.ts'
import { ownerOf } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { findPayout, ownerOf as ownerOfPayout } from '../payouts/payout.ts'
import { indexReferencesOf } from './books.ts'
import { identifiersOf, updateOf } from './news.ts'
import { linesOf, rematched, settlementLineOf } from './rematch.ts'
import { type SettledAccount, type SettlementDifference, type StoredLine, settlementDifferences } from './tables.ts'

/** Of one account at once. */
export const MOST_ASKED = 50
/** Each new difference is asked about once in so long. */
const ASKED_EVERY_MS = DAY_MS
const ASKED_FOR_MS = 10 * DAY_MS

const causes = [...rematched, 'missing_there'].map(cause => `'${cause}'`).join(', ')

/** Taken before the processor is asked: a difference is asked about by one process, also if it dies. */
const takeToAsk = statement(
  'settlement_differences_to_ask',
  `update settlement_differences d set asked_at = $3 from (
      select difference_id from settlement_differences
        where merchant_id = $1 and merchant_connector_id = $2 and state = 'open' and cause in (${causes}) and created >= $5
          and (asked_at is null or asked_at <= $4) order by asked_at nulls first limit ${MOST_ASKED} for update skip locked) due
    where d.merchant_id = $1 and d.difference_id = due.difference_id
    returning ${settlementDifferences.names.map(name => `d.${name}`).join(', ')}`,
)

/** Finds the operation that a difference is about, or else the current authorization or payout that it belongs to. */
async function findSubject(
  call: Call,
  { merchant_id, merchant_connector_id }: SettledAccount,
  { subject_id, moved }: SettlementDifference,
  line: StoredLine | null,
): Promise<Operation | undefined> {
  const { context } = call
  const named = line
    ? (await findByIdentifiers(call, merchant_connector_id, identifiersOf(line)))[0]
    : moved === null
      ? undefined
      : await findOperationByRequest(context, merchant_id, moved)
  if (named || subject_id === null) return named
  const payment = await findPayment(context, merchant_id, subject_id)
  if (payment) return payment.authorization_n === null ? undefined : findOperation(context, ownerOf(payment), payment.authorization_n)
  const payout = await findPayout(context, merchant_id, subject_id)
  return payout && payout.payout_n !== null ? findOperation(context, ownerOfPayout(payout), payout.payout_n) : undefined
}

const asksProcessor = (update: Update): boolean =>
  (update.is === 'outcome' && update.outcome === 'ask') || (update.is === 'payment' && update.report === 'ask')

/**
 * Receives what differs between reports of an account and this service as news of the payments and payouts that it is
 * about, and has their processor asked. Returns how many differences there were.
 */
export async function askAboutDifferences(call: Call, account: SettledAccount): Promise<number> {
  const { context } = call
  const { merchant_id, merchant_connector_id, connector_name } = account
  const now = context.now()
  const differences = await context.query<SettlementDifference>(takeToAsk, [
    ...[merchant_id, merchant_connector_id, now, later(now, -ASKED_EVERY_MS), later(now, -ASKED_FOR_MS)],
  ])
  const lines = await linesOf(context, merchant_id, differences)
  const objects = new Set<string>()
  for (const difference of differences) {
    const line = lines.get(difference.difference_id) ?? null
    const operation = await findSubject(call, account, difference, line)
    if (operation?.merchant_connector_id !== merchant_connector_id) continue
    const update = updateOf(line && settlementLineOf(line), operation)
    // To ask about an object once is enough; of lines that count themselves each is news.
    const isAsked = objects.has(operation.object_id) && update !== null && asksProcessor(update)
    objects.add(operation.object_id)
    if (update && !isAsked) await receiveUpdate(call, { connector_name, merchant_connector_id }, update, 'a list')
  }
  await indexReferencesOf(context, account, [...objects])
  return differences.length
}
