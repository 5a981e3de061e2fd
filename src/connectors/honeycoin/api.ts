import type { Money } from '../../base/money.ts'
import { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { Account, Conversation, Outcome } from '../connector.ts'
import { type Grant, withToken } from '../conversation.ts'
import { credentialOf, credentialsOf } from '../kit/credentials.ts'
import { declinedWith, doneWith, type ParsedReply, parseReply, type Refused, readerOf, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isId, isRecord, isWord, readJson, tableOf } from '../kit/read.ts'
import { bearerOf } from '../kit/request.ts'
import { moneyIn, type Unit } from '../kit/unit.ts'

/** Without a token nothing is sent. */
export function* call(
  account: Account,
  unit: Unit,
  request: Omit<Request, 'headers'>,
  secrets: readonly Secret[] = [],
): Conversation<ParsedReply<HoneycoinTransaction>> {
  const reply: Reply | Exclude<Grant, { is: 'granted' }> = yield* withToken(
    () => fetchToken(account),
    token => ({ ...request, headers: { authorization: bearerOf(token), 'content-type': 'application/json' } }),
  )
  if (reply.is === 'refused') return { is: 'refused', as: 'configuration', code: 'unauthorized', message: reply.message }
  if (reply.is === 'unavailable') return { is: 'not_sent', why: reply.why }
  return parseReply(
    reply,
    [...credentialsOf(account), ...secrets],
    readerOf(body => readTransaction(body, unit), readRefused),
  )
}

function* fetchToken(account: Account): Generator<Request, Grant, Reply> {
  const reply = yield {
    method: 'POST',
    url: `${account.base_url}/auth/generate-bearer-token`,
    headers: { 'api-key': credentialOf(account).reveal(), 'content-type': 'application/json' },
    body: JSON.stringify({ publicKey: credentialOf(account, 'key1').reveal() }),
  }
  return readGrant(reply)
}

/** A body that does not have the expected format is read as null: no part of it is used. */

/** HoneyCoin does not publish them. Upper or lower case; others are not understood. */
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

type HoneycoinTransaction = {
  transactionId: string
  externalReference: string
  state: HoneycoinState
  status: string
  money: Money
  url: string | null
  message: string
}

function readTransaction(body: unknown, unit: Unit): HoneycoinTransaction | null {
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

/** `success: false` and a message. */
const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && body.success === false && !('data' in body) ? refusedBy(errors, status, body.message) : null

/** The lifetime of a token, in seconds. An expiry time by HoneyCoin's clock would say nothing by ours. */
const LIFE_S = 7200

function readGrant(reply: Reply): Grant {
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

export function readNamed(body: unknown): string | null {
  const data = isRecord(body) && isRecord(body.data) ? body.data : body
  return isRecord(data) && isId(data.externalReference) ? data.externalReference : null
}

export function outcomeOf(
  { transactionId, externalReference, state, status, money, url, message }: HoneycoinTransaction,
  verb: 'authorize' | 'payout',
): Outcome {
  switch (state) {
    case 'done':
      return doneWith(transactionId, money, { request_id: externalReference, captured: verb === 'authorize' ? money : null })
    case 'waiting':
      return { is: 'waiting', reference: transactionId, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
    case 'failed':
      return declinedWith(verb === 'authorize' ? 'card_declined' : 'operation_declined', status, message, transactionId)
  }
}
