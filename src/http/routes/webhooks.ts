import { findAccountCalled } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { receiveWebhook } from '../../operations/webhook.ts'
import { endpoint, room } from '../endpoint.ts'

export const webhookRoutes = room(
  'Webhooks',
  'Webhooks from processors. Configure the URL of each connector account at its processor; no other client calls it.',
  [
    endpoint({
      at: 'POST /webhooks/{merchant_id}/{merchant_connector_id}',
      name: 'receiveWebhook',
      title: 'Receive a webhook',
      does: "Receives a processor's webhook and verifies its signature over the raw body. The connector's name can replace the account id if the merchant has a single account with that connector.",
      takes: 'nothing',
      answers: 'nothing',
      refuses: ['webhook_unverified', 'webhook_unknown'],
      rawBody: true,
      run: async ({ service, context, services, path, raw, headers }) => {
        const merchant = (await service.settings.merchant(path.merchant_id)) ?? refuse('webhook_unknown')
        const { merchant_connector_id: id } = findAccountCalled(merchant, path.merchant_connector_id) ?? refuse('webhook_unknown')
        await receiveWebhook({ context: { ...context, by: `webhook ${id}` }, services, merchant }, id, raw, headers)
        service.watch.accounts.webhook(merchant.merchant_id, id, context.now())
        return { empty: true }
      },
    }),
  ],
)
