import type { Money } from '../../base/money.ts'
import { Secret } from '../../base/secret.ts'
import {
  type AuthenticateRequest,
  type AuthenticationFacts,
  type IssuerReply,
  type IssuerRequest,
  type ThreeDsResult,
  type TransactionStatus,
  transactionStatuses,
} from '../authentication.ts'
import type { Account, Conversation, Outcome, SyncRequest } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, failedLookup, failedOutcome, parseReply, readerOf, refusedMessage, unknown } from '../kit/parse-reply.ts'
import { isId, isOneOf, isRecord, isWord, optional, readMoney, readUrl } from '../kit/read.ts'
import { plainText } from '../kit/text.ts'
import { get, operationName, post } from './api.ts'
import { readRefused } from './replies.ts'

/** `sandbox/README.md` is its contract. Nothing moves money, and everything can be sent again and looked up. */

type PhonypayAuthentication = {
  id: string
  reference: string
  money: Money
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

/** `done` without a proof if the card is not enrolled, or the next action for the customer's browser. */
export function* authenticate(ask: AuthenticateRequest, account: Account): Conversation {
  const { number, exp_month, exp_year } = ask.instrument
  const request = post(account, '/authentications', {
    reference: ask.request_id,
    amount: ask.money.amount,
    currency: ask.money.currency,
    card: { number: number.reveal(), exp_month, exp_year },
    merchant: ask.merchant_name,
  })
  const reply = parseReply(yield request, [credentialOf(account), number], authenticationReply)
  if (reply.is === 'answer') return outcomeOf(reply.answer)
  if (reply.is !== 'refused') return failedOutcome(reply)
  const code = reply.as === 'configuration' ? 'configuration' : 'invalid_request'
  return declinedWith(code, reply.code, refusedMessage(code, reply.message))
}

/** A repeated request has the same result. */
export function* askIssuer(ask: IssuerRequest, account: Account): Conversation<IssuerReply> {
  const request = post(account, `/authentications/${encodeURIComponent(ask.reference)}/request`, {
    method: ask.method,
    device: ask.device,
    customer: ask.customer,
    challenge: ask.challenge === 'mandated' ? 'mandated' : 'if_needed',
    notification_url: ask.back,
  })
  const reply = parseReply(yield request, [credentialOf(account)], authenticationReply)
  if (reply.is === 'refused') return { is: 'refused', code: reply.code, message: plainText(reply.message) }
  if (reply.is !== 'answer') return unknown(reply.why)
  const { trans_status, challenge } = reply.answer
  if (trans_status === null || (trans_status === 'C') !== (challenge !== null)) return unknown('the issuer has not responded')
  return {
    is: 'answered',
    status: trans_status,
    challenge: challenge && {
      acs_url: challenge.acs_url,
      request: challenge.creq,
      reference_number: challenge.acs_reference_number,
      transaction_id: challenge.acs_transaction_id,
    },
  }
}

export function* syncAuthentication(ask: SyncRequest, account: Account): Conversation {
  const reply = parseReply(yield get(account, `/authentications/${operationName(ask)}`), [credentialOf(account)], authenticationReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.reference === ask.request_id ? outcomeOf(reply.answer) : unknown('the response is for another authentication')
}

const messages: Partial<Record<TransactionStatus, string>> = {
  N: 'The customer was not authenticated.',
  U: 'The issuer could not authenticate the customer.',
  R: 'The issuer rejected the authentication.',
}

function outcomeOf(result: PhonypayAuthentication): Outcome {
  const { id, reference, money, enrolled, version, directory_server_id, method, flow, trans_status, ds_transaction_id, eci, cavv } = result
  const authentication: AuthenticationFacts = { flow, status: trans_status, eci, ds_transaction_id, version }
  const facts = { authentication }
  const done = { is: 'done', reference: id, request_id: reference, amount: money, captured: null, facts } as const
  if (!enrolled) return done
  if (trans_status === null)
    return { is: 'waiting', reference: id, next_action: { type: 'three_ds_invoke', version, directory_server_id, method } }
  if (trans_status === 'C') return { is: 'waiting', reference: id }
  if (trans_status === 'Y' || trans_status === 'A') {
    if (eci === null || cavv === null || ds_transaction_id === null) return unknown('authenticated, but the proof is missing')
    const three_ds_result: ThreeDsResult = { status: trans_status, eci, cavv: new Secret(cavv), ds_transaction_id, version }
    return { ...done, three_ds_result }
  }
  const sentence = messages[trans_status]
  if (sentence === undefined) return unknown(`unexpected trans_status ${trans_status}`)
  return { ...declinedWith('authentication_failed', `trans_status_${trans_status}`, sentence, id), facts }
}

function readAuthentication(body: unknown): PhonypayAuthentication | null {
  if (!isRecord(body) || body.object !== 'authentication') return null
  const { id, reference, amount, currency, enrolled, version, directory_server_id, flow, trans_status, ds_transaction_id, eci, cavv } = body
  const money = readMoney(amount, currency)
  if (!isId(id) || !isId(reference) || money === null || typeof enrolled !== 'boolean') return null
  if (!isWord(version) || !isWord(directory_server_id)) return null
  if (flow !== null && flow !== 'frictionless' && flow !== 'challenge') return null
  if (trans_status !== null && !isOneOf(transactionStatuses, trans_status)) return null
  if ((ds_transaction_id !== null && !isId(ds_transaction_id)) || (eci !== null && !isWord(eci))) return null
  if (cavv !== null && !(typeof cavv === 'string' && /^[A-Za-z0-9+/=]{20,64}$/.test(cavv))) return null
  const method = optional(body.method, readMethod)
  const challenge = optional(body.challenge, readChallenge)
  if (method === undefined || challenge === undefined) return null
  return {
    ...{ id, reference, money, enrolled, version, directory_server_id, method, flow, trans_status, challenge },
    ...{ ds_transaction_id, eci, cavv },
  }
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,4096}$/.test(value)

function readMethod(value: unknown): PhonypayAuthentication['method'] {
  const url = isRecord(value) ? readUrl(value.url) : null
  return isRecord(value) && url && isToken(value.data) ? { url, data: value.data } : null
}

function readChallenge(value: unknown): PhonypayAuthentication['challenge'] {
  if (!isRecord(value)) return null
  const { creq, acs_reference_number, acs_transaction_id } = value
  const acs_url = readUrl(value.acs_url)
  if (!acs_url || !isToken(creq) || !isWord(acs_reference_number) || !isId(acs_transaction_id)) return null
  return { acs_url, creq, acs_reference_number, acs_transaction_id }
}

const authenticationReply = readerOf(readAuthentication, readRefused)
