import { type TransactionStatus, transactionStatuses } from '../authentication.ts'
import { isOneOf, isRecord, readJson } from './read.ts'

const encoded = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64url')

/** Posted to the issuer's hidden page (3DS method), which reports its completion to `notification_url`. */
export const methodData = (server_transaction_id: string, notification_url: string): string =>
  encoded({ threeDSServerTransID: server_transaction_id, threeDSMethodNotificationURL: notification_url })

type Challenged = { server_transaction_id: string; acs_transaction_id: string; version: string }

/** `creq`. 05: the page fills the whole window. */
export const challengeRequest = ({ server_transaction_id, acs_transaction_id, version }: Challenged): string =>
  encoded({
    threeDSServerTransID: server_transaction_id,
    acsTransID: acs_transaction_id,
    messageVersion: version,
    messageType: 'CReq',
    challengeWindowSize: '05',
  })

/** `cres`, from the issuer's challenge page; it may be forged. */
export function readChallengeResponse(cres: unknown): { server_transaction_id: string; trans_status: TransactionStatus } | null {
  if (typeof cres !== 'string' || cres.length > 8_192) return null
  const message = readJson(Buffer.from(cres, 'base64url').toString())
  if (!isRecord(message) || typeof message.threeDSServerTransID !== 'string' || !isOneOf(transactionStatuses, message.transStatus))
    return null
  return { server_transaction_id: message.threeDSServerTransID, trans_status: message.transStatus }
}
