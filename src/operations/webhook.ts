import { converseAbout } from '../accounts/converse-about.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { screened, suspecting, withoutCard } from '../connectors/screen.ts'
import { findCalled } from './names.ts'
import { pollNow } from './poll.ts'
import { keepReturn } from './returned.ts'
import { receiveOutcome, receiveReferences } from './sync.ts'
import { receiveDispute } from './unmatched-disputes.ts'
import type { Call } from './verb.ts'
import { asksOf } from './webhook-asks.ts'

/**
 * Receives a processor's webhook. Verifies the raw bytes with the account's secret, or by querying the processor
 * (refuses WE_01 if the verification fails, IR_06 a webhook that is larger than those of the connector), then applies
 * each piece of news like any other news. News of operations that are not this account's is dropped: a valid webhook is
 * always acknowledged, also if it arrives twice. News without a result makes the operation's poll due. Disputes are
 * handled apart (`receiveDispute`).
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
      : await asksOf(call.services)(context, merchant_connector_id, address, () =>
          converseAbout(context, { merchant_id, merchant_connector_id }, account, verdict, () => false),
        )
  if (!isVerified) refuse('webhook_unverified')
  for (const update of screened(webhook.read(raw), withoutCard(context.vault))) {
    if ('dispute' in update) {
      await receiveDispute(call, { connector_name, merchant_connector_id }, update)
      continue
    }
    const operations = await findCalled(call, merchant_connector_id, update.of)
    for (const operation of operations) {
      if ('learnt' in update) {
        await receiveReferences(call, operation, update.learnt)
        continue
      }
      if ('parameters' in update) {
        await keepReturn(context, merchant_id, operation.request_id, update.parameters)
        await pollNow(call, operation)
        continue
      }
      // If one reference identifies several operations, each of them is queried at the processor.
      if (update.outcome === 'ask' || operations.length > 1) await pollNow(call, operation)
      else await receiveOutcome(call, operation, update.outcome)
    }
    if (operations.length === 0) {
      const names = screened(update.of, suspecting(context.vault))
      context.log.warn({ merchant_id, merchant_connector_id, names }, 'a webhook refers to an unknown operation')
    }
  }
}
