import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { ThreeDsResult } from '../authentication.ts'
import type { Account, AuthorizeRequest, RequestOf } from '../connector.ts'
import type { Counting } from '../counting.ts'
import type { EvidenceFile } from '../dispute.ts'
import { credentialOf } from '../kit/credentials.ts'
import { baseOf, bearerOf, getRequest, multipart } from '../kit/request.ts'
import { looksLikeEmail, nameIn, shortened } from '../kit/text.ts'
import type { Place, Purchase } from '../purchase.ts'
import { settingOf } from '../settings.ts'
import type { MitCategory } from '../verbs.ts'
import type { CheckoutFamily, CheckoutSource } from './offers.ts'

/** Absent members are left out. */

export type CheckoutCards = 'card' | 'stored_card' | 'network_transaction_id'
export type CheckoutTakes = CheckoutCards | CheckoutFamily

/** The exceptions (checkout.com/docs, calculating the value). */
export const counting: Counting = {
  decimals: { CLF: 0, CLP: 2 },
  // The last digits of these are always 0.
  steps: { BHD: 10, CLP: 100, IQD: 10, JOD: 10, KWD: 10, LYD: 10, OMR: 10, TND: 10 },
}

export const checkoutKeysOf = (account: Account): Secret[] => [credentialOf(account), credentialOf(account, 'api_secret')]

export const processingChannelOf = (account: Account): string => credentialOf(account, 'key1').reveal()

/** The secret key can move money. The public key (`api_key`) is for tokens only. */
const authorizationOf = (account: Account): string => bearerOf(credentialOf(account, 'api_secret'))

function hostOf(account: Account): string {
  const prefix = settingOf(account, 'endpoint_prefix')
  const base = baseOf(account)
  return prefix === undefined ? base : base.replace(/^https:\/\/(api\.(?:sandbox\.)?checkout\.com)$/, `https://${prefix}.$1`)
}

export const get = (account: Account, path: string): Request => getRequest(hostOf(account) + path, authorizationOf(account))

const sending =
  (method: 'POST' | 'PUT') =>
  (account: Account, path: string, body?: object, key?: string): Request => ({
    method,
    url: hostOf(account) + path,
    headers: {
      authorization: authorizationOf(account),
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'cko-idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

/** `key`: valid at Checkout.com for 72 hours. */
export const post = sending('POST')
export const putJson = sending('PUT')

export function form(
  account: Account,
  path: string,
  texts: Readonly<Record<string, string>>,
  file: EvidenceFile & { request_id: string },
): Request {
  const { bytes, type } = multipart(file.request_id, [
    ...Object.entries(texts).map(([name, content]) => ({ name, content })),
    { name: 'file', filename: fileName(file), type: file.content_type, content: file.bytes },
  ])
  return { method: 'POST', url: hostOf(account) + path, headers: { authorization: authorizationOf(account), 'content-type': type }, bytes }
}

const endings: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' }
/** The extension shows the file's type. */
const fileName = ({ type, content_type }: EvidenceFile): string => `${type}.${endings[content_type] ?? 'pdf'}`

/** Its source and the payment with which it was saved, `src_…/pay_…`. */
export const keptAs = (source: string, payment: string): string => `${source}/${payment}`

type Ask = AuthorizeRequest<CheckoutCards>

/** Authorized with the public key. */
export const walletToken = (account: Account, wallet: object): Request => ({
  ...post(account, '/tokens', wallet),
  headers: { authorization: bearerOf(credentialOf(account, 'api_key')), 'content-type': 'application/json' },
})

function sourceOf({ instrument, stored_credential }: Ask, purchase: Purchase | undefined) {
  if (instrument.is === 'stored_card')
    return {
      type: 'id',
      id: instrument.reference.split('/')[0]!,
      ...(instrument.cvc && { cvv: instrument.cvc.reveal() }),
    } as const
  const billing = purchase?.billing && addressOf(purchase.billing)
  return {
    type: 'card',
    number: instrument.number.reveal(),
    expiry_month: instrument.exp_month,
    expiry_year: instrument.exp_year,
    ...(instrument.holder && { name: instrument.holder }),
    ...(instrument.is === 'card' && instrument.cvc && { cvv: instrument.cvc.reveal() }),
    ...(instrument.is === 'network_transaction_id' && { stored: true }),
    ...(stored_credential?.is === 'made' && stored_credential.store !== false && { store_for_future_use: true }),
    ...(billing && Object.keys(billing).length > 0 && { billing_address: billing }),
  } as const
}

const addressOf = ({ line1, line2, city, state, zip, country }: Place) => ({
  ...(line1 && { address_line1: shortened(line1, 200) }),
  ...(line2 && { address_line2: shortened(line2, 200) }),
  ...(city && { city: shortened(city, 50) }),
  ...(state && { state: shortened(state, 50) }),
  ...(zip && { zip: shortened(zip, 50) }),
  ...(country && { country }),
})

const reasons: Readonly<Record<MitCategory, 'Recurring' | 'Installment' | 'Unscheduled'>> = {
  recurring: 'Recurring',
  installment: 'Installment',
  unscheduled: 'Unscheduled',
  resubmission: 'Unscheduled',
}

/** A new agreement, or the earlier one that the payment uses. */
function agreementOf({ instrument, stored_credential, channel }: Ask) {
  if (stored_credential?.is === 'used') {
    const earlier =
      instrument.is === 'network_transaction_id'
        ? instrument.network_transaction_id
        : instrument.is === 'stored_card'
          ? instrument.reference.split('/')[1]
          : undefined
    return {
      payment_type: reasons[stored_credential.mit_category],
      merchant_initiated: true,
      ...(earlier !== undefined && { previous_payment_id: earlier }),
    } as const
  }
  if (channel) return { payment_type: 'MOTO' } as const
  return stored_credential?.usage === 'off_session' ? ({ payment_type: 'Unscheduled', merchant_initiated: false } as const) : {}
}

const exemptions = { low_value: 'low_value', transaction_risk_analysis: 'transaction_risk_assessment' } as const

/** The customer is not challenged again. */
const provenBy = ({ eci, cavv, ds_transaction_id, version }: ThreeDsResult) => ({
  enabled: true,
  eci,
  cryptogram: cavv.reveal(),
  xid: ds_transaction_id,
  version,
})

function authenticationOf({ three_ds, three_ds_result, exemption }: Ask) {
  if (three_ds_result) return provenBy(three_ds_result)
  if (exemption) return { enabled: false, exemption: exemptions[exemption] } as const
  if (three_ds === 'challenge') return { enabled: true, challenge_indicator: 'challenge_requested_mandate' } as const
  // A card that is not enrolled is charged all the same.
  return three_ds === 'request' ? ({ enabled: true, attempt_n3d: true } as const) : ({ enabled: false } as const)
}

function purchaseMembers({ description, buyer, billing, shipping, browser }: Purchase) {
  const email = [buyer?.email, billing?.email].find(looksLikeEmail)
  const name = buyer?.name ?? (billing && nameIn(billing))
  const customer = { ...(email && { email }), ...(name && { name: shortened(name, 100) }) }
  const address = shipping && addressOf(shipping)
  return {
    ...(description && { description: shortened(description, 100) }),
    ...(Object.keys(customer).length > 0 && { customer }),
    ...(address && Object.keys(address).length > 0 && { shipping: { address } }),
    ...(browser?.ip_address && { payment_ip: browser.ip_address }),
  }
}

/** Checkout.com requires the city, which comes from the account's settings. */
function descriptorOf({ statement_descriptor }: Pick<AuthorizeRequest, 'statement_descriptor'>, account: Account) {
  const city = settingOf(account, 'descriptor_city')
  return statement_descriptor && city ? { billing_descriptor: { name: shortened(statement_descriptor, 25), city } } : {}
}

const paymentMembers = (ask: AuthorizeRequest<CheckoutTakes>, amount: number, purchase: Purchase | undefined, account: Account) => ({
  amount,
  currency: ask.money.currency,
  reference: ask.request_id,
  processing_channel_id: processingChannelOf(account),
  capture: ask.capture === 'automatic' && amount > 0,
  ...descriptorOf(ask, account),
  success_url: ask.return_url,
  failure_url: ask.return_url,
  ...(purchase && purchaseMembers(purchase)),
  ...(ask.metadata && Object.keys(ask.metadata).length > 0 && { metadata: ask.metadata }),
})

/** An amount of 0 verifies the card. */
export const checkoutPaymentBody = (ask: Ask, amount: number, purchase: Purchase | undefined, account: Account) => ({
  source: sourceOf(ask, purchase),
  ...paymentMembers(ask, amount, purchase, account),
  ...agreementOf(ask),
  // Without this, the hold cannot be increased later.
  ...(ask.later?.includes('increment') && { authorization_type: 'Estimated' as const }),
  ...(ask.partial_approval === 'accept' && { partial_authorization: { enabled: true } }),
  '3ds': authenticationOf(ask),
})

/** `source`: from its row, or the token of a wallet, which contains a card. */
export const otherPaymentBody = (
  ask: AuthorizeRequest<CheckoutFamily>,
  source: CheckoutSource,
  amount: number,
  purchase: Purchase | undefined,
  account: Account,
) => ({
  // The text that the payer's bank shows.
  source: source.type === 'ideal' ? { ...source, description: shortened(ask.request_id, 35) } : source,
  ...paymentMembers(ask, amount, purchase, account),
  ...(source.type === 'token' && { '3ds': ask.three_ds === 'skip' ? { enabled: false } : { enabled: true, attempt_n3d: true } }),
  ...(purchase?.lines && purchase.lines.length > 0 && { items: itemsOf(purchase.lines) }),
})

const itemsOf = (lines: NonNullable<Purchase['lines']>) =>
  lines.map(({ product_name, quantity, amount }) => ({
    name: shortened(product_name, 100),
    quantity,
    unit_price: amount,
    total_amount: amount * quantity,
  }))

export const checkoutCaptureBody = ({ request_id, rest }: RequestOf<'capture'>, amount: number) => ({
  amount,
  capture_type: rest === 'keep' ? 'NonFinal' : 'Final',
  reference: request_id,
})

export const voidBody = ({ request_id }: RequestOf<'void'>) => ({ reference: request_id })

export const checkoutRefundBody = ({ request_id, metadata }: RequestOf<'refund'>, amount: number) => ({
  amount,
  reference: request_id,
  ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
})
