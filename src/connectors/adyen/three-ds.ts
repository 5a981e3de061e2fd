import type { Account, AuthorizeRequest } from '../connector.ts'
import { isId, isRecord, isWord, optional, readJson, readUrl, readWord } from '../kit/read.ts'
import { challengeRequest, methodData } from '../kit/three-ds.ts'
import type { SaidAction } from '../next-action.ts'
import { settingOf } from '../settings.ts'

/**
 * 3-D Secure at Adyen: on a page of theirs, or in the checkout, step by step (docs.adyen.com, build your own 3D
 * Secure 2).
 */

/**
 * Where the issuer's challenge ends, if the customer is authenticated in the checkout: where the account says so, and
 * Adyen is told of the browser.
 */
export const notificationOf = (
  { three_ds, notification_url }: Pick<AuthorizeRequest, 'three_ds' | 'notification_url'>,
  account: Account,
  knowsBrowser: boolean,
): string | undefined => (knowsBrowser && three_ds !== 'skip' && settingOf(account, 'native_3ds') === 'true' ? notification_url : undefined)

/** The customer is sent to a page of Adyen. */
const redirected = { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'disabled' } } as const
/** 05: the challenge has the whole window (EMV 3-D Secure). */
const inTheCheckout = {
  attemptAuthentication: 'always',
  threeDSRequestData: { nativeThreeDS: 'preferred', challengeWindowSize: '05' },
} as const

/** `notificationURL`: where the issuer's challenge ends, if the customer is authenticated in the checkout. */
export const authenticatedBy = ({ three_ds }: Pick<AuthorizeRequest, 'three_ds'>, notificationURL?: string) => ({
  authenticationData:
    three_ds === 'skip' ? ({ attemptAuthentication: 'never' } as const) : notificationURL === undefined ? redirected : inTheCheckout,
  ...(three_ds !== 'skip' &&
    (notificationURL !== undefined || three_ds === 'challenge') && {
      threeDS2RequestData: {
        ...(notificationURL !== undefined && { notificationURL }),
        // 04: a challenge is mandated (EMV 3-D Secure).
        ...(three_ds === 'challenge' && { threeDSRequestorChallengeInd: '04' as const }),
      },
    }),
})

const LONGEST_TOKEN = 20_000
/** The longest that Adyen takes back. */
const LONGEST_SESSION = 200_000
const readSession = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= LONGEST_SESSION ? value : null

/**
 * Native 3-D Secure: the token says where the browser's fingerprint is taken, or where the issuer's challenge is
 * (docs.adyen.com, build your own 3D Secure 2). An issuer without a page for the fingerprint has none taken.
 */
export function readStep({ subtype, token, paymentData }: Record<string, unknown>): SaidAction | null {
  const said = typeof token === 'string' && token.length <= LONGEST_TOKEN ? readJson(Buffer.from(token, 'base64').toString()) : null
  const session = optional(paymentData, readSession)
  if (!isRecord(said) || session === undefined || !isId(said.threeDSServerTransID)) return null
  const server_transaction_id = said.threeDSServerTransID
  if (subtype === 'fingerprint') {
    const at = said.threeDSMethodURL === '' ? null : optional(said.threeDSMethodURL, readUrl)
    const told = optional(said.threeDSMethodNotificationURL, readUrl)
    if (at === undefined || told === undefined) return null
    const method = at === null || told === null ? null : { url: at, data: methodData(server_transaction_id, told) }
    return { ...invoked, method, native: { server_transaction_id, session, challenge: null } }
  }
  const { acsTransID: transaction_id, messageVersion: version } = said
  const acs_url = readUrl(said.acsURL)
  const reference_number = readWord(said.acsReferenceNumber)
  if (subtype !== 'challenge' || acs_url === null || !isId(transaction_id) || !isWord(version)) return null
  const request = challengeRequest({ server_transaction_id, transaction_id, version })
  const challenge = { acs_url, request, reference_number, transaction_id }
  return { ...invoked, version, native: { server_transaction_id, session, challenge } }
}
const invoked = { type: 'three_ds_invoke', version: null, directory_server_id: null, method: null } as const

const inBase64 = (said: object): string => Buffer.from(JSON.stringify(said)).toString('base64')

/** What the customer's browser has brought of it, as Adyen is told, and what Adyen calls the payment then. */
export function toldOfStep({ threeds_method_comp_ind, trans_status, session: paymentData }: Readonly<Record<string, string>>) {
  const step = {
    ...(threeds_method_comp_ind !== undefined && { 'threeds2.fingerprint': inBase64({ threeDSCompInd: threeds_method_comp_ind }) }),
    ...(trans_status !== undefined && { 'threeds2.challengeResult': inBase64({ transStatus: trans_status }) }),
  }
  return { step, paymentData }
}
