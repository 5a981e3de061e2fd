import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { Account, Outcome } from '../connector.ts'
import type { Card } from '../instrument.ts'
import { credentialOf, credentialsOf } from '../kit/credentials.ts'
import { declinedWith, type ParsedReply, parseReply, type Refused, readerOf, refusedBy, unknown } from '../kit/parse-reply.ts'
import { isAddress, isAmount, isId, isRecord } from '../kit/read.ts'
import { basicOf, jsonRequest } from '../kit/request.ts'
import { settingOf } from '../settings.ts'

export const GATEWAY = 'https://api-gateway.smartcore.pro'
const CARDS = 'https://chd-api.smartcore.pro'

/** An account with another base URL uses it for all requests. */
export const cardUrlOf = (account: Account): string =>
  settingOf(account, 'card_url') ?? (account.base_url === GATEWAY ? CARDS : account.base_url)

export const cardMembers = ({ number, exp_month, exp_year, cvc, holder }: Omit<Card, 'is'>) => ({
  card_number: number.reveal(),
  card_exp_month: String(exp_month).padStart(2, '0'),
  card_exp_year: String(exp_year),
  ...(cvc && { card_cvv: cvc.reveal() }),
  ...(holder !== null && { card_holder: holder }),
})

export const post = (url: string, account: Account, body: object): Request =>
  jsonRequest('POST', url, basicOf(credentialOf(account), credentialOf(account, 'key1')), body)

export const accountMember = (account: Account) => {
  const name = settingOf(account, 'account')
  return name === undefined ? {} : { account: name }
}
export const callbackMember = ({ webhook_url }: Account) => (webhook_url === undefined ? {} : { callback_url: webhook_url })

export const parseOrder = (reply: Reply, currency: Currency, account: Account, secrets: readonly Secret[] = []): ParsedReply<Order> =>
  parseReply(
    reply,
    [...credentialsOf(account), ...secrets],
    readerOf(body => readOrder(body, currency), readRefused),
  )

/** A body that does not match the documentation is read as null: no part of it is used. */

type MaguapayState = 'waiting' | 'processing' | 'paid' | 'refused'
const states = new Map<unknown, MaguapayState>([
  [0, 'waiting'],
  [1, 'processing'],
  [2, 'paid'],
  [-1, 'refused'],
])

/** `money`: null if the response has no amount. */
type Order = {
  order_id: string
  state: MaguapayState
  money: Money | null
  form_url: string | null
  challenge: Challenge | null
  message: string
}
type Challenge = { url: string; form: Record<string, string> }

/** `asked`: the currency of an amount without one, because an account has one currency. */
function readOrder(body: unknown, asked: Currency): Order | null {
  if (!isRecord(body)) return null
  const { order_id, status, amount = null, currency = asked, form_url = null, ACSUrl = null, errorMessage, description } = body
  const state = states.get(status)
  if (!isId(order_id) || state === undefined || typeof currency !== 'string' || !isCurrency(currency)) return null
  if ((amount !== null && !isAmount(amount)) || (form_url !== null && !isAddress(form_url))) return null
  if (ACSUrl !== null && !isAddress(ACSUrl)) return null
  const message = [errorMessage, description].find(text => typeof text === 'string' && text !== '')
  return {
    order_id,
    state,
    money: amount === null ? null : { amount, currency: currency as Currency },
    form_url,
    challenge: ACSUrl === null ? null : { url: ACSUrl, form: posted(body) },
    message: typeof message === 'string' ? message : 'Refused.',
  }
}

/** Of both versions of 3-D Secure. */
const fields = ['PaReq', 'creq', 'MD', 'TermUrl', 'threeDSSessionData']
const posted = (body: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(fields.flatMap(name => (typeof body[name] === 'string' ? [[name, body[name]]] : [])))

const errors = { 400: 'invalid_request', 401: 'configuration', 403: 'configuration', 422: 'invalid_request' } as const

const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && !('status' in body) ? refusedBy(errors, status, body.error) : null

/** A form or JSON. */
export function readCallback(raw: Buffer): Record<string, string> | null {
  const text = raw.toString()
  try {
    const body: unknown = JSON.parse(text)
    if (!isRecord(body) || Object.values(body).some(value => typeof value === 'object' && value !== null)) return null
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value === null ? '' : String(value)]))
  } catch {
    const form = new URLSearchParams(text)
    return form.has('orderId') ? Object.fromEntries(form) : null
  }
}

/** Null: the order is paid, and the response has no amount. */
export function outcomeOf({ order_id, state, money, form_url, challenge, message }: Order): Outcome | null {
  switch (state) {
    case 'paid':
      return money && { is: 'done', reference: order_id, request_id: order_id, amount: money, captured: money, facts: {} }
    case 'refused':
      return declinedWith('card_declined', 'refused', message, order_id)
    case 'waiting':
      if (challenge) return { is: 'waiting', reference: order_id, next_action: { type: 'redirect_to_url', ...challenge } }
      return form_url === null
        ? unknown('the customer must act, but the URL is missing')
        : { is: 'waiting', reference: order_id, next_action: { type: 'redirect_to_url', url: form_url } }
    case 'processing':
      return { is: 'waiting', reference: order_id }
  }
}

/** The recipient is not redirected, and nothing is captured. */
export function asPaidOut(outcome: Outcome): Outcome {
  if (outcome.is === 'done') return { ...outcome, captured: null }
  if (outcome.is === 'declined') return { ...outcome, code: 'operation_declined' }
  return outcome.is === 'waiting' ? { is: 'waiting', reference: outcome.reference } : outcome
}
