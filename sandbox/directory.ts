// The directory of 3-D Secure: which cards are enrolled, the issuer's answer about the cardholder, and its proof. All
// of it is pure: no waiting, no writing, no network.

import { createHash } from 'node:crypto'
import type { Account } from './books.ts'
import { behaviourOf } from './cards.ts'
import { notAllowed } from './processor.ts'
import type { Authentication } from './records.ts'
import { Refusal } from './refusals.ts'
import {
  type AuthorizeRequest,
  type Body,
  readAmount,
  readCard,
  readMatch,
  readReference,
  readUrl,
  readWord,
  type ThreeDsResult,
} from './requests.ts'

const challengeLife = 10 * 60_000

/** Returns hex digits derived from the parts; the same parts always give the same digits. */
const digits = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

const uuid = (...parts: string[]): string => {
  const hex = digits(...parts)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * Returns the id of the authentication with this merchant reference. A repeated request with one reference means the
 * same authentication.
 */
export const idOf = (account: Account, reference: string): string => uuid('authentication', account.name, reference)

/** The directory server of each card scheme, by the card's first digit. */
const servers: Readonly<Record<string, string>> = { '3': 'A000000025', '4': 'A000000003', '5': 'A000000004', '6': 'A000000324' }
const isMastercard = ({ masked }: Pick<Authentication, 'masked'>): boolean => masked.startsWith('5')

/** Reads a request and returns its authentication, with whether the card is enrolled. */
export function lookUp(account: Account, body: Body): Authentication {
  const reference = readReference(body)
  const { name: card, masked } = readCard(body.card)
  return begun(account, {
    reference,
    card,
    masked,
    amount: body.amount === 0 ? 0 : readAmount(body),
    currency: readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals'),
    merchant: body.merchant === undefined ? null : readMatch(body, 'merchant', /^.{1,255}$/su, '1 to 255 characters'),
  })
}

type Subject = Pick<Authentication, 'reference' | 'card' | 'masked' | 'amount' | 'currency' | 'merchant'>

/** Returns an authentication that has not been sent to the issuer yet. */
export function begun(account: Account, subject: Subject): Authentication {
  const id = idOf(account, subject.reference)
  return {
    ...subject,
    id,
    object: 'authentication',
    enrolled: behaviourOf(subject.card).authentication !== 'not enrolled',
    version: '2.2.0',
    directory_server_id: servers[subject.masked[0]!] ?? 'A000000003',
    ds_transaction_id: uuid('directory', id),
    acs_transaction_id: uuid('issuer', id),
    flow: null,
    trans_status: null,
    notification_url: null,
    due_at: null,
  }
}

/**
 * Sends the authentication to the issuer, with the data about the shopper's browser. A repeated request returns the
 * same answer.
 */
export function request(before: Authentication, body: Body, at: number): Authentication {
  readWord(body, 'method', ['Y', 'N', 'U'])
  readWord(body, 'device', ['BRW', 'APP'])
  const mandated = readWord(body, 'challenge', ['if_needed', 'mandated']) === 'mandated'
  if (!before.enrolled) throw notAllowed('The card is not enrolled in 3-D Secure')
  if (before.trans_status !== null) return before
  const { authentication, challenge } = behaviourOf(before.card)
  const status = authentication ?? (challenge !== undefined || mandated ? 'C' : 'Y')
  if (status === 'not enrolled') throw notAllowed('The card is not enrolled in 3-D Secure')
  return {
    ...before,
    flow: status === 'C' ? 'challenge' : 'frictionless',
    trans_status: status,
    notification_url: readUrl(body, 'notification_url'),
    due_at: status === 'C' ? at + challengeLife : null,
  }
}

/** Returns the authentication as of now: an unanswered challenge fails once its time is over. */
export const asOf = (authentication: Authentication, at: number): Authentication =>
  authentication.trans_status === 'C' && at >= authentication.due_at!
    ? { ...authentication, trans_status: 'N', due_at: null }
    : authentication

const cavvOf = ({ id }: Authentication): string => Buffer.from(digits('cavv', id).slice(0, 40), 'hex').toString('base64')
const eciOf = (authentication: Authentication): string | null => {
  if (authentication.trans_status === 'Y') return isMastercard(authentication) ? '02' : '05'
  if (authentication.trans_status === 'A') return isMastercard(authentication) ? '01' : '06'
  return null
}

export function showAuthentication(authentication: Authentication, url: string): object {
  const { id, object, reference, amount, currency, enrolled, version, directory_server_id, ds_transaction_id, acs_transaction_id } =
    authentication
  const { flow, trans_status } = authentication
  const eci = eciOf(authentication)
  const open = trans_status === null
  const challenged = trans_status === 'C'
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    id,
    object,
    reference,
    amount,
    currency,
    enrolled,
    version,
    directory_server_id,
    method: enrolled && open ? { url: `${url}/3ds/method`, data: encoded({ threeDSServerTransID: id }) } : null,
    flow,
    trans_status,
    challenge: challenged
      ? {
          acs_url: `${url}/3ds/challenge`,
          creq: encoded({
            threeDSServerTransID: id,
            acsTransID: acs_transaction_id,
            messageVersion: version,
            messageType: 'CReq',
            challengeWindowSize: '05',
          }),
          acs_reference_number: 'SANDBOX-ACS-1',
          acs_transaction_id,
        }
      : null,
    ds_transaction_id: open ? null : ds_transaction_id,
    eci,
    cavv: eci === null ? null : cavvOf(authentication),
  }
}

export function needAuthentication(account: Account, id: string, at: number): Authentication {
  const found = account.documents.get(id)
  if (found?.object !== 'authentication') throw new Refusal('not_found', 'No such authentication')
  return asOf(found as Authentication, at)
}

/**
 * Whether the directory issued this 3-D Secure result for this card, amount and currency. True for a result from
 * elsewhere, which the directory cannot judge.
 */
export function holds(
  account: Account,
  threeDsResult: ThreeDsResult,
  card: AuthorizeRequest['card'],
  of: Pick<AuthorizeRequest, 'amount' | 'currency'>,
): boolean {
  const all = [...account.documents.values()].filter((one): one is Authentication => one.object === 'authentication')
  const found = all.find(one => one.ds_transaction_id === threeDsResult.ds_transaction_id)
  if (!found) return true
  const { masked, amount, currency, trans_status, version } = found
  return (
    [masked, amount, currency].join() === [card.masked, of.amount, of.currency].join() &&
    [trans_status, eciOf(found), cavvOf(found), version].join() ===
      [threeDsResult.status, threeDsResult.eci, threeDsResult.cavv, threeDsResult.version].join()
  )
}
