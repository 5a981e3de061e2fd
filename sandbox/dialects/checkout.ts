// Checkout.com's payments API over the sandbox's ledger, under /checkout: payments by card, stored card, wallet token
// and redirect; captures, voids and refunds, which are only received; look-ups, and signed webhooks.

import type { Account } from '../books.ts'
import { type CardName, cardOf, luhn, mask } from '../cards.ts'
import { doneAs } from '../methods.ts'
import { authorize, capture, cardKept, type Effect, increment, refund, voidPayment } from '../processor.ts'
import type { Document, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type AuthorizeRequest, type Body, isMissing, isRecord, type ThreeDsResult } from '../requests.ts'
import { decimalsOf } from '../units.ts'
import { disputeCalls, readCheckout } from './checkout-disputes.ts'
import { checkoutMethods, debitedIn, isWalletType, tokenOf, walletBehind } from './checkout-methods.ts'
import { isPayout, payOutTo, recipientIn } from './checkout-payouts.ts'
import { ADDRESS, amountIn, flag, invalid, need, only, part, text } from './checkout-read.ts'
import { reportCalls } from './checkout-reports.ts'
import { actionIdOf, actionsOf, paymentIdOf, show, showRaised } from './checkout-show.ts'
import { type ApiCall, bearer, type CallResult, cardFault, type Language } from './language.ts'

/** The time for which an idempotency key is kept: 72 hours. Only keys of accepted requests are kept. */
const KEY_LIFE_MS = 72 * 3_600_000

type Act = LanguageActs['act']
type LanguageActs = Language['calls'][number]

const changes = { captures: capturePayment, voids: voidHold, refunds: refundPayment, authorizations: raiseHold } as const
const callOf = { captures: 'capture', voids: 'void', refunds: 'refund', authorizations: 'increment' } as const

export const checkout: Language = {
  prefix: '/checkout',
  key: bearer,
  read: readCheckout,
  errorResponse,
  calls: [
    {
      method: 'POST',
      path: '/payments',
      call: body => (isPayout(body) ? 'payout' : 'authorize'),
      sends: ({ body, account }) => ({
        reference: String(body.reference),
        fault: cardFault(() => (isPayout(body) ? recipientIn(body) : sourceIn(body, account))),
      }),
      act: once(asked => (isPayout(asked.body) ? payOutTo(asked) : pay(asked))),
    },
    { method: 'POST', path: '/tokens', call: null, act: makeToken },
    { method: 'GET', path: '/payments', call: 'lookup', act: list },
    { method: 'GET', path: '/payments/:id', call: 'lookup', act: asked => ({ body: show(asked, paymentOf(asked), 'now') }) },
    { method: 'GET', path: '/payments/:id/actions', call: 'lookup', act: asked => ({ body: actionsOf(asked.account, paymentOf(asked)) }) },
    ...(Object.keys(changes) as (keyof typeof changes)[]).map(
      (path): LanguageActs => ({
        method: 'POST',
        path: `/payments/:id/${path}`,
        call: callOf[path],
        sends: ({ body, headers }) => ({ reference: String(body.reference ?? headers['cko-idempotency-key']) }),
        act: once(changes[path]),
      }),
    ),
    ...disputeCalls,
    ...reportCalls,
  ],
}

/** Returns the answer to a refusal: without a body, except for invalid requests. */
function errorResponse({ code, message }: Refusal): { status: number; body: object } {
  const status = { unauthorized: 401, not_found: 404, not_allowed: 403 }[code as string]
  if (status !== undefined) return { status, body: Buffer.alloc(0) }
  return { status: 422, body: { request_id: 'sandbox', error_type: 'request_invalid', error_codes: [message.replace(/\W+/g, '_')] } }
}

/** Makes a call idempotent: the first answer is returned again while its key is kept. */
function once(act: Act): Act {
  return asked => {
    const { account, headers, turn, fault } = asked
    const given = headers['cko-idempotency-key']
    if (given === undefined) return act(asked)
    const key = `checkout ${String(given)}`
    const known = fault === 'ignore_idempotency' ? undefined : account.keys.get(key)?.answer
    if (known && turn.at - known.at < KEY_LIFE_MS) return { status: known.status, body: known.body, replayed: true }
    const { change, status = 200, body } = act(asked)
    return { change: { ...change, key: { key, fingerprint: '', operation: '', answer: { status, body, at: turn.at } } }, status, body }
  }
}

const PAYMENT =
  'source amount currency payment_type merchant_initiated reference description authorization_type partial_authorization capture ' +
  'capture_on customer billing_descriptor shipping 3ds previous_payment_id risk processing_channel_id success_url failure_url ' +
  'payment_ip metadata items'
const CARD = 'type number expiry_month expiry_year name cvv stored store_for_future_use billing_address phone'

/** The test cards that the last two digits of an amount select, in currencies with two decimals. */
const refusedAmounts = { '05': 'declined', '51': 'insufficient_funds', '54': 'expired' } as const

/** Makes a token from a wallet's data, with the public key. */
function makeToken({ body }: ApiCall): CallResult {
  only(body, 'type token_data')
  const { type, token_data } = body
  if (!isWalletType(type)) throw invalid('token_type_invalid')
  if (!isRecord(token_data)) throw invalid('token_data_required')
  return { status: 201, body: { type, token: tokenOf(type, token_data) } }
}

/** Reads a payment method other than a card, or the wallet that a token represents; null for a card. */
function methodIn(body: Body): Pick<AuthorizeRequest, 'card' | 'method'> | null {
  const source = body.source as Body
  const paid = (card: CardName, masked: string) => ({ name: card, masked, cvc: 'missing', expires: '9999-12' }) as const
  if (source.type === 'token') {
    only(source, 'type token billing_address')
    const wallet = walletBehind(need(source, 'token'))
    if (!wallet) throw invalid('token_invalid')
    const { family, way, course } = wallet.method
    return { method: { family, way, course }, card: paid(wallet.card, wallet.type) }
  }
  const type = String(source.type)
  const found = Object.hasOwn(checkoutMethods, type) ? checkoutMethods[type] : undefined
  if (!found) return null
  const takes = (found.takes ?? '').split(' ')
  only(source, `type ${takes.join(' ').replaceAll('!', '')}`)
  for (const name of takes.filter(one => one.endsWith('!'))) need(source, name.slice(0, -1))
  if (found.currencies && !found.currencies.includes(String(body.currency))) throw invalid('currency_invalid')
  if (found.items && !Array.isArray(body.items)) throw invalid('items_required')
  if (body.capture === false && !found.manual) throw invalid('capture_invalid')
  if (type === 'sepa') debitedIn(source)
  const { family, way, course, settles_ms } = found
  const method = { family, way, course, ...(settles_ms !== undefined && { settles_ms }) }
  return { method, card: paid(doneAs({ account_number: String(source.account_number ?? '') }), type) }
}

function sourceIn(body: Body, account: Account): AuthorizeRequest['card'] {
  if (!isRecord(body.source)) throw invalid('source_required')
  const other = methodIn(body)
  if (other) return other.card
  const source = body.source
  const cvc = text(source, 'cvv', 4) === null ? 'missing' : 'sent'
  if (source.type === 'id') {
    only(source, 'type id cvv')
    const kept = cardKept(account.payments, need(source, 'id').replace('src_', 'mdt_'), cvc)
    if (kept === null) throw invalid('source_id_invalid')
    return kept
  }
  if (source.type !== 'card') throw invalid('source_type_invalid')
  only(source, CARD)
  part(source, 'billing_address', ADDRESS)
  const number = need(source, 'number', 19)
  if (!/^\d{12,19}$/.test(number) || !luhn(number)) throw invalid('card_number_invalid')
  const { expiry_month: month, expiry_year: year } = source
  if (typeof month !== 'number' || !Number.isInteger(month) || month < 1 || month > 12) throw invalid('card_expiry_month_invalid')
  if (typeof year !== 'number' || !Number.isInteger(year) || year < 2000 || year > 9999) throw invalid('card_expiry_year_invalid')
  const ordered = decimalsOf(String(body.currency)) === 2 ? String(body.amount).slice(-2) : ''
  const name = Object.hasOwn(refusedAmounts, ordered) ? refusedAmounts[ordered as keyof typeof refusedAmounts] : cardOf(number)
  return { name, masked: mask(number), cvc, expires: `${year}-${String(month).padStart(2, '0')}` }
}

/** Reads the result of a 3-D Secure authentication that another server ran. */
function provenIn(threeDs: Body): { authentication?: ThreeDsResult } {
  const cavv = text(threeDs, 'cryptogram')
  if (cavv === null) return {}
  if (!/^[A-Za-z0-9+/]{27}=$/.test(cavv)) throw invalid('3ds_cryptogram_invalid')
  const [eci, ds_transaction_id, version] = [need(threeDs, 'eci'), need(threeDs, 'xid'), need(threeDs, 'version')]
  return { authentication: { status: 'Y', eci, cavv, version, ds_transaction_id } }
}

const exemptions: Record<string, NonNullable<AuthorizeRequest['exemption']>> = {
  low_value: 'low_value',
  transaction_risk_assessment: 'transaction_risk_analysis',
}

/** The customer's agreement to later charges, and whether the customer or the merchant initiates this one. */
function agreedIn(body: Body): Pick<AuthorizeRequest, 'store' | 'by' | 'channel'> {
  const source = body.source as Body
  const type = text(body, 'payment_type') ?? 'Regular'
  if (!['Regular', 'Recurring', 'MOTO', 'Installment', 'Unscheduled'].includes(type)) throw invalid('payment_type_invalid')
  const previous = text(body, 'previous_payment_id')
  if (flag(body, 'merchant_initiated')) {
    if (source.type !== 'id' && previous === null) throw invalid('previous_payment_id_required')
    return { by: source.type === 'id' ? 'mandate' : 'network_transaction_id' }
  }
  if (type === 'MOTO') return { channel: 'telephone_order' }
  return flag(source, 'store_for_future_use') ? { store: type === 'Regular' ? 'on_session' : 'off_session' } : {}
}

function pay(asked: ApiCall): CallResult {
  const { account, turn, body } = asked
  only(body, PAYMENT)
  const threeDs = part(body, '3ds', 'enabled attempt_n3d eci cryptogram xid version exemption challenge_indicator')
  part(body, 'customer', 'id email name tax_number phone default')
  part(part(body, 'shipping', 'address phone'), 'address', ADDRESS)
  const descriptor = part(body, 'billing_descriptor', 'name city')
  if (!isMissing(body.billing_descriptor)) need(descriptor, 'city', 13)
  const statement = text(descriptor, 'name', 25)
  need(body, 'processing_channel_id')
  const currency = need(body, 'currency', 3)
  if (!/^[A-Z]{3}$/.test(currency)) throw invalid('currency_invalid')
  const amount = amountIn(body)
  const isChallenge = text(threeDs, 'challenge_indicator') === 'challenge_requested_mandate'
  const exemption = exemptions[text(threeDs, 'exemption') ?? '']
  const effect = authorize(
    {
      reference: need(body, 'reference', 80),
      amount,
      currency,
      capture: body.capture === false ? 'manual' : 'automatic',
      card: sourceIn(body, account),
      ...methodIn(body),
      three_ds: flag(threeDs, 'enabled') ? (isChallenge ? 'challenge' : 'request') : 'skip',
      ...provenIn(threeDs),
      ...(exemption && { exemption }),
      return_url: text(body, 'success_url', 1024),
      allow_partial: flag(part(body, 'partial_authorization', 'enabled'), 'enabled'),
      ...(statement !== null && { statement_descriptor: statement }),
      ...agreedIn(body),
    },
    turn,
  )
  const payment: Payment = { ...effect.payment, dialect: 'checkout', document: paymentIdOf(effect.payment.id) }
  const isEstimate = text(body, 'authorization_type') === 'Estimated'
  const notes: Document[] = isEstimate ? [{ id: estimateOf(payment.id), object: 'checkout_estimate' }] : []
  const { status } = effect.operations[0]
  const seen = { ...asked, account: withEffect(account, effect, payment) }
  return {
    change: { ...effect, payment, documents: notes },
    status: status === 'challenge' || status === 'pending' ? 202 : 201,
    body: show(seen, payment, 'at first'),
  }
}

/** Returns the id of the note that an authorization is an estimate, so that its amount may be increased later. */
const estimateOf = (payment: string): string => `estimate ${payment}`

const withEffect = (account: Account, { operations }: Effect, payment: Payment): Account => ({
  ...account,
  payments: new Map([...account.payments, [payment.id, payment]]),
  operations: new Map([...account.operations, ...operations.map(one => [one.id, one] as const)]),
})

function paymentOf({ account, params }: Pick<ApiCall, 'account' | 'params'>): Payment {
  const payment = account.payments.get(account.names.get(params.id!) ?? '')
  if (payment?.dialect !== 'checkout') throw new Refusal('not_found', 'payment_not_found')
  return payment
}

/** Returns the payment of a request. Refuses payouts, which cannot be captured, voided or refunded. */
function paidIn(asked: ApiCall): Payment {
  const payment = paymentOf(asked)
  if (payment.to !== undefined) throw new Refusal('not_allowed', 'payout')
  return payment
}

/** Answers an action that is only received. Its result follows by webhook, and in the actions of its payment. */
function received(asked: ApiCall, effect: Effect): CallResult {
  const { reference = null } = asked.body
  return {
    change: effect,
    status: 202,
    body: {
      action_id: actionIdOf(effect.operations[0].id),
      ...(reference !== null && { reference }),
      _links: { payment: { href: `${asked.url}/checkout/payments/${asked.params.id}` } },
    },
  }
}

/** Returns the reference of an action: the merchant's, or the idempotency key if none is sent. */
const referenceOf = ({ body, headers }: ApiCall): string => text(body, 'reference', 80) ?? String(headers['cko-idempotency-key'] ?? 'none')

function capturePayment(asked: ApiCall): CallResult {
  const { body, turn } = asked
  only(body, 'amount capture_type reference customer description billing_descriptor shipping items metadata')
  const payment = paidIn(asked)
  const type = text(body, 'capture_type') ?? 'Final'
  if (type !== 'Final' && type !== 'NonFinal') throw invalid('capture_type_invalid')
  const amount = isMissing(body.amount) ? payment.authorized - payment.captured - payment.capturing : amountIn(body)
  return received(asked, capture(payment, { reference: referenceOf(asked), amount, final: type === 'Final' }, turn))
}

function voidHold(asked: ApiCall): CallResult {
  only(asked.body, 'reference metadata')
  const payment = paidIn(asked)
  return received(asked, voidPayment(payment, asked.account.operations.get(payment.id)!, { reference: referenceOf(asked) }, asked.turn))
}

function refundPayment(asked: ApiCall): CallResult {
  const { body, turn } = asked
  only(body, 'amount reference metadata items')
  const payment = paidIn(asked)
  const amount = isMissing(body.amount) ? payment.captured - payment.refunded - payment.refunding : amountIn(body)
  return received(asked, refund(payment, { reference: referenceOf(asked), amount, reason: null }, turn))
}

/** Increases the authorized amount by the amount sent. Only authorizations made as estimates can be increased. */
function raiseHold(asked: ApiCall): CallResult {
  const { body, turn, account } = asked
  only(body, 'amount reference metadata')
  const payment = paidIn(asked)
  if (!account.documents.has(estimateOf(payment.id))) throw new Refusal('not_allowed', 'authorization_is_final')
  const more = amountIn(body)
  if (more === 0) throw invalid('amount_required')
  const effect = increment(payment, { reference: referenceOf(asked), amount: payment.authorized + more }, turn)
  return { change: effect, status: 201, body: showRaised(asked.url, effect, more) }
}

/** Lists payments by reference, the latest first. */
function list(asked: ApiCall): CallResult {
  const { account, query } = asked
  const { reference, limit = '10', skip = '0' } = query
  if (reference === undefined) throw invalid('reference_required')
  const all = [...account.payments.values()].filter(one => one.dialect === 'checkout' && one.reference === reference).reverse()
  const some = all.slice(Number(skip), Number(skip) + Number(limit))
  return {
    body: { limit: Number(limit), skip: Number(skip), total_count: all.length, data: some.map(one => show(asked, one, 'now')) },
  }
}
