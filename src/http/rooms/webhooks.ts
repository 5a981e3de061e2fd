import { refuse } from '../../base/refusal.ts'
import { receiveWebhook } from '../../operations/webhook.ts'
import { endpoint, room } from '../endpoint.ts'

export const webhooks = room(
  'Webhooks',
  'Where processors send their news. The address of each connector account is given to its processor; nobody else calls it.',
  [
    endpoint({
      method: 'POST',
      path: '/webhooks/{merchant_id}/{merchant_connector_id}',
      name: 'receiveWebhook',
      title: 'Receive a webhook',
      does: "Takes a processor's webhook; its signature is verified over the raw bytes.",
      takes: 'nothing',
      answers: 'nothing',
      refuses: ['webhook_unverified', 'webhook_unknown'],
      rawBody: true,
      run: async ({ service, world, here, path, raw, headers }) => {
        const merchant = (await service.settings.merchant(path.merchant_id)) ?? refuse('webhook_unknown')
        const id = path.merchant_connector_id
        await receiveWebhook({ world: { ...world, by: `webhook ${id}` }, here, merchant }, id, raw, headers)
        return { empty: true }
      },
    }),
  ],
)
