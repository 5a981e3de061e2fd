// Native 3-D Secure: Adyen authenticates the shopper in the merchant's own page, step by step. The directory of the
// sandbox is asked (`../directory.ts`), and its issuer shows the pages.

import type { Account } from '../books.ts'
import { behaviourOf, type Verdict } from '../cards.ts'
import { asOf, begun, idOf, request } from '../directory.ts'
import type { Authentication, Operation, Payment } from '../records.ts'
import type { Body } from '../requests.ts'
import { pspOf } from './adyen-documents.ts'
import { part, text, word } from './adyen-read.ts'
import { AdyenRefusal } from './adyen-refusals.ts'

/** Public test cards whose issuer looks at no browser before its challenge, and whose issuer has no page for that. */
const challengedAtOnce = ['4212345678910006']
const withoutMethod = ['4917610000000000']
/** Of which Adyen, once the browser was looked at, sends the shopper to a page of its own all the same. */
const fallsBack = ['4212345678901237']

/** Where the challenge is to end, if the shopper is to be authenticated in the page; null if not. */
export function notificationOf(body: Body): string | null {
  const wishes = part(part(body, 'authenticationData'), 'threeDSRequestData')
  const preferred = word(wishes, 'nativeThreeDS', ['preferred', 'disabled']) === 'preferred'
  const address = text(part(body, 'threeDS2RequestData'), 'notificationURL', 256)
  if (address !== null && !/^https?:\/\//.test(address)) throw new AdyenRefusal(422, '702', "Field 'notificationURL' is not valid.")
  const { paymentMethod, browserInfo } = body
  const isCard = text(paymentMethod as Body, 'type') === 'scheme' && text(paymentMethod as Body, 'number') !== null
  return preferred && isCard && body.channel === 'Web' && browserInfo !== undefined ? address : null
}

type Native = Authentication & { method: boolean; fallsBack: boolean; token: string }

/** The authentication of a payment that waits for its shopper; null if they were sent to a page of Adyen. */
export function authenticationIn(account: Account, { payment }: Operation): Native | null {
  const found = account.documents.get(idOf(account, payment)) as Native | undefined
  return found && !(found.fallsBack && found.trans_status !== null) ? found : null
}

/** The beginning: an issuer that looks at no browser is asked at once. */
export function beginNative(account: Account, { operation, payment }: Asked, body: Body, notification_url: string, at: number): Native {
  const number = text(part(body, 'paymentMethod'), 'number') ?? ''
  const { card, masked, asked: amount, currency, id: reference } = payment
  const opened = { ...begun(account, { reference, card, masked, amount, currency, merchant: null }), notification_url }
  const native = {
    ...opened,
    method: !withoutMethod.includes(number),
    fallsBack: fallsBack.includes(number),
    token: operation.challenge!.token,
  }
  return challengedAtOnce.includes(number) ? { ...native, ...issuerAsked(native, 'U', at) } : native
}
type Asked = { operation: Operation; payment: Payment }

/** A card that is not enrolled is attempted: its issuer need not say anything. */
const issuerAsked = (native: Authentication, method: string, at: number): Authentication =>
  request({ ...native, enrolled: true }, { method, device: 'BRW', challenge: 'if_needed', notification_url: native.notification_url }, at)

const inBase64 = (said: object): string => Buffer.from(JSON.stringify(said)).toString('base64')

/** What the shopper's page is to do next. */
export function nativeAction(native: Native, operation: Operation, url: string): { resultCode: string; action: object } {
  const { id: threeDSServerTransID, acs_transaction_id: acsTransID, version: messageVersion, method, notification_url } = native
  const action = { type: 'threeDS2', paymentMethodType: 'scheme', paymentData: paymentDataOf(operation), authorisationToken: 'Ab02b4c0!' }
  if (native.trans_status === null) {
    const threeDSMethodNotificationURL = `${url}/3ds/method-notification`
    const page = method ? { threeDSMethodURL: `${url}/3ds/method` } : {}
    const token = inBase64({ threeDSMethodNotificationURL, ...page, threeDSServerTransID })
    return { resultCode: 'IdentifyShopper', action: { ...action, subtype: 'fingerprint', token } }
  }
  const token = inBase64({
    acsReferenceNumber: 'SANDBOX-ACS-1',
    acsTransID,
    acsURL: `${url}/3ds/challenge`,
    messageVersion,
    threeDSNotificationURL: notification_url,
    threeDSServerTransID,
  })
  return { resultCode: 'ChallengeShopper', action: { ...action, subtype: 'challenge', token } }
}

const paymentDataOf = ({ id, challenge }: Operation): string => `Ab02b4c0!${pspOf(id)}${challenge!.token}`

/** Which payment is gone on with; null if it is none of this account. */
export function paymentIn(account: Account, paymentData: string): string | null {
  const payment = account.names.get(paymentData.slice(9, 25))
  const operation = payment === undefined ? undefined : account.operations.get(payment)
  return operation?.challenge && paymentDataOf(operation) === paymentData ? payment! : null
}

/** The members of `details` that go on with it. */
export const steps = ['threeds2.fingerprint', 'threeds2.challengeResult'] as const

/**
 * What a step comes to: the authentication as it is then, and what is decided. What the shopper's page says of the
 * challenge is not believed: the issuer has told the directory.
 */
export function stepped(native: Native, details: Body, at: number): { native: Native; verdict: Verdict | null } {
  const seen = read(details, 'threeds2.fingerprint', 'threeDSCompInd', ['Y', 'N', 'U'])
  const ended = read(details, 'threeds2.challengeResult', 'transStatus', ['Y', 'N', 'U', 'A', 'R', 'C', 'D', 'I'])
  if (seen !== null) {
    const now = native.trans_status === null ? { ...native, ...issuerAsked(native, seen, at) } : native
    return { native: now, verdict: now.trans_status === 'C' ? null : verdictOf(now) }
  }
  if (ended === null) throw new AdyenRefusal(422, '14_005', "Required object 'details' is not provided.")
  if (native.trans_status === null) throw new AdyenRefusal(422, '702', 'The fingerprint of the shopper was not submitted')
  const known = { ...native, ...asOf(native, at) }
  return { native: known, verdict: known.trans_status === 'C' ? 'authentication_failed' : verdictOf(known) }
}

function verdictOf({ trans_status, card }: Authentication): Verdict {
  const { challenge, authorize } = behaviourOf(card)
  return trans_status === 'N' || trans_status === 'R' ? 'authentication_failed' : (challenge ?? authorize ?? 'approved')
}

function read<Word extends string>(details: Body, step: string, name: string, words: readonly Word[]): Word | null {
  const said = text(details, step)
  if (said === null) return null
  try {
    return word(JSON.parse(Buffer.from(said, 'base64').toString()) as Body, name, words)
  } catch {
    throw new AdyenRefusal(422, '702', `Field '${step}' is not valid.`)
  }
}
