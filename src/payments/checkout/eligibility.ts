import { converseAbout, noAnswer } from '../../accounts/converse-about.ts'
import type { ConnectorAccount } from '../../accounts/merchant.ts'
import { newRequestId } from '../../base/id.ts'
import { decimalOf } from '../../base/money.ts'
import { networkOfAddress } from '../../base/network.ts'
import { refuse } from '../../base/refusal.ts'
import { connectors } from '../../connectors/all.ts'
import type { GiftCardBalance } from '../../connectors/connector.ts'
import { isOther, type PaymentInstrument } from '../../connectors/instrument.ts'
import { failedTry } from '../../guard/card-testing-counters.ts'
import { informed, maskedOf, readInstrument } from '../../instruments/input.ts'
import { decide } from '../../routing/decide.ts'
import { accountsFor, whyNone } from '../../routing/eligible.ts'
import { blockReason, sentenceFor } from '../authorization/blocked.ts'
import { tryOf } from '../authorization/card-testing-tries.ts'
import { checkInstrument, needStatus } from '../check.ts'
import { cardOf, type Payment } from '../payment.ts'
import type { CreateBody, EligibilityAsk } from '../request-shapes.ts'
import { routingContextOf } from '../routing/routing-context.ts'
import { moved, needPayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { requestWith, savedBy } from '../stored-credentials/saved-instrument.ts'
import type { PaymentCaller } from '../terms.ts'

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
  needStatus(payment, 'eligibility', 'confirm')
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
  const whyNot = await blockReason(context, merchant, paid, input.instrument)
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

/**
 * Returns why a gift card cannot pay this payment, by its balance at the account that would be tried first; null if it
 * can, or if the balance is not known. A browser's request counts as a try to pay, declined if the balance is too low
 * or the card invalid, so that it cannot be used to test cards. Refuses (IR_16, HE_00) a try above a limit.
 */
async function shortBalance(
  call: UseCaseCall,
  payment: Payment,
  instrument: PaymentInstrument,
  first: ConnectorAccount,
  caller: PaymentCaller,
): Promise<string | null> {
  const ask = connectors[first.connector_name]?.balance
  if (!ask || !isOther(instrument) || instrument.is !== 'gift_card') return null
  const { context, merchant, services } = call
  const client_network = caller.is === 'client' ? networkOfAddress(caller.address) : null
  const leave = client_network && (await services.tries.enter(context, merchant, payment.profile_id, tryOf(payment, client_network)))
  try {
    const { merchant_id, merchant_connector_id, account } = first
    const money = { amount: payment.net_amount, currency: payment.currency }
    const asked = ask({ instrument, money, request_id: newRequestId(context) }, account)
    const reply = await converseAbout<GiftCardBalance>(context, { merchant_id, merchant_connector_id }, account, asked, noAnswer)
    const deny = denialOf(reply, payment)
    if (deny !== null && client_network !== null) await count(call, payment, client_network)
    return deny
  } finally {
    if (leave) leave()
  }
}

function denialOf(reply: GiftCardBalance, { net_amount, currency }: Payment): string | null {
  if (reply.is === 'unknown') return null
  if (reply.is === 'refused') return 'This card could not be read. Check its number and PIN.'
  if (reply.money.currency === currency && reply.money.amount >= net_amount) return null
  return `This card holds ${decimalOf(reply.money.amount, reply.money.currency)} ${reply.money.currency}, which is less than the payment.`
}

/** Counts the failed try in the payment's history; a concurrent change counts it instead, or none does. */
async function count({ context }: UseCaseCall, payment: Payment, network: string): Promise<void> {
  const now = context.now()
  // Tries to pay are counted by operation number, balance requests by the negative version: they never collide.
  const rows = failedTry(payment.merchant_id, -payment.version, tryOf(payment, network), now)
  await context.commit(moved(context, payment, { ...payment, modified_at: now }, 'balance_too_low', { rows, announces: null }))
}
