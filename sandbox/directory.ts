// The directory of 3-D Secure: who is enrolled, what the issuer says of a card's holder, and what proves that.
// Nothing here waits, writes or speaks.

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

/** Hex digits of what belongs to an authentication, always the same. */
const digits = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

const uuid = (...parts: string[]): string => {
  const hex = digits(...parts)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** By the merchant's reference: a merchant that asks twice means the same one. */
export const idOf = (account: Account, reference: string): string => uuid('authentication', account.name, reference)

/** Which scheme's directory it is, by the card's first digit. */
const servers: Readonly<Record<string, string>> = { '3': 'A000000025', '4': 'A000000003', '5': 'A000000004', '6': 'A000000324' }
const isMastercard = ({ masked }: Pick<Authentication, 'masked'>): boolean => masked.startsWith('5')

/** Is the card enrolled, and for what? */
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

/** An authentication before the issuer is asked. */
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

/** The issuer is asked, with what is known of the shopper's browser. Asked again it says the same. */
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

/** As it stands now: a challenge without an answer is over at its time. */
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

/** What the merchant is told of it. */
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
 * Is this what the directory has said of this very card, amount and currency? Of an authentication that was made
 * elsewhere the directory cannot say.
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
