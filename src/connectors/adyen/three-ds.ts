import type { Account, AuthorizeRequest } from '../connector.ts'
import { isId, isRecord, isWord, optional, readJson, readUrl, readWord } from '../kit/read.ts'
import { challengeRequest, methodData } from '../kit/three-ds.ts'
import type { ProcessorAction } from '../next-action.ts'
import { settingOf } from '../settings.ts'

/** On Adyen's page, or in the checkout, step by step (docs.adyen.com, build your own 3D Secure 2). */

/** Where the issuer's challenge returns: only if the account's setting allows it, and the browser's data is known. */
export const notificationOf = (
  { three_ds, notification_url }: Pick<AuthorizeRequest, 'three_ds' | 'notification_url'>,
  account: Account,
  knowsBrowser: boolean,
): string | undefined => (knowsBrowser && three_ds !== 'skip' && settingOf(account, 'native_3ds') === 'true' ? notification_url : undefined)

const redirected = { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'disabled' } } as const
/** 05: the challenge fills the whole window (EMV 3-D Secure). */
const inTheCheckout = {
  attemptAuthentication: 'always',
  threeDSRequestData: { nativeThreeDS: 'preferred', challengeWindowSize: '05' },
} as const

/** `notificationURL`: where the issuer's challenge returns, if the customer is authenticated in the checkout. */
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
const LONGEST_SESSION = 200_000
const readSession = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= LONGEST_SESSION ? value : null

/** The token contains the URL of the browser's fingerprint, or of the challenge. An issuer may fingerprint nothing. */
export function readStep({ subtype, token, paymentData }: Record<string, unknown>): ProcessorAction | null {
  const decoded = typeof token === 'string' && token.length <= LONGEST_TOKEN ? readJson(Buffer.from(token, 'base64').toString()) : null
  const session = optional(paymentData, readSession)
  if (!isRecord(decoded) || session === undefined || !isId(decoded.threeDSServerTransID)) return null
  const server_transaction_id = decoded.threeDSServerTransID
  if (subtype === 'fingerprint') {
    const at = decoded.threeDSMethodURL === '' ? null : optional(decoded.threeDSMethodURL, readUrl)
    const notificationUrl = optional(decoded.threeDSMethodNotificationURL, readUrl)
    if (at === undefined || notificationUrl === undefined) return null
    const method = at === null || notificationUrl === null ? null : { url: at, data: methodData(server_transaction_id, notificationUrl) }
    return { ...invoked, method, native: { server_transaction_id, session, challenge: null } }
  }
  const { acsTransID: acs_transaction_id, messageVersion: version } = decoded
  const acs_url = readUrl(decoded.acsURL)
  const reference_number = readWord(decoded.acsReferenceNumber)
  if (subtype !== 'challenge' || acs_url === null || !isId(acs_transaction_id) || !isWord(version)) return null
  const request = challengeRequest({ server_transaction_id, acs_transaction_id, version })
  const challenge = { acs_url, request, reference_number, transaction_id: acs_transaction_id }
  return { ...invoked, version, native: { server_transaction_id, session, challenge } }
}
const invoked = { type: 'three_ds_invoke', version: null, directory_server_id: null, method: null } as const

const inBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

export function stepDetails({ threeds_method_comp_ind, trans_status, session: paymentData }: Readonly<Record<string, string>>) {
  const step = {
    ...(threeds_method_comp_ind !== undefined && { 'threeds2.fingerprint': inBase64({ threeDSCompInd: threeds_method_comp_ind }) }),
    ...(trans_status !== undefined && { 'threeds2.challengeResult': inBase64({ transStatus: trans_status }) }),
  }
  return { step, paymentData }
}
