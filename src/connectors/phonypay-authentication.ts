import { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import {
  type AuthenticateRequest,
  type AuthenticationFacts,
  type IssuerReply,
  type IssuerRequest,
  type ThreeDsResult,
  type TransactionStatus,
  transactionStatuses,
} from './authentication.ts'
import type { Account, Conversation, Outcome, SyncRequest } from './connector.ts'
import { unknown } from './parse-reply.ts'
import { readUrl } from './phonypay-action.ts'
import { baseOf, declinedByPhonypay, withoutKey } from './phonypay-talk.ts'
import { readRefused } from './phonypay-wire.ts'
import { plainText, redact } from './text.ts'
import { isAmount, isId, isOneOf, isRecord, isWord, readJson } from './wire.ts'

/**
 * The sandbox's directory of 3-D Secure; `sandbox/README.md` is its contract. Nothing here moves money: a request may
 * be sent again under its reference, and what became of it is always told.
 */

/** What it writes of an authentication, read member by member. */
type Told = {
  id: string
  reference: string
  amount: number
  currency: string
  enrolled: boolean
  version: string
  directory_server_id: string
  method: { url: string; data: string } | null
  flow: AuthenticationFacts['flow']
  trans_status: TransactionStatus | null
  challenge: { acs_url: string; creq: string; acs_reference_number: string; acs_transaction_id: string } | null
  ds_transaction_id: string | null
  eci: string | null
  cavv: string | null
}

/**
 * Asks whether the card is enrolled. Its outcome: nothing to ask (`done`, without a proof), or what the customer's
 * browser is to do.
 */
export function* authenticate(ask: AuthenticateRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const { number, exp_month, exp_year } = ask.means
  const request: Request = post(account, key, '', {
    reference: ask.request_id,
    amount: ask.money.amount,
    currency: ask.money.currency,
    card: { number: number.reveal(), exp_month, exp_year },
    merchant: ask.merchant_name,
  })
  const heard = hear(yield request, [key, number])
  if (heard.is === 'refused') return declinedByPhonypay(heard.no, heard.no.means === 'configuration' ? 'configuration' : 'invalid_request')
  return heard.is === 'told' ? outcomeOf(heard.told) : heard
}

/** Asks the issuer, with what is known of the customer's browser. Asked again it says the same. */
export function* askIssuer(ask: IssuerRequest, account: Account): Conversation<IssuerReply> {
  const key = account.credentials.api_key
  if (!key) return { is: 'refused', code: 'unauthorized', said: 'the connector account has no api_key' }
  const heard = hear(
    yield post(account, key, `/${encodeURIComponent(ask.reference)}/request`, {
      method: ask.method,
      device: ask.device,
      customer: ask.customer,
      challenge: ask.challenge === 'mandated' ? 'mandated' : 'if_needed',
      notification_url: ask.back,
    }),
    [key],
  )
  if (heard.is === 'refused') return { is: 'refused', code: heard.no.code, said: plainText(heard.no.message) }
  if (heard.is !== 'told') return unknown(heard.why)
  const { trans_status, challenge } = heard.told
  if (trans_status === null || (trans_status === 'C') !== (challenge !== null)) return unknown('the issuer has not responded')
  return {
    is: 'said',
    status: trans_status,
    challenge: challenge && {
      acs_url: challenge.acs_url,
      request: challenge.creq,
      reference_number: challenge.acs_reference_number,
      transaction_id: challenge.acs_transaction_id,
    },
  }
}

/** What became of an authentication. */
export function* syncAuthentication(ask: SyncRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return unknown('the connector account has no api_key')
  const which = ask.reference === null ? `by-reference/${encodeURIComponent(ask.request_id)}` : encodeURIComponent(ask.reference)
  const request: Request = {
    method: 'GET',
    url: `${baseOf(account)}/v1/authentications/${which}`,
    headers: { authorization: `Bearer ${key.reveal()}` },
  }
  const heard = hear(yield request, [key])
  if (heard.is === 'refused')
    return heard.no.means === 'not_found' ? { is: 'not_found' } : unknown(`the status request was refused (${heard.no.code})`)
  if (heard.is !== 'told') return unknown(heard.why)
  return heard.told.reference === ask.request_id ? outcomeOf(heard.told) : unknown('the response is for another authentication')
}

const post = (account: Account, key: Secret, path: string, body: object): Request => ({
  method: 'POST',
  url: `${baseOf(account)}/v1/authentications${path}`,
  headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const words: Partial<Record<TransactionStatus, string>> = {
  N: 'The customer was not authenticated.',
  U: 'The issuer could not authenticate the customer.',
  R: 'The issuer rejected the authentication.',
}

function outcomeOf(told: Told): Outcome {
  const { id, reference, enrolled, version, directory_server_id, method, flow, trans_status, ds_transaction_id, eci, cavv } = told
  const money = { amount: told.amount, currency: told.currency as 'USD' }
  const authentication: AuthenticationFacts = { flow, status: trans_status, eci, ds_transaction_id, version }
  const facts = { authentication }
  const done = { is: 'done', reference: id, request_id: reference, amount: money, captured: null, facts } as const
  if (!enrolled) return done
  if (trans_status === null)
    return { is: 'waiting', reference: id, next_action: { type: 'three_ds_invoke', version, directory_server_id, method } }
  if (trans_status === 'C') return { is: 'waiting', reference: id }
  if (trans_status === 'Y' || trans_status === 'A') {
    if (eci === null || cavv === null || ds_transaction_id === null) return unknown('authenticated, but the proof is missing')
    const proof: ThreeDsResult = { status: trans_status, eci, cavv: new Secret(cavv), ds_transaction_id, version }
    return { ...done, proof }
  }
  const said = words[trans_status]
  if (said === undefined) return unknown(`unexpected trans_status ${trans_status}`)
  return { is: 'declined', reference: id, code: 'authentication_failed', code_said: `trans_status_${trans_status}`, said, facts }
}

type Heard =
  | { is: 'told'; told: Told }
  | { is: 'refused'; no: NonNullable<ReturnType<typeof readRefused>> }
  | { is: 'not_sent' | 'unknown'; why: string }

function hear(reply: Reply, secrets: readonly Secret[]): Heard {
  if (reply.is === 'not_sent') return reply
  if (reply.is === 'silence') return unknown(reply.why)
  const body = readJson(redact(reply.body, secrets))
  if (reply.status === 200) {
    const told = readTold(body)
    return told ? { is: 'told', told } : unknown('invalid response (HTTP 200)')
  }
  const no = readRefused(reply.status, body)
  return no ? { is: 'refused', no } : unknown(`invalid response (HTTP ${reply.status})`)
}

function readTold(body: unknown): Told | null {
  if (!isRecord(body) || body.object !== 'authentication') return null
  const { id, reference, amount, currency, enrolled, version, directory_server_id, flow, trans_status, ds_transaction_id, eci, cavv } = body
  if (!isId(id) || !isId(reference) || !isAmount(amount) || !isWord(currency) || typeof enrolled !== 'boolean') return null
  if (!isWord(version) || !isWord(directory_server_id)) return null
  if (flow !== null && flow !== 'frictionless' && flow !== 'challenge') return null
  if (trans_status !== null && !isOneOf(transactionStatuses, trans_status)) return null
  if ((ds_transaction_id !== null && !isId(ds_transaction_id)) || (eci !== null && !isWord(eci))) return null
  if (cavv !== null && !(typeof cavv === 'string' && /^[A-Za-z0-9+/=]{20,64}$/.test(cavv))) return null
  const method = readMethod(body.method)
  const challenge = readChallenge(body.challenge)
  if (method === undefined || challenge === undefined) return null
  return {
    ...{ id, reference, amount, currency, enrolled, version, directory_server_id, method, flow, trans_status, challenge },
    ...{ ds_transaction_id, eci, cavv },
  }
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,4096}$/.test(value)

/** undefined: not understood. */
function readMethod(said: unknown): Told['method'] | undefined {
  if (said === null) return null
  const url = isRecord(said) ? readUrl(said.url) : null
  return isRecord(said) && url && isToken(said.data) ? { url, data: said.data } : undefined
}

function readChallenge(said: unknown): Told['challenge'] | undefined {
  if (said === null) return null
  if (!isRecord(said)) return undefined
  const { creq, acs_reference_number, acs_transaction_id } = said
  const acs_url = readUrl(said.acs_url)
  if (!acs_url || !isToken(creq) || !isWord(acs_reference_number) || !isId(acs_transaction_id)) return undefined
  return { acs_url, creq, acs_reference_number, acs_transaction_id }
}
