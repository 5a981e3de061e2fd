// Native 3-D Secure: Adyen authenticates the shopper in the merchant's own page, step by step. The sandbox's directory
// (`../directory.ts`) runs the authentication, and its issuer shows the pages.

import type { Account } from '../books.ts'
import { behaviourOf, type Verdict } from '../cards.ts'
import { asOf, begun, idOf, request } from '../directory.ts'
import type { Authentication, Operation, Payment } from '../records.ts'
import type { Body } from '../requests.ts'
import { pspOf } from './adyen-documents.ts'
import { part, text, word } from './adyen-read.ts'
import { AdyenRefusal } from './adyen-refusals.ts'

/**
 * Adyen's public test cards: one whose issuer challenges without inspecting the browser first, and one whose issuer
 * has no page for the inspection.
 */
const challengedAtOnce = ['4212345678910006']
const withoutMethod = ['4917610000000000']
/** Test cards for which Adyen redirects the shopper to a page of its own after the browser was inspected. */
const fallsBack = ['4212345678901237']

/** Returns the URL at which the challenge ends, if the shopper is authenticated in the page; null otherwise. */
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

/**
 * Returns the authentication of a payment that waits for its shopper; null if the shopper was redirected to a page of
 * Adyen.
 */
export function authenticationIn(account: Account, { payment }: Operation): Native | null {
  const found = account.documents.get(idOf(account, payment)) as Native | undefined
  return found && !(found.fallsBack && found.trans_status !== null) ? found : null
}

/**
 * Begins native authentication. For a card challenged at once, the issuer receives the request without an inspection
 * of the browser.
 */
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

/** Sends the authentication to the issuer, also for a card that is not enrolled. */
const issuerAsked = (native: Authentication, method: string, at: number): Authentication =>
  request({ ...native, enrolled: true }, { method, device: 'BRW', challenge: 'if_needed', notification_url: native.notification_url }, at)

const inBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** Returns the next action of the shopper's page. */
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

/** Returns the payment that `paymentData` continues; null if it is not of this account. */
export function paymentIn(account: Account, paymentData: string): string | null {
  const payment = account.names.get(paymentData.slice(9, 25))
  const operation = payment === undefined ? undefined : account.operations.get(payment)
  return operation?.challenge && paymentDataOf(operation) === paymentData ? payment! : null
}

/** The members of `details` with which the shopper's page continues the authentication. */
export const steps = ['threeds2.fingerprint', 'threeds2.challengeResult'] as const

/**
 * Carries out a step of native authentication. Returns the authentication after it, and the verdict if the step
 * decides the payment. The challenge result that the shopper's page sends is not trusted: the issuer reports to the
 * directory.
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

function read<Word extends string>(details: Body, step: string, name: string, allowed: readonly Word[]): Word | null {
  const encoded = text(details, step)
  if (encoded === null) return null
  try {
    return word(JSON.parse(Buffer.from(encoded, 'base64').toString()) as Body, name, allowed)
  } catch {
    throw new AdyenRefusal(422, '702', `Field '${step}' is not valid.`)
  }
}
