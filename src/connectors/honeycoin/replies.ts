import type { Money } from '../../base/money.ts'
import { Secret } from '../../base/secret.ts'
import type { Reply } from '../../context.ts'
import type { Grant } from '../conversation.ts'
import { type Refused, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isId, isRecord, isWord, readJson, tableOf } from '../kit/read.ts'
import { moneyIn, type Unit } from '../kit/unit.ts'

/**
 * Reads HoneyCoin's responses member by member. A body that does not have the expected format is read as null: no part
 * of it is used.
 */

/**
 * The statuses of a transaction. HoneyCoin does not publish them: these are understood, in upper or lower case; others
 * are not.
 */
const states = tableOf({
  successful: 'done',
  success: 'done',
  completed: 'done',
  pending: 'waiting',
  processing: 'waiting',
  initiated: 'waiting',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
} as const)
type HoneycoinState = 'done' | 'waiting' | 'failed'

export type HoneycoinTransaction = {
  transactionId: string
  externalReference: string
  state: HoneycoinState
  status: string
  money: Money
  /** The URL that the customer must be redirected to. */
  url: string | null
  message: string
}

export function readTransaction(body: unknown, unit: Unit): HoneycoinTransaction | null {
  const data = isRecord(body) && body.success === true ? body.data : null
  if (!isRecord(data)) return null
  const { transactionId, externalReference, status, amount, currency, redirectUrl = null, message } = data
  const money = moneyIn(unit, amount, currency)
  const state = isWord(status) ? states[status.toLowerCase()] : undefined
  if (!isId(transactionId) || !isId(externalReference) || state === undefined || money === null) return null
  if (redirectUrl !== null && !isAddress(redirectUrl)) return null
  const text = typeof message === 'string' && message !== '' ? message : String(status)
  return { transactionId, externalReference, state, status: String(status), money, url: redirectUrl, message: text }
}

const errors = { 400: 'invalid_request', 403: 'configuration', 404: 'not_found', 422: 'invalid_request' } as const

/** Reads an error response, which has `success: false` and a message. */
export const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && body.success === false && !('data' in body) ? refusedBy(errors, status, body.message) : null

/** The lifetime of a token, in seconds. An expiry time by HoneyCoin's clock would say nothing by ours. */
const LIFE_S = 7200

export function readGrant(reply: Reply): Grant {
  if (reply.is !== 'reply') return { is: 'unavailable', why: reply.why }
  const body = readJson(reply.body)
  if (
    reply.status === 200 &&
    isRecord(body) &&
    body.success === true &&
    typeof body.token === 'string' &&
    /^[\x21-\x7e]{1,8192}$/.test(body.token)
  )
    return { is: 'granted', token: new Secret(body.token), expires_in_s: LIFE_S }
  if ((reply.status === 401 || reply.status === 403) && isRecord(body) && body.success === false)
    return { is: 'refused', message: typeof body.message === 'string' ? body.message : 'no token was issued for these keys' }
  return { is: 'unavailable', why: `invalid response to the token request (HTTP ${reply.status})` }
}

/** Returns the id of the transaction that a webhook is about. */
export function readNamed(body: unknown): string | null {
  const data = isRecord(body) && isRecord(body.data) ? body.data : body
  return isRecord(data) && isId(data.externalReference) ? data.externalReference : null
}
