import { refuse } from '../../base/refusal.ts'
import { informed, maskedOf, readInstrument } from '../../instruments/input.ts'
import { decide } from '../../routing/decide.ts'
import { accountsFor, whyNone } from '../../routing/eligible.ts'
import { mustNotPay, sentenceFor } from '../authorization/blocked.ts'
import { needPayment } from '../begin-on-payment.ts'
import { checkInstrument, refuseStatus } from '../check.ts'
import { allowedStatuses } from '../lifecycle.ts'
import { cardOf, type Payment } from '../payment.ts'
import type { CreateBody, EligibilityAsk } from '../request-shapes.ts'
import { routingContextOf } from '../routing/routing-context.ts'
import type { UseCaseCall } from '../services.ts'
import { requestWith, savedBy } from '../stored-credentials/saved-instrument.ts'
import type { PaymentCaller } from '../terms.ts'
import { shortBalance } from './gift-card-balance.ts'

/** `deny`: why the instrument cannot pay; null if it can. `card_networks`: of a card with several, to choose from. */
export type Eligibility = { payment: Payment; deny: string | null; card_networks: readonly string[] | null }

/**
 * Checks whether the instrument that a checkout has collected can pay. Nothing is sent, stored or counted, except a
 * request for a gift card's balance; a confirm checks again. Refuses (IR_16) a payment that cannot be confirmed, and an
 * invalid instrument by its fields.
 */
export async function checkEligibility(
  call: UseCaseCall,
  payment_id: string,
  ask: EligibilityAsk,
  caller: PaymentCaller,
): Promise<Eligibility> {
  const { context, merchant, services } = call
  const payment = await needPayment(context, merchant.merchant_id, payment_id)
  if (!allowedStatuses.eligibility.includes(payment.status)) refuseStatus(payment, 'confirm', allowedStatuses.eligibility)
  const { payment_method_type: payment_method, payment_method_subtype, payment_token } = ask
  const payment_method_data = wholeCard(ask)
  const meant = {
    payment_method,
    ...(payment_method_data && { payment_method_data }),
    ...(payment_method_subtype && { payment_method_type: payment_method_subtype }),
  }
  checkInstrument(meant)
  const request = { ...payment.request, payment_method, ...(payment_token !== undefined && { payment_token }) }
  const sent = readInstrument(meant, context.now())
  const saved = await savedBy(call, payment, { request, input: sent, card_cvc: undefined })
  const input = (await informed(context, saved ?? sent)) ?? refuse('missing', { field: 'payment_method_data' })
  const card = maskedOf(context.vault, merchant.merchant_id, input)
  const paid: Payment = { ...payment, request: requestWith(request, saved), card }
  const card_networks = cardOf(paid)?.card_networks ?? null
  const whyNot = await mustNotPay(context, merchant, paid, input.instrument)
  if (whyNot !== null) return { payment, card_networks, deny: sentenceFor[whyNot === 'listed' ? 'unknown' : whyNot] }
  const routingContext = routingContextOf(paid, input.instrument)
  const [first] = decide(merchant, routingContext, services.health.look(merchant, routingContext)).order
  const deny = first
    ? await shortBalance(call, paid, input.instrument, first, caller)
    : whyNone(accountsFor(merchant, routingContext), routingContext)
  return { payment, card_networks, deny }
}

type PaymentMethodData = NonNullable<CreateBody['payment_method_data']>

/** Completes a card of which only the number was typed so far with an expiry in the far future. */
function wholeCard({ payment_method_data }: EligibilityAsk): PaymentMethodData | undefined {
  if (!payment_method_data?.card) return payment_method_data as PaymentMethodData | undefined
  return { ...payment_method_data, card: { card_exp_month: '12', card_exp_year: '2199', ...payment_method_data.card } }
}
