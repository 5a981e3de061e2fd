// Adyen's Transfers API (v4) over the sandbox's ledger, under /adyenplatform: transfers to bank accounts, which are
// only received, their look-ups and cancellations, and webhooks.

import type { Account } from '../books.ts'
import { cancelPayout, type PayoutRequest, payOut, readPayout } from '../payouts.ts'
import type { Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, isRecord } from '../requests.ts'
import { showTransfer, type TransferNote, transferIdOf } from './adyenplatform-show.ts'
import { type ApiCall, type CallResult, cardFault, type Language } from './language.ts'

/** The time for which an idempotency key is kept: a week. */
const KEY_LIFE_MS = 7 * 24 * 3_600_000

type Act = Language['calls'][number]['act']

export const adyenplatform: Language = {
  prefix: '/adyenplatform',
  key: ({ 'x-api-key': key }) => (typeof key === 'string' ? key : undefined),
  errorResponse,
  calls: [
    {
      method: 'POST',
      path: '/transfers',
      call: 'payout',
      sends: ({ body }) => ({ reference: String(body.reference), fault: cardFault(() => recipientOf(body)) }),
      act: once(transfer),
    },
    { method: 'POST', path: '/transfers/cancel', call: 'cancel_payout', act: once(cancelTransfers) },
    { method: 'GET', path: '/transfers', call: 'lookup', act: list },
    {
      method: 'GET',
      path: '/transfers/:id',
      call: 'lookup',
      act: asked => ({ body: showTransfer(asked.account, transferOf(asked.account, asked.params.id!), 'now') }),
    },
  ],
}

/** Returns the answer to a refusal. An invalid API key is answered as in Adyen's other APIs. */
function errorResponse({ code, message, param }: Refusal): { status: number; body: object } {
  if (code === 'unauthorized')
    return { status: 401, body: { status: 401, errorCode: '000', message: 'HTTP Status Response - Unauthorized', errorType: 'security' } }
  const invalidFields = param === null ? {} : { invalidFields: [{ name: param, message, value: '' }] }
  const error = {
    type: 'https://docs.adyen.com/errors/validation',
    title: 'The request is missing required fields or contains invalid data.',
  }
  return { status: 422, body: { ...error, status: 422, detail: message, errorCode: '30_002', ...invalidFields } }
}

const invalid = (field: string, detail = `Invalid ${field}`) => new Refusal('invalid_request', detail, field)

/** Makes a call idempotent: the first answer is returned again while its key is kept. */
function once(act: Act): Act {
  return asked => {
    const { account, headers, turn, fault } = asked
    const given = headers['idempotency-key']
    if (given === undefined) return act(asked)
    const key = `adyenplatform ${String(given)}`
    const known = fault === 'ignore_idempotency' ? undefined : account.keys.get(key)?.answer
    if (known && turn.at - known.at < KEY_LIFE_MS) return { status: known.status, body: known.body, replayed: true }
    const { change, status = 200, body } = act(asked)
    return { change: { ...change, key: { key, fingerprint: '', operation: '', answer: { status, body, at: turn.at } } }, status, body }
  }
}

/** Refuses (422) members that Adyen's documentation of the request does not have. */
function only(body: Body, members: string): Body {
  const strange = Object.keys(body).find(name => !members.split(' ').includes(name))
  if (strange !== undefined) throw invalid(strange, `Unknown field ${strange}`)
  return body
}
function part(body: Body, name: string, members: string): Body {
  const value = body[name]
  if (!isRecord(value)) throw invalid(name)
  return only(value, members)
}
function text(body: Body, name: string, pattern: RegExp): string {
  const value = body[name]
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid(name)
  return value
}
const textIfAny = (body: Body, name: string, pattern: RegExp) => (isMissing(body[name]) ? null : text(body, name, pattern))

const TRANSFER =
  'amount balanceAccountId category counterparty description executionDate paymentInstrumentId priorities priority reference ' +
  'referenceForBeneficiary review type ultimateParty'
const PRIORITY = /^(?:crossBorder|fast|instant|internal|regular|wire)$/
const DESCRIBED = /^[\w/\-?:().,'+ &$%#@~="!]{1,140}$/

/**
 * The kinds of bank account identification that are supported. `account`: the member that contains the account number.
 */
const kinds: Record<string, { account: string; members: Record<string, RegExp>; may?: Record<string, RegExp> }> = {
  iban: { account: 'iban', members: { iban: /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/ }, may: { bic: /^[A-Z0-9]{8,11}$/ } },
  usLocal: {
    account: 'accountNumber',
    members: { accountNumber: /^\w{2,18}$/, routingNumber: /^\d{9}$/ },
    may: { accountType: /^(?:checking|savings)$/ },
  },
  ukLocal: { account: 'accountNumber', members: { accountNumber: /^\d{8}$/, sortCode: /^\d{6}$/ } },
}

function recipientOf(body: Body): PayoutRequest['to'] {
  const bank = part(part(body, 'counterparty', 'balanceAccountId bankAccount card transferInstrumentId'), 'bankAccount', BANK)
  const holder = part(bank, 'accountHolder', 'address dateOfBirth email firstName fullName lastName reference type url')
  text(holder, 'fullName', /^[\w ,.;:—/\\+&!?@()"'-]{1,140}$/)
  textIfAny(holder, 'type', /^(?:individual|organization|unknown)$/)
  if (!isMissing(holder.address)) checkAddress(part(holder, 'address', 'city country line1 line2 postalCode stateOrProvince'))
  const identification = bank.accountIdentification
  const kind =
    isRecord(identification) && Object.hasOwn(kinds, String(identification.type)) ? kinds[String(identification.type)] : undefined
  if (!isRecord(identification) || !kind) throw invalid('accountIdentification')
  const { account, members, may = {} } = kind
  only(identification, ['type', ...Object.keys(members), ...Object.keys(may)].join(' '))
  for (const [name, pattern] of Object.entries(members)) text(identification, name, pattern)
  for (const [name, pattern] of Object.entries(may)) textIfAny(identification, name, pattern)
  return readPayout({ reference: 'none', amount: 1, currency: 'EUR', to: { type: 'bank', account: identification[account] } }).to
}
const BANK = 'accountHolder accountIdentification storedPaymentMethodId'

function checkAddress(address: Body): void {
  text(address, 'country', /^[A-Z]{2}$/)
  for (const name of ['city', 'postalCode']) textIfAny(address, name, /^.{3,}$/)
  for (const name of ['line1', 'line2']) textIfAny(address, name, /./)
  textIfAny(address, 'stateOrProvince', /^[A-Z]{2}$/)
}

function transfer({ account, body, turn }: ApiCall): CallResult {
  only(body, TRANSFER)
  const { value, currency } = part(body, 'amount', 'value currency')
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw invalid('amount.value')
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw invalid('amount.currency')
  if (body.category !== 'bank') throw invalid('category')
  text(body, 'priority', PRIORITY)
  textIfAny(body, 'description', DESCRIBED)
  textIfAny(body, 'referenceForBeneficiary', /^[A-Za-z0-9]{1,35}$/)
  const balanceAccount = text(body, 'balanceAccountId', /^BA\w{1,62}$/)
  const effect = payOut({ reference: text(body, 'reference', /^.{1,80}$/), amount: value, currency, to: recipientOf(body) }, turn)
  const document = transferIdOf(effect.payment.id)
  const payment: Payment = { ...effect.payment, dialect: 'adyenplatform', document }
  const note: TransferNote = { id: document, object: 'adyen_transfer', balanceAccount }
  const seen: Account = { ...account, documents: new Map([[document, note]]) }
  return {
    change: { ...effect, payment, documents: [note] },
    status: 202,
    body: { ...showTransfer(seen, payment, 'at first', effect.operations[0]), counterparty: body.counterparty },
  }
}

function transferOf(account: Account, id: string): Payment {
  const payment = account.payments.get(account.names.get(id) ?? '')
  if (payment?.dialect !== 'adyenplatform') throw new Refusal('not_found', 'The transfer does not exist', 'id')
  return payment
}

/**
 * Cancels a transfer. The cancellation is only received; the transfer itself shows the result. Booked transfers cannot
 * be cancelled.
 */
function cancelTransfers({ account, body, turn }: ApiCall): CallResult {
  only(body, 'transferIds')
  const { transferIds: ids } = body
  if (!Array.isArray(ids) || ids.length !== 1 || typeof ids[0] !== 'string') throw invalid('transferIds')
  const payment = transferOf(account, ids[0])
  const operation = account.operations.get(payment.id)!
  return { change: cancelPayout(payment, operation, { reference: `cancel ${payment.reference}` }, turn), body: {} }
}

/** Lists the transfers of a balance account in a period, the latest first. */
function list({ account, query }: ApiCall): CallResult {
  const { reference, category = 'bank', balanceAccountId, createdSince, createdUntil, limit = '10' } = query
  const [since, until] = [Date.parse(createdSince ?? ''), Date.parse(createdUntil ?? '')]
  if (Number.isNaN(since)) throw invalid('createdSince')
  if (Number.isNaN(until)) throw invalid('createdUntil')
  const shown = [...account.payments.values()]
    .filter(({ dialect }) => dialect === 'adyenplatform' && category === 'bank')
    .map(payment => showTransfer(account, payment, 'now'))
    .filter(
      one =>
        (reference === undefined || one.reference === reference) &&
        (balanceAccountId === undefined || one.balanceAccount.id === balanceAccountId) &&
        Date.parse(one.createdAt) >= since &&
        Date.parse(one.createdAt) < until,
    )
  return { body: { data: shown.reverse().slice(0, Number(limit)) } }
}
