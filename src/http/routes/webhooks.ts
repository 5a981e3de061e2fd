import { findAccountCalled } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { receiveWebhook } from '../../operations/webhook.ts'
import { anyone } from '../auth.ts'
import { alias, endpoint, tagged } from '../endpoint.ts'

const received = endpoint('POST /webhooks/{merchant_id}/{merchant_connector_id}', 'receiveWebhook', {
  title: 'Receive a webhook',
  description:
    "Receives a processor's webhook and verifies its signature over the raw body. The connector's name can replace the account id if the merchant has a single account with that connector.",
  auth: anyone,
  answers: 'nothing',
  errors: ['webhook_unverified', 'webhook_unknown', 'unreadable'],
  rawBody: true,
  run: async ({ service, context, services, path, raw, headers, address }) => {
    const merchant = (await service.settings.merchant(path.merchant_id)) ?? refuse('webhook_unknown')
    const { merchant_connector_id: id } = findAccountCalled(merchant, path.merchant_connector_id) ?? refuse('webhook_unknown')
    await receiveWebhook({ context: { ...context, by: `webhook ${id}` }, services, merchant }, id, raw, headers, address)
    service.watch.accounts.webhook(merchant.merchant_id, id, context.now())
    return { empty: true }
  },
})

/** The same by another method: the ecosystem's address takes PUT and GET as well (contract 8). */
const receivedBy = (method: 'PUT' | 'GET', name: string) =>
  alias(received, `${method} /webhooks/{merchant_id}/{merchant_connector_id}`, name, {
    title: `Receive a webhook (${method})`,
    description: 'Same as POST, for processors that send webhooks by this method.',
  })

export const webhookRoutes = tagged(
  'Webhooks',
  'Webhooks from processors. Configure the URL of each connector account at its processor; no other client calls it.',
  { confidential: 'personal data', sdk: ['webhooks', 'Webhook'] },
  [received, receivedBy('PUT', 'putWebhook'), receivedBy('GET', 'getWebhook')],
)
