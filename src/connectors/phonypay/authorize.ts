import type { Account, AuthorizeRequest, Conversation, Ordered, OrderRequest, ReturnRequest } from '../connector.ts'
import { isOther, type PaymentInstrument } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedWish, parseReply, readerOf, unknown, without } from '../kit/parse-reply.ts'
import { codesOf, secretsOf } from '../kit/secrets.ts'
import { operate, operationReply, post } from './api.ts'
import { outcomeOf } from './outcomes.ts'
import { readOrder, readRefused } from './replies.ts'
import { sync } from './sync.ts'

export function* authorize(ask: AuthorizeRequest, account: Account): Conversation {
  const { instrument, request_id } = ask
  const body = {
    reference: request_id,
    amount: ask.money.amount,
    currency: ask.money.currency,
    capture: ask.capture === 'automatic' ? 'automatic' : 'manual',
    three_ds: ask.three_ds,
    exemption: ask.exemption,
    return_url: ask.return_url,
    merchant: ask.merchant_name,
    allow_partial: ask.partial_approval === 'accept',
    statement_descriptor: ask.statement_descriptor ?? undefined,
    overcapture: ask.later?.includes('overcapture') || undefined,
    purchase: ask.purchase,
    channel: ask.channel,
    installments: ask.installments,
    ...paidWith(instrument),
    ...(ask.stored_credential?.is === 'made' && ask.stored_credential.store !== false && { store: ask.stored_credential.usage }),
    ...(ask.stored_credential?.is === 'used' && { initiator: 'merchant', category: ask.stored_credential.mit_category }),
    ...(ask.three_ds_result && { authentication: { ...ask.three_ds_result, cavv: ask.three_ds_result.cavv.reveal() } }),
  }
  const secrets = ask.three_ds_result ? [...secretsOf(instrument), ask.three_ds_result.cavv] : secretsOf(instrument)
  const outcome = yield* operate('authorize', post(account, '/payments', body, request_id), { request_id, account, secrets })
  return without(outcome, codesOf(instrument))
}

/**
 * Describes the payment method: a card by its number, by the mandate under which the processor stores it, or by its
 * number and the network transaction id of an earlier payment.
 */
function paidWith(instrument: PaymentInstrument): object {
  if (isOther(instrument)) {
    const { is: family, way, open, secrets } = instrument
    const hidden = Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]))
    const { network_transaction_id } = instrument
    return { method: { family, way, details: { ...open, ...hidden } }, network_transaction_id }
  }
  if (instrument.is === 'stored_card') return { mandate: instrument.reference, cvc: instrument.cvc?.reveal() }
  const { number, exp_month, exp_year, holder } = instrument
  const card = { number: number.reveal(), exp_month, exp_year, holder: holder ?? undefined }
  if (instrument.is === 'network_transaction_id') return { card, network_transaction_id: instrument.network_transaction_id }
  return { card: { ...card, cvc: instrument.cvc?.reveal(), network: instrument.network } }
}

/** Creates an order for a wallet, which then returns the order's id. */
export function* order({ request_id, money }: OrderRequest, account: Account): Conversation<Ordered> {
  const request = post(account, '/orders', { reference: request_id, amount: money.amount, currency: money.currency })
  const read = readerOf(body => readOrder(body, request_id), readRefused)
  const reply = parseReply(yield request, [credentialOf(account)], read)
  return reply.is === 'answer' ? { is: 'done', id: reply.answer } : failedWish(reply)
}

/**
 * Completes a challenge: the customer has entered a code, or the browser has finished the 3DS method. If the result is
 * refused (a wrong code), the operation stays as it is.
 */
export function* complete(ask: ReturnRequest, account: Account): Conversation {
  const { otp, threeds_method_comp_ind: device_data } = ask.parameters
  if (ask.reference === null) return yield* asItStands(ask, account)
  const request = post(account, `/operations/${encodeURIComponent(ask.reference)}/complete`, { otp, device_data })
  const reply = parseReply(yield request, [credentialOf(account)], operationReply)
  if (reply.is === 'refused') return yield* asItStands(ask, account)
  if (reply.is !== 'answer') return unknown(reply.why)
  return reply.answer.id === ask.reference ? outcomeOf(reply.answer, ask.verb) : unknown('the response is for another operation')
}

/**
 * Looks up the operation after a refused result. "Not found" is turned into unknown, so that a forged return never
 * declines the payment.
 */
function* asItStands(ask: ReturnRequest, account: Account): Conversation {
  const stands = yield* sync(ask, account)
  return stands.is === 'not_found' ? unknown('the challenge result was refused, and the operation was not found') : stands
}
