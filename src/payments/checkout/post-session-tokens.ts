import Type, { type Static } from 'typebox'
import { converseAbout, noAnswer } from '../../accounts/converse-about.ts'
import { newRequestId } from '../../base/id.ts'
import { refuse } from '../../base/refusal.ts'
import { shortText } from '../../base/shapes.ts'
import { connectors } from '../../connectors/all.ts'
import type { Ordered } from '../../connectors/connector.ts'
import { familyNamed } from '../../instruments/families.ts'
import { decide } from '../../routing/decide.ts'
import { accountsFor, whyNone } from '../../routing/eligible.ts'
import { checkConfirmable } from '../authorization/retry-target.ts'
import { checkInstrument, needStatus } from '../check.ts'
import { fields } from '../fields/all.ts'
import { captureModeOf, type Payment } from '../payment.ts'
import { clientSecret } from '../request-shapes.ts'
import { routingContextOf } from '../routing/routing-context.ts'
import { changePayment, moved, needPayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'

/** The shape of the request. Checkouts send most of a confirm's members with it, which are ignored. */
export const postSessionTokensShape = Type.Object({
  payment_id: Type.Optional(shortText),
  client_secret: Type.Optional(clientSecret),
  payment_method: fields.payment_method.shape,
  payment_method_type: fields.payment_method_type.shape,
})
export type PostSessionTokensAsk = Static<typeof postSessionTokensShape>

/**
 * Creates an order at a processor for a wallet that needs one: the checkout opens the wallet with the order's id, which
 * comes with the confirm. No money moves. A confirm with this wallet is sent only to the order's account. Refuses
 * (IR_16) a payment that can no longer be confirmed, (IR_20) a processor without orders, (HE_00) one that does not
 * answer.
 */
export async function postSessionTokens(
  call: UseCaseCall,
  payment_id: string,
  { payment_id: named = payment_id, payment_method, payment_method_type }: PostSessionTokensAsk,
): Promise<Payment> {
  const { context, merchant, services } = call
  if (named !== payment_id) refuse('unacceptable', { field: 'payment_id', problem: 'does not match the one in the path' })
  const check = (payment: Payment) => {
    needStatus(payment, 'post_session_tokens', 'create an order for')
    checkConfirmable(merchant, payment, context.now(), true)
  }
  checkInstrument({ payment_method, payment_method_type })
  const payment = await needPayment(context, merchant.merchant_id, payment_id)
  check(payment)
  const { ordered: _before, ...request } = payment.request
  const family = familyNamed(payment_method)?.is ?? null
  const routingContext = {
    ...routingContextOf({ ...payment, request: { ...request, payment_method, payment_method_type }, card: null }),
    family,
  }
  const { order } = decide(merchant, routingContext, services.health.look(merchant, routingContext))
  const [first] = order
  if (!first) return refuse('no_connector', { why: whyNone(accountsFor(merchant, routingContext), routingContext) })
  const found = order.find(({ connector_name }) => connectors[connector_name]?.accepts.orders?.includes(payment_method_type))
  if (!found) return refuse('flow_not_supported', { flow: 'creating an order before payment', connector: first.connector_name })
  const { merchant_connector_id, connector_name } = found
  const money = { amount: payment.net_amount, currency: payment.currency }
  const conversation = connectors[connector_name]!.order!(
    { request_id: newRequestId(context), money, type: payment_method_type, capture: captureModeOf(payment) },
    found.account,
  )
  const reply = await converseAbout<Ordered>(
    context,
    { merchant_id: merchant.merchant_id, merchant_connector_id },
    found.account,
    conversation,
    noAnswer,
  )
  if (reply.is === 'unknown')
    refuse('unavailable', { problem: `${connector_name} did not create an order (${reply.why}); nothing was charged` })
  if (reply.is === 'refused') refuse('precondition', { problem: `${connector_name} did not create an order: ${reply.message}` })
  const { payment: written } = await changePayment(call, payment_id, before => {
    check(before)
    const ordered = { payment_method_type, merchant_connector_id, order_id: reply.id }
    const after: Payment = { ...before, request: { ...before.request, ordered }, modified_at: context.now() }
    return { change: moved(context, before, after, 'order_made') }
  })
  return written
}
