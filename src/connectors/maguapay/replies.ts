import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import { type Refused, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isAmount, isId, isRecord } from '../kit/read.ts'

/** What Magua Pay (SmartCore) writes. A body that is not as its pages say is null: it is never half believed. */

/** Its states: waiting for the customer, under way, paid, refused. */
export type MaguapayState = 'waiting' | 'processing' | 'paid' | 'refused'
const states = new Map<unknown, MaguapayState>([
  [0, 'waiting'],
  [1, 'processing'],
  [2, 'paid'],
  [-1, 'refused'],
])

/** What is said of an order. `money`: only where it says how much. */
export type Order = {
  order_id: string
  state: MaguapayState
  money: Money | null
  form_url: string | null
  challenge: Challenge | null
  said: string
}
/** The bank's own page, to which the customer's browser posts these. */
export type Challenge = { url: string; form: Record<string, string> }

/** `asked`: in whose currency an amount is, where none is said: an account there is of one currency. */
export function readOrder(body: unknown, asked: Currency): Order | null {
  if (!isRecord(body)) return null
  const { order_id, status, amount = null, currency = asked, form_url = null, ACSUrl = null, errorMessage, description } = body
  const state = states.get(status)
  if (!isId(order_id) || state === undefined || typeof currency !== 'string' || !isCurrency(currency)) return null
  if ((amount !== null && !isAmount(amount)) || (form_url !== null && !isAddress(form_url))) return null
  if (ACSUrl !== null && !isAddress(ACSUrl)) return null
  const said = [errorMessage, description].find(words => typeof words === 'string' && words !== '')
  return {
    order_id,
    state,
    money: amount === null ? null : { amount, currency: currency as Currency },
    form_url,
    challenge: ACSUrl === null ? null : { url: ACSUrl, form: posted(body) },
    said: typeof said === 'string' ? said : 'Refused.',
  }
}

/** What an issuer's page is told, of 3-D Secure in either version. */
const fields = ['PaReq', 'creq', 'MD', 'TermUrl', 'threeDSSessionData']
const posted = (body: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(fields.flatMap(name => (typeof body[name] === 'string' ? [[name, body[name]]] : [])))

const errors = { 400: 'invalid_request', 401: 'configuration', 403: 'configuration', 422: 'invalid_request' } as const

/** An error has a message and speaks of no order. */
export const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && !('status' in body) ? refusedBy(errors, status, body.error) : null

/** The parameters of a callback, which comes as a form or as JSON. */
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
