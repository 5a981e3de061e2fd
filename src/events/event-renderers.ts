import { platformOf } from '../accounts/platform.ts'
import { type WebhookEndpointState, webhookEndpointStates } from '../accounts/webhook-endpoint.ts'
import { rowAt } from '../database/past-row.ts'
import { findOperationsOf, type Operation, operations } from '../operations/operation.ts'
import { type Mandate, mandates } from '../payment-methods/mandate.ts'
import { findMethod } from '../payment-methods/method.ts'
import { findPayment } from '../payments/rows.ts'
import { findPayout, PAYOUT, type Payout, payouts } from '../payouts/payout.ts'
import { showMandate } from '../show/mandate.ts'
import { showPayout } from '../show/payout.ts'
import { type EventRenderer, eventBase, eventRenderer, type RenderScope } from './event-renderer.ts'
import { paymentEvents } from './render-payments.ts'

const payoutEvents = eventRenderer<Payout, Map<string, Operation[]>>({
  table: payouts,
  beside: ({ context, merchant }, ids) => findOperationsOf(context, merchant.merchant_id, PAYOUT, ids),
  payloadOf({ merchant, publicUrl }, now, all, change, asked) {
    const payout = rowAt(payouts, now, payouts, all, change.version)!
    const then = (asked.get(now.payout_id) ?? [])
      .map(one => rowAt(operations, one, payouts, all, change.version))
      .filter(one => one !== null)
    return {
      ...eventBase(change, payout.profile_id, payout.request.platform_merchant_id ?? null),
      object: showPayout(merchant, payout, { publicUrl, audience: 'server', operations: then }),
      status: payout.status,
    }
  },
  listedBy: findPayout,
})

/** Renders events of mandates: the mandate as it was, its card as it is now. */
const mandateEvents = eventRenderer<Mandate>({
  table: mandates,
  async payloadOf(scope, now, all, change) {
    const mandate = rowAt(mandates, now, mandates, all, change.version)!
    const method = await findMethod(scope.context, now.merchant_id, now.payment_method_id)
    const platform = await platformOfMandate(scope, now)
    return { ...eventBase(change, mandate.profile_id, platform), object: showMandate(mandate, method), status: null }
  },
})

async function platformOfMandate({ context, merchant }: RenderScope, { payment_id }: Mandate): Promise<string | null> {
  if (platformOf(merchant) === null) return null
  const payment = await findPayment(context, merchant.merchant_id, payment_id)
  return payment?.request.platform_merchant_id ?? null
}

const endpointEvents = eventRenderer<WebhookEndpointState>({
  table: webhookEndpointStates,
  payloadOf(_scope, now, all, change) {
    const state = rowAt(webhookEndpointStates, now, webhookEndpointStates, all, change.version)!
    const { endpoint_id, url, failing_since, disabled_at, disabled_reason } = state
    const object = { endpoint_id, url, failing_since, disabled_at, disabled_reason }
    return { ...eventBase(change, state.profile_id, null), object, status: null }
  },
})

/** The kinds of objects with events. Rendering, searching and listing events use this list. */
export const eventRenderers: readonly EventRenderer[] = [paymentEvents, payoutEvents, mandateEvents, endpointEvents]
