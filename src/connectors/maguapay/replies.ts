import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import { type Refused, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isAmount, isId, isRecord } from '../kit/read.ts'

/**
 * Reads the responses of Magua Pay (SmartCore). A body that does not match the documentation is read as null: no part
 * of it is used.
 */

/** The states of an order: waiting for the customer, under way, paid, refused. */
type MaguapayState = 'waiting' | 'processing' | 'paid' | 'refused'
const states = new Map<unknown, MaguapayState>([
  [0, 'waiting'],
  [1, 'processing'],
  [2, 'paid'],
  [-1, 'refused'],
])

/** An order. `money`: null if the response has no amount. */
export type Order = {
  order_id: string
  state: MaguapayState
  money: Money | null
  form_url: string | null
  challenge: Challenge | null
  message: string
}
/** The issuer's page, to which the customer's browser posts the form. */
type Challenge = { url: string; form: Record<string, string> }

/**
 * Reads an order. `asked`: the currency of the amount if the response has none, because an account has one currency.
 */
export function readOrder(body: unknown, asked: Currency): Order | null {
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

/** The members that the issuer's page receives, of both versions of 3-D Secure. */
const fields = ['PaReq', 'creq', 'MD', 'TermUrl', 'threeDSSessionData']
const posted = (body: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(fields.flatMap(name => (typeof body[name] === 'string' ? [[name, body[name]]] : [])))

const errors = { 400: 'invalid_request', 401: 'configuration', 403: 'configuration', 422: 'invalid_request' } as const

/** Reads an error response, which has a message and no order. */
export const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && !('status' in body) ? refusedBy(errors, status, body.error) : null

/** Reads the parameters of a callback, which comes as a form or as JSON. */
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
