// The bridge protocol over the sandbox's ledger, under /bridge: the reference adapter. Its guide is
// docs/bridge/README.md.

import { createHash } from 'node:crypto'
import type { Account } from '../books.ts'
import { cards } from '../cards.ts'
import { changesPage } from '../changes.ts'
import { needDispute } from '../disputes.ts'
import { isPayout, payOut, readPayout } from '../payouts.ts'
import { authorize, capture, type Effect, refund, voidPayment } from '../processor.ts'
import type { Payment } from '../records.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import { type Body, readAuthorize, readCard, readInteger, readMatch, readUrl, readWord } from '../requests.ts'
import { offers, show, showDispute, showWhole, told } from './bridge-show.ts'
import { type ApiCall, bearer, type CallResult, cardFault, type Language } from './language.ts'

export const bridge: Language = {
  prefix: '/bridge',
  key: bearer,
  errorResponse: ({ code, message }) =>
    errorResponse(code === 'idempotency_mismatch' || code === 'duplicate_reference' ? 'conflict' : code, message),
  calls: [
    { method: 'GET', path: '/v1', call: null, act: ({ account }) => ({ body: readsMore(account) ? { ...about, reads } : about }) },
    { method: 'PUT', path: '/v1/news', call: null, act: listen },
    {
      method: 'GET',
      path: '/v1/operations/:request_id',
      call: 'lookup',
      act: ({ account, params, url }) => ({ body: find(account, params.request_id!, url) }),
    },
    {
      method: 'GET',
      path: '/v1/payments/:request_id',
      call: 'lookup',
      act: ({ account, params }) => ({ body: showWhole(account, paymentNamed(reading(account), params.request_id!)) }),
    },
    {
      method: 'GET',
      path: '/v1/disputes/:reference',
      call: 'lookup',
      act: ({ account, params }) => ({ body: showDispute(account, needDispute(reading(account), params.reference!)) }),
    },
    { method: 'GET', path: '/v1/changes', call: 'lookup', act: listChanges },
    {
      method: 'PUT',
      path: '/v1/operations/:request_id',
      call: ({ type }) => offers.find(word => word === type) ?? null,
      sends: ({ body, params }) => ({
        reference: params.request_id!,
        fault: body.type === 'authorize' ? cardFault(() => readCard((body.method ?? {}) as Body)) : undefined,
      }),
      act: put,
    },
  ],
}

const statuses = { invalid_request: 400, unauthorized: 401, not_found: 404, conflict: 409, not_allowed: 422 } as const
const errorResponse = (
  code: keyof typeof statuses | Exclude<RefusalCode, 'idempotency_mismatch' | 'duplicate_reference'>,
  message: string,
) => ({
  status: statuses[code],
  body: { error: { code, message } },
})

const reads = ['payments', 'changes', 'disputes']
/** Other accounts have an adapter that knows only operations. */
const readsMore = ({ name }: Account): boolean => !name.startsWith('operations_only')

const about = {
  protocol: 'bridge',
  version: 1,
  name: 'The sandbox',
  offers,
  test_cards: {
    approved: cards.approved.numbers[1],
    declined: cards.declined.numbers[1],
    pending: cards.approved_later.numbers[0],
    action_required: cards.challenge.numbers[0],
  },
}

/** Returns an authorization request in the sandbox's own language. */
function cardAsk(reference: string, { method, merchant_name, type: _type, ...rest }: Body): Body {
  const { type = null, ...card } = (method ?? {}) as Body
  if (type !== 'card') throw new Refusal('invalid_request', 'method.type must be card', 'method')
  return { ...rest, reference, merchant: merchant_name, card }
}

const amountOf = (body: Body): number => readInteger(body, 'amount', { from: 1, to: Number.MAX_SAFE_INTEGER })

/**
 * Carries out an operation. The same request id with the same body is the same operation; with another body it is
 * refused (409).
 */
function put({ account, turn, body, params, url, fault }: ApiCall): CallResult {
  const reference = readMatch({ request_id: params.request_id }, 'request_id', /^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, _ or -')
  const key = `bridge ${reference}`
  const fingerprint = fingerprintOf(body)
  if (fault !== 'ignore_idempotency' && account.references.has(reference)) {
    if (account.keys.get(key)?.fingerprint !== fingerprint)
      throw new Refusal('idempotency_mismatch', 'This request id was already used for a request with a different body')
    return { body: find(account, reference, url), replayed: true }
  }
  const effect = effectOf(reference, { account, turn, body })
  const [operation] = effect.operations
  const payment: Payment = { ...effect.payment, dialect: 'bridge' }
  return {
    change: { ...effect, payment, key: { key, fingerprint, operation: operation.id } },
    body: show(operation, payment, url),
  }
}

function effectOf(reference: string, { account, turn, body }: Pick<ApiCall, 'account' | 'turn' | 'body'>): Effect {
  const type = readWord(body, 'type', offers)
  if (type === 'authorize') {
    const ask = readAuthorize(cardAsk(reference, body))
    if ('mandate' in ask.card) throw new Refusal('invalid_request', 'method must be a card', 'method')
    return authorize({ ...ask, card: ask.card }, turn)
  }
  if (type === 'payout') {
    const { to, amount, currency } = body
    return payOut(readPayout({ reference, amount, currency, to }), turn)
  }
  const named = readMatch(body, 'authorization', /^[A-Za-z0-9_-]{1,64}$/, 'the request id of an authorization')
  const payment = paymentNamed(account, named)
  if (body.currency !== payment.currency) throw new Refusal('invalid_request', `currency must be ${payment.currency}`, 'currency')
  if (type === 'void') return voidPayment(payment, account.operations.get(payment.id)!, { reference }, turn)
  const amount = amountOf(body)
  if (type === 'refund') return refund(payment, { reference, amount, reason: null }, turn)
  return capture(payment, { reference, amount, final: body.final === true }, turn)
}

function paymentNamed(account: Account, request_id: string): Payment {
  const payment = account.payments.get(account.references.get(request_id) ?? '')
  if (payment === undefined || isPayout(payment)) throw new Refusal('not_found', 'No such authorization')
  return payment
}

function reading(account: Account): Account {
  if (!readsMore(account)) throw new Refusal('not_found', 'Unrecognized request URL')
  return account
}

function listChanges({ account, query, url }: ApiCall): CallResult {
  const { page, next } = changesPage(reading(account), query, {
    operation: (operation, payment) => told(account, operation, payment, url),
    dispute: dispute => ({ dispute: showDispute(account, dispute) }),
  })
  return { body: { changes: page, next } }
}

/**
 * Returns the digest of a request. The digest is taken of the body without the card's number and security code, so
 * that neither can be guessed from the ledger.
 */
function fingerprintOf({ method, to, ...rest }: Body): string {
  const { number: _number, cvc: _cvc, account: _account, ...card } = { ...((method ?? to ?? {}) as Body) }
  const sorted = Object.entries({ ...rest, ...card }).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22)
}

function find(account: Account, request_id: string, url: string): object {
  const operation = account.operations.get(account.references.get(request_id) ?? '')
  if (operation === undefined) throw new Refusal('not_found', 'No such operation')
  return show(operation, account.payments.get(operation.payment)!, url)
}

function listen({ account, body }: ApiCall): CallResult {
  const webhook_url = readUrl(body, 'url')
  const webhook_secret = readMatch(body, 'secret', /^.{1,255}$/s, '1 to 255 characters')
  return { change: { settings: { ...account.settings, webhook_url, webhook_secret } }, body: { url: webhook_url } }
}
