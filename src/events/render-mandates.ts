import { platformOf } from '../accounts/platform.ts'
import { rowAt } from '../database/past-row.ts'
import { type Mandate, mandates } from '../payment-methods/mandate.ts'
import { findMethod } from '../payment-methods/method.ts'
import { findPayment } from '../payments/rows.ts'
import { showMandate } from '../show/mandate.ts'
import { eventBase, eventRenderer, type RenderScope } from './event-renderer.ts'

/** Renders events of mandates: the mandate as it was, its card as it is now. */
export const mandateEvents = eventRenderer<Mandate>({
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
