import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { connectors } from '../../connectors/all.ts'
import { readCvc } from '../../instruments/read-card.ts'
import { checkRequest } from '../../routing/known.ts'
import { readRequestRouting } from '../../routing/read.ts'

/** Checks of single members beyond their shapes; a refusal names the field. */

const CHOSEN_ID = /^[A-Za-z0-9_-]{30}$/

/** Refuses an id chosen by a merchant unless it has exactly 30 letters, digits, `_` or `-`. */
export function checkChosenId(field: string, id: string): void {
  if (!CHOSEN_ID.test(id)) refuse('malformed', { field, expected: 'exactly 30 letters, digits, _ or -' })
}

/** Refuses (IR_05) a refund, and an update or confirm of a payment, that names a merchant other than the caller's. */
export function checkOwnMerchant(field: string, merchant_id: string, merchant: Merchant): void {
  if (merchant_id !== merchant.merchant_id) refuse('malformed', { field, expected: 'the merchant of the api key' })
}

/** Refuses (HE_02) a request that names a merchant other than the caller's, where clients expect that error. */
export function checkNamedMerchant(_field: string, merchant_id: string, merchant: Merchant): void {
  if (merchant_id !== merchant.merchant_id) refuse('not_found', { what: 'merchant account' })
}

/** Refuses an unknown connector: a misspelled name would otherwise be noticed only when the payment is confirmed. */
export function checkConnectors(field: string, names: readonly string[]): void {
  const unknown = names.find(name => !connectors[name])
  if (unknown !== undefined)
    refuse('unacceptable', {
      field,
      problem: `${unknown} is not a connector; available connectors are ${Object.keys(connectors).sort().join(', ')}`,
    })
}

/** Refuses an online acceptance without the details of the customer's connection. */
export function checkAcceptance(field: string, { acceptance_type, online }: { acceptance_type: string; online?: object }): void {
  if (acceptance_type === 'online' && !online)
    refuse('precondition', { problem: `${field}.online is required when acceptance_type is online` })
}

/** Refuses a routing rule in a request that names accounts the merchant does not have. */
export const checkRouting = (_field: string, routing: unknown, merchant: Merchant): void =>
  checkRequest(merchant, readRequestRouting(routing))

export const checkCvc = (field: string, cvc: string): void => void readCvc(cvc, field)

type ThreeDsData = {
  transaction_status: string
  authentication_cryptogram?: { cavv: { authentication_cryptogram?: string } }
  ds_trans_id?: string
  version?: string
  eci?: string
}

/** Refuses an authentication elsewhere unless the customer was authenticated and the proof is complete. */
export function checkThreeDsData(field: string, data: ThreeDsData): void {
  if (data.transaction_status !== 'Y' && data.transaction_status !== 'A')
    refuse('unacceptable', { field: `${field}.transaction_status`, problem: 'must be Y or A: the customer was not authenticated' })
  const cavv = data.authentication_cryptogram?.cavv.authentication_cryptogram
  if (cavv === undefined) refuse('missing', { field: `${field}.authentication_cryptogram.cavv.authentication_cryptogram` })
  if (!/^[A-Za-z0-9+/]{27}=$/.test(cavv))
    refuse('malformed', { field: `${field}.authentication_cryptogram.cavv.authentication_cryptogram`, expected: '20 bytes in base64' })
  if (data.ds_trans_id === undefined || !/^[0-9A-Fa-f-]{36}$/.test(data.ds_trans_id))
    refuse('malformed', { field: `${field}.ds_trans_id`, expected: 'a UUID' })
  if (data.version === undefined || !/^2\.[0-9](?:\.[0-9])?$/.test(data.version))
    refuse('malformed', { field: `${field}.version`, expected: 'a version of EMV 3-D Secure, like 2.2.0' })
  if (data.eci === undefined || !/^0[0-7]$/.test(data.eci)) refuse('malformed', { field: `${field}.eci`, expected: 'two digits, like 05' })
}
