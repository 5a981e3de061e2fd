import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { ThreeDsResult } from '../authentication.ts'
import type { Account, AuthorizeRequest, RequestOf } from '../connector.ts'
import type { EvidenceFile } from '../dispute.ts'
import { isOther } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { majorOf } from '../kit/decimal.ts'
import { baseOf, basicOf, multipart } from '../kit/request.ts'
import { looksLikeEmail, shortened } from '../kit/text.ts'
import type { Buyer, Place, Purchase } from '../purchase.ts'
import { settingOf } from '../settings.ts'
import type { MitCategory } from '../verbs.ts'
import { documents } from './documents.ts'
import { type BraintreeKind, braintreeKindOf } from './offers.ts'

/** Absent members are left out. */

export type BraintreeTakes = 'card' | 'stored_card' | 'network_transaction_id' | 'wallet'

/** The merchant ID is not among them: it is part of many ids. */
export const keysOf = (account: Account): Secret[] => [credentialOf(account, 'api_secret'), credentialOf(account, 'api_key')]

/** The version of the API that the documents and their responses belong to. */
const VERSION = '2019-01-01'

const headersOf = (account: Account) => ({
  authorization: basicOf(credentialOf(account, 'api_key'), credentialOf(account, 'api_secret')),
  'braintree-version': VERSION,
})

/** All requests have the same URL. */
export const gql = (account: Account, query: string, variables: object): Request => ({
  method: 'POST',
  url: `${baseOf(account)}/graphql`,
  headers: { ...headersOf(account), 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
})

export const mutate = (account: Account, name: keyof typeof documents, input: object): Request => gql(account, documents[name], { input })

/** Each has one currency, and requests contain only an amount. */
export function merchantAccountFor(account: Account, currency: string): string | undefined {
  return merchantAccountsOf(account).find(([of]) => of === currency)?.[1]
}

export const merchantAccountsOf = (account: Account): [currency: string, id: string][] =>
  (settingOf(account, 'merchant_accounts') ?? '')
    .split(',')
    .filter(pair => pair !== '')
    .map(pair => [pair.slice(0, 3), pair.slice(4)])

export type BraintreeAsk = AuthorizeRequest<BraintreeTakes>
type Numbered = Extract<BraintreeAsk['instrument'], { number: Secret }>

/** No money moves. */
export const tokenizeCreditCard = (card: Numbered) => ({
  creditCard: {
    number: card.number.reveal(),
    expirationMonth: String(card.exp_month).padStart(2, '0'),
    expirationYear: String(card.exp_year),
    ...(card.is === 'card' && card.cvc && { cvv: card.cvc.reveal() }),
    ...(card.holder !== null && card.holder !== '' && { cardholderName: shortened(card.holder, 175) }),
  },
})

export const tokenizeCvv = (cvc: Secret) => ({ cvv: cvc.reveal() })

/** The customer agrees, and the card is not to be stored in our vault only. */
export const isVaulted = ({ stored_credential }: Pick<BraintreeAsk, 'stored_credential'>): boolean =>
  stored_credential?.is === 'made' && stored_credential.store !== false

/** Null if Braintree no longer supports it. */
export function paidAs({ instrument }: Pick<BraintreeAsk, 'instrument'>): BraintreeKind | null {
  const of = instrument.is === 'stored_card' ? instrument.of : isOther(instrument) ? instrument : undefined
  return of === undefined ? 'CreditCard' : braintreeKindOf(of.type)
}

/** A member that Braintree takes only with cards, because only cards are authenticated. */
export const notTellable = ({ three_ds_result, exemption }: BraintreeAsk): string | null =>
  (three_ds_result && 'three_ds_data') ?? (exemption && 'psd2_sca_exemption_type') ?? null

function customerMembers(buyer: Buyer | undefined) {
  const [firstName, ...others] = buyer?.name?.trim().split(/\s+/) ?? []
  return {
    ...(firstName && { firstName: shortened(firstName, 255) }),
    ...(others.length > 0 && { lastName: shortened(others.join(' '), 255) }),
    ...(looksLikeEmail(buyer?.email) && { email: buyer.email }),
    ...(buyer?.phone && { phoneNumber: shortened(buyer.phone, 255) }),
  }
}
/** `customerId`: the existing customer to update. */
export function customerInput(buyer: Buyer | undefined, customerId?: string) {
  const customer = customerMembers(buyer)
  return { ...(customerId !== undefined && { customerId }), ...(hasMembers(customer) && { customer }) }
}

export const clientTokenInput = (merchantAccountId: string) => ({ clientToken: { merchantAccountId } })

const initiators = {
  recurring: 'RECURRING',
  installment: 'INSTALLMENT',
  unscheduled: 'UNSCHEDULED',
  resubmission: 'UNSCHEDULED',
} as const satisfies Record<MitCategory, string>

/** None if it is the customer in a browser. */
function initiatorOf({ stored_credential, channel }: BraintreeAsk) {
  if (stored_credential?.is === 'used') return { paymentInitiator: initiators[stored_credential.mit_category] }
  return channel ? ({ paymentInitiator: 'MOTO' } as const) : {}
}

/** Stored since an earlier payment, or from this one on. */
function externalVaultOf({ instrument, stored_credential }: BraintreeAsk) {
  if (instrument.is === 'network_transaction_id')
    return { externalVault: { status: 'VAULTED', verifyingNetworkTransactionId: instrument.network_transaction_id } } as const
  return stored_credential?.is === 'made' && stored_credential.store === false ? ({ externalVault: { status: 'WILL_VAULT' } } as const) : {}
}

const exemptions = { low_value: 'LOW_VALUE', transaction_risk_analysis: 'TRANSACTION_RISK_ANALYSIS' } as const

const passThrough = ({ status, eci, cavv, ds_transaction_id, version }: ThreeDsResult) => ({
  eciFlag: eci,
  cavv: cavv.reveal(),
  version,
  authenticationResponse: status,
  directoryServerResponse: status,
  directoryServerTransactionId: ds_transaction_id,
})

const addressOf = ({ first_name, last_name, line1, line2, city, state, zip, country }: Place) => ({
  ...(first_name && { firstName: shortened(first_name, 255) }),
  ...(last_name && { lastName: shortened(last_name, 255) }),
  ...(line1 && { addressLine1: shortened(line1, 255) }),
  ...(line2 && { addressLine2: shortened(line2, 255) }),
  ...(city && { adminArea2: shortened(city, 255) }),
  ...(state && { adminArea1: shortened(state, 255) }),
  ...(zip && /^[A-Za-z0-9 -]{1,9}$/.test(zip) && { postalCode: zip }),
  ...(country && { countryCode: country }),
})
const hasMembers = (members: object | undefined): members is object => members !== undefined && Object.keys(members).length > 0

/** Braintree's format: the business, a star and the product, with certain lengths. Any other is not sent. */
const descriptorOf = (descriptor: string | null | undefined) =>
  descriptor && /^(?=[\x20-\x7e]{5,22}$)(?:[^*]{3}|[^*]{7}|[^*]{12})\*[^*]+$/.test(descriptor) ? { descriptor: { name: descriptor } } : {}

/** `hasCustomer`: the payment has a customer at Braintree, whose data then applies. */
function purchaseMembers({ order_reference, buyer, billing, shipping, browser, extra }: Purchase, hasCustomer: boolean) {
  const email = [buyer?.email, billing?.email].find(looksLikeEmail)
  const address = shipping && addressOf(shipping)
  const risk = {
    ...(browser?.user_agent && { customerBrowser: shortened(browser.user_agent, 255) }),
    ...(browser?.ip_address && { customerIp: browser.ip_address }),
    ...(typeof extra?.device_data === 'string' && { deviceData: extra.device_data }),
  }
  return {
    ...(order_reference && /^[\x20-\x7e]{1,12}$/.test(order_reference) && { purchaseOrderNumber: order_reference }),
    ...(email && !hasCustomer && { customerDetails: { email } }),
    ...(hasMembers(address) && { shipping: { shippingAddress: address } }),
    ...(hasMembers(risk) && { riskData: risk }),
  }
}

function cardOptions(ask: BraintreeAsk, code: string | null) {
  const { purchase, three_ds_result, exemption, installments } = ask
  const billing = purchase?.billing && addressOf(purchase.billing)
  return {
    ...externalVaultOf(ask),
    ...(hasMembers(billing) && { billingAddress: billing }),
    ...(code !== null && { tokenizedCvv: code }),
    ...(three_ds_result && { threeDSecureAuthentication: { passThrough: passThrough(three_ds_result) } }),
    ...(exemption && { scaExemption: exemptions[exemption] }),
    ...(installments !== undefined && { installmentCount: installments }),
  }
}

/** PayPal shows the description to the customer. */
const accountOptions = ({ purchase }: BraintreeAsk, kind: BraintreeKind) =>
  kind === 'PayPalAccount' && purchase?.description ? { description: shortened(purchase.description, 127) } : {}

/** `method`: what is charged. `code`: the token of a security code. `customer`: for whom it is saved, if it is. */
export type Named = { kind: BraintreeKind; method: string; code: string | null; customer: string | null; merchantAccount: string }

export function payment(ask: BraintreeAsk, { kind, method, code, customer, merchantAccount }: Named) {
  const { request_id, money, purchase, statement_descriptor } = ask
  const options = kind === 'CreditCard' ? cardOptions(ask, code) : accountOptions(ask, kind)
  return {
    apiRequestKey: request_id,
    paymentMethodId: method,
    transaction: {
      amount: majorOf(money),
      merchantAccountId: merchantAccount,
      orderId: request_id,
      ...descriptorOf(statement_descriptor),
      ...initiatorOf(ask),
      ...(purchase && purchaseMembers(purchase, customer !== null || ask.instrument.is === 'stored_card')),
      ...(customer !== null && { customerId: customer }),
      ...(isVaulted(ask) && { vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' } as const }),
    },
    ...(hasMembers(options) && { options }),
  }
}

/** A card is verified without a charge first, others are saved directly. */
export const vaulting = ({ request_id, three_ds_result }: BraintreeAsk, { kind, method, customer, merchantAccount }: Named) => ({
  clientMutationId: request_id,
  paymentMethodId: method,
  ...(kind === 'CreditCard' && { verification: { merchantAccountId: merchantAccount } }),
  ...(customer !== null && { customerId: customer }),
  ...(three_ds_result && { threeDSecurePassThrough: passThrough(three_ds_result) }),
})
export const verification = ({ request_id }: BraintreeAsk, { method, code, merchantAccount }: Named) => ({
  clientMutationId: request_id,
  paymentMethodId: method,
  options: { merchantAccountId: merchantAccount, ...(code !== null && { tokenizedCvv: code }) },
})

export const captureInput = ({ request_id, money, statement_descriptor }: RequestOf<'capture'>, transactionId: string) => ({
  apiRequestKey: request_id,
  transactionId,
  transaction: { amount: majorOf(money), ...descriptorOf(statement_descriptor) },
})

/** It contains the new total, so that repeating it has no further effect. */
export const increase = ({ request_id, money }: RequestOf<'increment'>, transactionId: string) => ({
  clientMutationId: request_id,
  transactionId,
  amount: majorOf(money),
})

/** Voids a transaction that has not settled, and otherwise refunds all of it. */
export const reversal = (request_id: string, transactionId: string) => ({ apiRequestKey: request_id, transactionId })

export const refundInput = ({ request_id, money }: RequestOf<'refund'>, transactionId: string) => ({
  apiRequestKey: request_id,
  transactionId,
  refund: { amount: majorOf(money), orderId: request_id },
})

/** A multipart form with the mutation and the file. */
export function fileEvidence(
  account: Account,
  disputeId: string,
  { name, content_type, bytes }: EvidenceFile,
  request_id: string,
): Request {
  const operations = JSON.stringify({
    query: documents.createDisputeFileEvidence,
    variables: { input: { clientMutationId: request_id, disputeId, category: 'GENERAL' }, file: null },
  })
  const form = multipart(request_id, [
    { name: 'operations', type: 'application/json', content: operations },
    { name: 'map', content: '{"file":"variables.file"}' },
    { name: 'file', filename: name, type: content_type, content: bytes },
  ])
  const headers = { ...headersOf(account), 'content-type': form.type }
  return { method: 'POST', url: `${baseOf(account)}/graphql`, headers, bytes: form.bytes }
}
