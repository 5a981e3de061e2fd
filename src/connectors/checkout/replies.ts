import type { Currency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Reply, Time } from '../../context.ts'
import type { Facts, Outcome } from '../connector.ts'
import { uncounted } from '../counting.ts'
import { declinedWith, doneWith, type ParsedReply, parseReply, type Refused, type ReplyReader, unknown } from '../kit/parse-reply.ts'
import { isAmount, isOneOf, isRecord, isWord, optional, parseTime, readAmount, readMoney, readUrl, readWord } from '../kit/read.ts'
import { refusedCodes, responseCodes } from './declines.ts'
import { counting, keptAs } from './requests.ts'

/** A body that does not match the documentation is read as null: no part of it is used. */

/** Their response has no body. */
const bare: Readonly<Record<number, Refused>> = {
  401: { is: 'refused', as: 'configuration', code: '401', message: 'the secret key is not valid' },
  403: { is: 'refused', as: 'not_allowed', code: '403', message: 'The operation is not allowed.' },
  404: { is: 'refused', as: 'not_found', code: '404', message: 'It was not found.' },
  429: { is: 'refused', as: 'later', code: '429', message: 'Too many requests.' },
}

export function parse<Answer>(reply: Reply, secrets: readonly Secret[], read: ReplyReader<Answer>): ParsedReply<Answer> {
  const refused = reply.is === 'reply' && reply.body === '' ? bare[reply.status] : undefined
  return refused ?? parseReply(reply, secrets, read)
}

/** Nothing happened. Null for an internal error, which says nothing about the request. */
export function readRefused(status: number, body: unknown): Refused | null {
  if (!isRecord(body) || !isWord(body.error_type) || !Array.isArray(body.error_codes)) return null
  const codes = body.error_codes.filter(isWord)
  const [code] = codes
  if (code === undefined || codes.length !== body.error_codes.length) return null
  if (status === 429) return { is: 'refused', as: 'later', code, message: body.error_type }
  if (status !== 422 || !isOneOf(['request_invalid', 'request_unprocessable'], body.error_type)) return null
  return { is: 'refused', as: refusedCodes[code] ?? 'invalid_request', code, message: codes.join(', ') }
}

/** The authorization of a debit is no approval, because no money has come yet. */
const debits: readonly (string | null)[] = ['sepa']

const statuses = [
  ...(['Pending', 'Authorized', 'Card Verified', 'Voided', 'Partially Captured', 'Captured'] as const),
  ...(['Partially Refunded', 'Refunded', 'Returned', 'Declined', 'Canceled', 'Expired'] as const),
] as const

export type CheckoutPayment = {
  id: string
  status: (typeof statuses)[number]
  money: Money | null
  request_id: string | null
  authorized: number | null
  captured: number | null
  capturable: number | null
  refunded: number | null
  code: string
  message: string
  redirect: string | null
  by: string | null
  facts: Facts
}

export const isCheckoutId = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,80}$/.test(value)
const isText = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z ]{1,40}$/.test(value)
export const readReference = (value: unknown): string | null => (isCheckoutId(value) ? value : null)
export const readRecord = (value: unknown): Record<string, unknown> | null => (isRecord(value) ? value : null)

export const amountIn = (currency: unknown, amount: unknown): Money | null => {
  const money = readMoney(amount, currency)
  return money && uncounted(counting, money.amount, money.currency)
}

export function readPayment(body: unknown): CheckoutPayment | null {
  if (!isRecord(body) || !isCheckoutId(body.id) || !isOneOf(statuses, body.status)) return null
  const { id, status } = body
  const request_id = optional(body.reference, readReference)
  const balances = optional(body.balances, readRecord)
  const hasAmount = body.amount !== undefined || body.currency !== undefined
  const money = hasAmount ? amountIn(body.currency, body.amount) : null
  if (request_id === undefined || balances === undefined || (hasAmount && money === null)) return null
  const totals = readBalances(balances)
  if (totals === null) return null
  const redirect = optional(redirectIn(body._links), readUrl)
  if (redirect === undefined) return null
  const by = readWord(readRecord(body.source)?.type)
  return { id, status, money, request_id, ...totals, redirect, by, ...whyRefused(body), facts: factsIn(body, id) }
}

type Balances = Pick<CheckoutPayment, 'authorized' | 'captured' | 'capturable' | 'refunded'>

/** Each is null if it is absent. Null: one is invalid. */
export function readBalances(balances: Record<string, unknown> | null): Balances | null {
  const names = ['total_authorized', 'total_captured', 'available_to_capture', 'total_refunded']
  const [authorized, captured, capturable, refunded] = names.map(name => optional(balances?.[name], readAmount))
  if (authorized === undefined || captured === undefined || capturable === undefined || refunded === undefined) return null
  return { authorized, captured, capturable, refunded }
}

const redirectIn = (links: unknown): unknown => (isRecord(links) && isRecord(links.redirect) ? links.redirect.href : undefined)

/** A retrieved payment contains the reason in its last action. */
export function whyRefused(
  { response_code, response_summary, actions }: Record<string, unknown>,
  otherwise = 'The payment was declined.',
): { code: string; message: string } {
  const all = Array.isArray(actions) ? actions.filter(isRecord) : []
  const last = all.find(action => action.type === 'Authorization') ?? all[0]
  const code = readWord(response_code) ?? readWord(last?.response_code) ?? 'declined'
  const message = [response_summary, last?.response_summary].find(text => typeof text === 'string' && text !== '')
  return { code, message: typeof message === 'string' ? message : otherwise }
}

function factsIn(body: Record<string, unknown>, id: string): Facts {
  const source = readRecord(body.source)
  const kept = readWord(source?.id)
  const facts = {
    network_transaction_id: readWord(body.scheme_id),
    authorization_code: readWord(body.auth_code),
    eci: readWord(body.eci),
    avs_result: readWord(source?.avs_check),
    cvc_result: readWord(source?.cvv_check),
    connector_mandate_id: kept === null ? null : keptAs(kept, id),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, word]) => word !== null))
}

export function outcomeOf(payment: CheckoutPayment): Outcome {
  const { id, status, money, request_id, redirect, code, message, facts } = payment
  switch (status) {
    case 'Pending':
      return { is: 'waiting', reference: id, ...(redirect !== null && { next_action: { type: 'redirect_to_url', url: redirect } }) }
    case 'Declined':
      return { ...declinedWith(responseCodes[code] ?? 'card_declined', code, message, id), facts: withoutKept(facts) }
    case 'Canceled':
      return declinedWith('authentication_failed', status, 'The customer did not complete the payment.', id)
    case 'Expired':
      // The hold of an authorized payment is over; a payment that was never authorized has failed.
      return (payment.authorized ?? 0) > 0
        ? { is: 'lapsed', reference: id }
        : declinedWith('authentication_failed', status, 'The customer did not complete the payment in time.', id)
    case 'Voided':
      return { is: 'lapsed', reference: id }
    case 'Returned':
      // A returned debit was paid until then: the return is reported as a dispute.
      if ((payment.captured ?? 0) === 0) return declinedWith('card_declined', code, message, id)
      return money === null ? unknown('the payment has no amount') : approved(payment, money, request_id)
    default:
      if (status === 'Authorized' && debits.includes(payment.by)) return { is: 'waiting', reference: id }
      return money === null ? unknown('the payment has no amount') : approved(payment, money, request_id)
  }
}

const withoutKept = ({ connector_mandate_id: _kept, ...facts }: Facts): Facts => facts

function approved({ id, status, captured, capturable, facts }: CheckoutPayment, amount: Money, request_id: string | null): Outcome {
  const counted = (value: number | null) => (value === null ? null : uncounted(counting, value, amount.currency))
  const taken = counted(captured)
  const left = counted(capturable)
  const done = { is: 'done', reference: id, request_id, amount, facts } as const
  if (status === 'Card Verified') return { ...done, captured: null }
  // If an automatic capture was requested, it follows moments later: a webhook reports a capture that fails.
  if (status === 'Authorized') return { ...done, captured: 'as asked', ...(left && { capturable: left }) }
  if (taken === null && status !== 'Captured') return unknown('the captured amount is missing')
  return { ...done, captured: taken ?? amount, ...(left && { capturable: left }) }
}

export const readToken = (body: unknown): string | null => (isRecord(body) && isCheckoutId(body.token) ? body.token : null)

/** Null if the body is no list. */
export const listOf =
  <Entry>(read: (body: unknown) => Entry | null) =>
  (body: unknown): Entry[] | null => {
    if (!isRecord(body) || !Array.isArray(body.data)) return null
    const all = body.data.map(read)
    return all.includes(null) ? null : (all as Entry[])
  }

/** The result is reported later. */
type CheckoutReceived = { reference: string; request_id: string | null }

export function readActionReceived(body: unknown): CheckoutReceived | null {
  if (!isRecord(body) || !isCheckoutId(body.action_id)) return null
  const request_id = optional(body.reference, readReference)
  return request_id === undefined ? null : { reference: body.action_id, request_id }
}

export type CheckoutAction = {
  id: string
  type: string
  amount: number | null
  approved: boolean
  at: Time | null
  request_id: string | null
  code: string
  message: string
  arn: string | null
}

export function readActions(body: unknown): CheckoutAction[] | null {
  // Every payment has at least the action that created it.
  if (!Array.isArray(body) || body.length === 0) return null
  const read = body.map(readAction)
  return read.includes(null) ? null : (read as CheckoutAction[])
}

function readAction(action: unknown): CheckoutAction | null {
  if (!isRecord(action) || !isCheckoutId(action.id) || !isText(action.type) || typeof action.approved !== 'boolean') return null
  const amount = optional(action.amount, value => (isAmount(value) ? value : null))
  const request_id = optional(action.reference, readReference)
  if (amount === undefined || request_id === undefined) return null
  const { id, type, approved } = action
  const arn = isRecord(action.processing) ? readWord(action.processing.acquirer_reference_number) : null
  return { id, type, amount, approved, at: parseTime(action.processed_on), request_id, ...whyRefused(action), arn }
}

/** `total`: what is held, if the response contains it. */
type CheckoutRaised = { action: CheckoutAction; total: number | null }

export function readRaised(body: unknown): CheckoutRaised | null {
  if (!isRecord(body) || !isOneOf(['Authorized', 'Declined'], body.status)) return null
  const action = readAction({ ...body, id: body.action_id, type: 'Authorization' })
  const total = isRecord(body.balances) ? optional(body.balances.total_authorized, readAmount) : null
  return action === null || total === undefined ? null : { action, total }
}

export function actionOutcome({ id, amount, approved, request_id, code, message, arn }: CheckoutAction, currency: Currency): Outcome {
  if (!approved) return declinedWith('operation_declined', code, message, id)
  const money = amount === null ? null : uncounted(counting, amount, currency)
  if (money === null) return { ...unknown('the amount is missing'), reference: id }
  return doneWith(id, money, { request_id, facts: arn === null ? {} : { arn } })
}
