import { findConnectorAccount } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { hear } from './ask.ts'
import { findOperationByRequest } from './operation.ts'
import type { Call } from './verb.ts'

/**
 * A processor's webhook. Verified over the raw bytes with the account's secret (WE_01 if not), then each piece of news in it goes where all news goes. News of operations that are not
 * this account's is dropped: a valid webhook is always acknowledged, twice as well as once.
 */
export async function receiveWebhook(
  call: Call,
  merchant_connector_id: string,
  raw: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<void> {
  const { world, merchant } = call
  const account = findConnectorAccount(merchant, merchant_connector_id) ?? refuse('webhook_unknown')
  const webhook = connectors[account.connector_name]?.webhook ?? refuse('webhook_unknown')
  const single = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
  if (!webhook.verify(raw, single, account.account, world.now())) refuse('webhook_unverified')
  for (const { request_id, outcome } of webhook.read(raw)) {
    const operation = await findOperationByRequest(world, merchant.merchant_id, request_id)
    if (operation?.merchant_connector_id === merchant_connector_id) await hear(call, operation, outcome)
    else
      world.log.warn(
        { merchant_id: merchant.merchant_id, merchant_connector_id, request_id },
        'a webhook speaks of an operation that is not ours',
      )
  }
}
