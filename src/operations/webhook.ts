import { converseAbout } from '../accounts/converse-about.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { reportArrived } from '../accounts/report-fetches.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import type { Update } from '../connectors/port.ts'
import { forLog, withoutCard } from '../connectors/redaction/card-numbers.ts'
import { keepReturn } from './customer-return.ts'
import { type Destination, findOperation, mayStillTurnUp, type Operation } from './operation.ts'
import { pollNow } from './poll.ts'
import { askIfGenuine } from './query-limits.ts'
import { findByIdentifiers } from './references.ts'
import { receiveOutcome, receiveReferences } from './sync.ts'
import { receiveDispute } from './unmatched-disputes.ts'
import { aggregateOf, type Call } from './verb.ts'

/**
 * Receives a processor's webhook: verifies the raw bytes by the account's secret or by asking the processor (refuses
 * WE_01; IR_06 if it is too large), then applies each piece of news like any other. News of unknown operations is
 * dropped: a valid webhook is always acknowledged, also twice. News without a result makes the poll due.
 */
export async function receiveWebhook(
  call: Call,
  merchant_connector_id: string,
  raw: Buffer,
  headers: Record<string, string | string[] | undefined>,
  address: string,
): Promise<void> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  const { account, connector_name } = findConnectorAccount(merchant, merchant_connector_id) ?? refuse('webhook_unknown')
  const webhook = connectors[connector_name]?.webhook ?? refuse('webhook_unknown')
  if (raw.length > webhook.largest) refuse('unreadable', { field: null, problem: `The webhook is larger than ${webhook.largest} bytes` })
  const single = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
  const verdict = webhook.verify(raw, single, account, context.now())
  // Without a successful lookup the webhook is not accepted: the processor will send it again.
  const isVerified =
    typeof verdict === 'boolean'
      ? verdict
      : await askIfGenuine(call.services, context, merchant_connector_id, address, () =>
          converseAbout(context, { merchant_id, merchant_connector_id }, account, verdict, () => false),
        )
  if (!isVerified) refuse('webhook_unverified')
  for (const update of webhook.read(raw)) await receiveUpdate(call, { connector_name, merchant_connector_id }, update)
}

/**
 * Applies one piece of news. `from`: a list names the payments of other systems too, so an unknown one is no warning.
 */
export async function receiveUpdate(
  call: Call,
  account: Destination,
  update: Update,
  from: 'a webhook' | 'a list' = 'a webhook',
): Promise<void> {
  if (update.is === 'dispute') return receiveDispute(call, account, update.news)
  const { context, merchant } = call
  const { merchant_id } = merchant
  const { merchant_connector_id } = account
  if (update.is === 'report') return void (await reportArrived(context, { merchant_id, merchant_connector_id }, update.report))
  const operations = await findByIdentifiers(call, merchant_connector_id, update.of)
  if (operations.length === 0 && update.is === 'outcome' && update.otherwise) return receiveUpdate(call, account, update.otherwise, from)
  if (operations.length === 0 && from === 'a webhook')
    context.log.warn(
      { merchant_id, merchant_connector_id, names: forLog(update.of, context.vault) },
      'a webhook refers to an unknown operation',
    )
  for (const operation of operations) {
    // An authorization without its result is asked about as such: what moved since is in its result.
    if (update.is === 'payment' && mayStillTurnUp(operation) && connectors[operation.connector]?.read_payment)
      await pollNow(call, operation)
    else if (update.is === 'payment') await receiveReport(call, operation, operations, update.report)
    else if (update.is === 'references') await receiveReferences(call, operation, update.references)
    else if (update.is === 'return') {
      await keepReturn(context, merchant_id, operation.request_id, update.parameters.screened(withoutCard))
      await pollNow(call, operation)
    }
    // If one reference identifies several operations, each of them is queried at the processor.
    else if (update.outcome === 'ask' || operations.length > 1) await pollNow(call, operation)
    else await receiveOutcome(call, operation, update.outcome)
  }
}

/** A processor may name a payment by one of its captures, or by a reference that other operations have too. */
async function receiveReport(
  call: Call,
  operation: Operation,
  among: readonly Operation[],
  report: Extract<Update, { is: 'payment' }>['report'],
): Promise<void> {
  const { acts_on, object_id } = operation
  if (acts_on !== null && among.some(one => one.object_id === object_id && one.n === acts_on)) return
  const authorization = acts_on === null ? operation : await findOperation(call.context, operation, acts_on)
  if (authorization) await aggregateOf(call.services, authorization).reported?.(call, authorization, report)
}
