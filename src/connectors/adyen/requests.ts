import type { Currency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { Account, AuthorizeRequest, ContestRequest, DisputeRequest, RequestOf, ReturnRequest } from '../connector.ts'
import { type Counting, inProcessorUnits } from '../counting.ts'
import type { Recipient } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { tableOf } from '../kit/read.ts'
import type { SplitItem } from '../split.ts'
import { type AdyenCards, adyenCard, agreedBy, mpiData } from './card.ts'
import { type KeptOffer, type Offered, wholePurchase } from './find-offer.ts'
import { type offeredFamilies, rowOf } from './offers.ts'
import { countIn, enhancedData, notedBy, purchaseMembers } from './purchase.ts'
import { authenticatedBy, notificationOf, stepDetails } from './three-ds.ts'

/** Checkout API v71. Absent members are left out. */

/** The exceptions from ISO 4217 (docs.adyen.com, currency codes). */
export const counting: Counting = { decimals: { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }, steps: {} }

export type Amount = { value: number; currency: Currency }

/** Null if Adyen cannot express the amount. */
export function amountOf(money: Money): Amount | null {
  const value = inProcessorUnits(counting, money)
  return typeof value === 'number' ? { value, currency: money.currency } : null
}

export const merchantAccountOf = (account: Account): string => credentialOf(account, 'key1').reveal()

/** Adyen allows 22 of these characters. */
const statementOf = (descriptor: string): string =>
  descriptor
    .replace(/[^\w.,'?+*/ -]/g, '')
    .trim()
    .slice(0, 22)

export type AdyenTakes = AdyenCards | (typeof offeredFamilies)[number]

/** docs.adyen.com, tokenization: whose card, whether the customer is present, and why. */
function storedCredentialOf({ stored_credential, instrument }: Pick<AuthorizeRequest, 'stored_credential' | 'instrument'>) {
  if (!stored_credential) return {}
  if (stored_credential.is === 'made')
    return {
      shopperReference: stored_credential.customer,
      shopperInteraction: 'Ecommerce' as const,
      storePaymentMethod: stored_credential.store !== false,
      recurringProcessingModel: stored_credential.usage === 'on_session' ? ('CardOnFile' as const) : ('UnscheduledCardOnFile' as const),
    }
  const isRegular = stored_credential.mit_category === 'recurring' || stored_credential.mit_category === 'installment'
  return {
    ...(instrument.is === 'stored_card' && { shopperReference: instrument.customer ?? stored_credential.customer ?? '' }),
    shopperInteraction: 'ContAuth' as const,
    recurringProcessingModel: isRegular ? ('Subscription' as const) : ('UnscheduledCardOnFile' as const),
  }
}

const exemptions = { low_value: 'lowValue', transaction_risk_analysis: 'transactionRiskAnalysis' } as const

/** A share that Adyen cannot express becomes 0: the shares do not add up, and Adyen refuses the payment. */
const sharesOf = (items: readonly SplitItem[], { currency }: Amount) =>
  items.map(({ split_type, amount, account, reference, description }) => ({
    type: split_type === 'Vat' ? ('VAT' as const) : split_type,
    reference,
    ...(amount !== undefined && { amount: { value: amountOf({ amount, currency })?.value ?? 0, currency } }),
    ...(account !== undefined && { account }),
    ...(description !== undefined && { description }),
  }))

type Ask = Omit<AuthorizeRequest, 'instrument'>

/** `more`: further members of its additionalData. */
function paymentMembers(ask: Ask, amount: Amount, account: Account, more: Record<string, string>) {
  const count = countIn(counting, amount.currency)
  const additionalData = {
    ...(ask.capture !== 'automatic' && { manualCapture: 'true' }),
    ...more,
    ...(ask.purchase && enhancedData(ask.purchase, count)),
  }
  return {
    merchantAccount: merchantAccountOf(account),
    reference: ask.request_id,
    amount,
    ...(!ask.channel && ask.purchase?.browser && { channel: 'Web' as const }),
    ...(ask.metadata && notedBy(ask.metadata)),
    ...(ask.split?.is === 'adyen' && {
      splits: sharesOf(ask.split.items, amount),
      ...(ask.split.store !== null && { store: ask.split.store }),
    }),
    ...(ask.purchase && purchaseMembers(ask.purchase, count)),
    returnUrl: ask.return_url,
    // Overrides the account's setting: this payment is captured at once, or when we request it.
    ...(ask.capture === 'automatic' && { captureDelayHours: 0 }),
    ...(Object.keys(additionalData).length > 0 && { additionalData }),
    ...(ask.statement_descriptor && { shopperStatement: statementOf(ask.statement_descriptor) }),
  } as const
}

export const adyenPaymentBody = (ask: AuthorizeRequest<AdyenCards>, amount: Amount, account: Account) => {
  const more = {
    // Only a pre-authorization can be adjusted.
    ...(ask.later && ask.later.length > 0 && { authorisationType: 'PreAuth' }),
    ...(ask.partial_approval === 'accept' && { allowPartialAuth: 'true' }),
    ...(ask.exemption && { scaExemption: exemptions[ask.exemption] }),
    ...agreedBy(ask),
  }
  const members = paymentMembers(ask, amount, account, more)
  const notificationURL = notificationOf(ask, account, 'browserInfo' in members)
  return {
    ...members,
    // The origin of the page that shows the challenge; ours, if that of the checkout is not known.
    ...(notificationURL !== undefined && !('origin' in members) && { origin: new URL(notificationURL).origin }),
    paymentMethod: adyenCard(ask),
    ...storedCredentialOf(ask),
    ...(ask.channel && { shopperInteraction: 'Moto' as const }),
    ...(ask.installments !== undefined && { installments: { value: ask.installments } }),
    ...authenticatedBy(ask, notificationURL),
    ...(ask.three_ds_result && { mpiData: mpiData(ask.three_ds_result) }),
  } as const
}

export const offerBody = (ask: AuthorizeRequest, { row, way, details }: Offered, amount: Amount, account: Account) => {
  const beside = row.beside?.(details)
  // A cryptogram replaces the authentication of the cardholder.
  const authenticates = beside?.mpiData ? undefined : row.authenticates
  const { three_ds, exemption } = ask
  const exempted = authenticates === 'as asked' && exemption ? { scaExemption: exemptions[exemption] } : {}
  const purchase = wholePurchase(ask.purchase, details)
  return {
    ...paymentMembers({ ...ask, purchase }, amount, account, { ...exempted, ...agreedBy(ask), ...row.notes?.(details) }),
    paymentMethod: way(details),
    ...storedCredentialOf(ask),
    ...beside,
    ...(authenticates && authenticatedBy({ three_ds: authenticates === 'always' && three_ds === 'skip' ? 'request' : three_ds })),
    ...(authenticates === 'as asked' && ask.three_ds_result && { mpiData: mpiData(ask.three_ds_result) }),
  } as const
}

export const keptBody = (ask: AuthorizeRequest<'stored_card'>, kept: KeptOffer, amount: Amount, account: Account) =>
  ({
    ...paymentMembers({ ...ask, purchase: wholePurchase(ask.purchase, kept.details) }, amount, account, {}),
    paymentMethod: kept.row.kept(kept.details, ask.instrument.reference),
    ...storedCredentialOf(ask),
  }) as const

export const methodsBody = (account: Account) => ({ merchantAccount: merchantAccountOf(account) })

export const detailsBody = ({ parameters }: ReturnRequest) => {
  const { redirectResult, payload } = parameters
  const { step, paymentData } = stepDetails(parameters)
  return {
    details: { ...(redirectResult !== undefined && { redirectResult }), ...(payload !== undefined && { payload }), ...step },
    ...(paymentData !== undefined && { paymentData }),
  }
}

const about = ({ request_id }: { request_id: string }, account: Account) => ({
  merchantAccount: merchantAccountOf(account),
  reference: request_id,
})

export const captureBody = (ask: RequestOf<'capture'>, amount: Amount, account: Account) => ({
  ...about(ask, account),
  amount,
  ...partLines(ask, amount),
})

/** Lenders require a line, and the merchant does not say which lines a part is for. */
const partLines = ({ part_of }: Pick<RequestOf<'capture'>, 'part_of'>, { value }: Amount) =>
  part_of !== undefined && rowOf(part_of)?.itemized
    ? { lineItems: [{ description: 'Part of the order', quantity: 1, amountIncludingTax: value, amountExcludingTax: value, ...untaxed }] }
    : {}
const untaxed = { taxAmount: 0, taxPercentage: 0 }

/** With the same amount as before, the hold lasts longer. */
export const adjustBody = (ask: RequestOf<'increment'> | RequestOf<'extend'>, amount: Amount, account: Account) => ({
  ...about(ask, account),
  amount,
})

export const reverseBody = (ask: RequestOf<'post_capture_void'>, account: Account) => about(ask, account)

/** Our own id of the payment, because Adyen's changes after a challenge. */
export const cancelBody = (ask: RequestOf<'void'>, account: Account) => ({
  ...about(ask, account),
  paymentReference: ask.authorization.request_id,
})

/** By the merchant's words; any other reason is OTHER, the fifth. */
const refundReasons = tableOf<'FRAUD' | 'CUSTOMER REQUEST' | 'RETURN' | 'DUPLICATE'>({
  fraudulent: 'FRAUD',
  fraud: 'FRAUD',
  requested_by_customer: 'CUSTOMER REQUEST',
  customer_request: 'CUSTOMER REQUEST',
  return: 'RETURN',
  duplicate: 'DUPLICATE',
})

export const refundBody = (ask: RequestOf<'refund'>, amount: Amount, account: Account) => ({
  ...about(ask, account),
  amount,
  ...(ask.reason !== null && {
    merchantRefundReason: refundReasons[ask.reason.toLowerCase().replaceAll(/[ -]/g, '_')] ?? ('OTHER' as const),
  }),
  ...(ask.split?.is === 'adyen' && { splits: sharesOf(ask.split.items, amount) }),
  ...partLines(ask, amount),
})

/** Payout API v68. */
export const payoutBody = (
  ask: RequestOf<'payout'>,
  { number, exp_month, exp_year, holder }: PaidCard,
  amount: Amount,
  account: Account,
) => ({
  ...about(ask, account),
  amount,
  card: {
    number: number.reveal(),
    expiryMonth: String(exp_month).padStart(2, '0'),
    expiryYear: String(exp_year),
    ...(holder !== null && { holderName: holder }),
  },
  ...namedIn(holder),
})
type PaidCard = Extract<Recipient, { is: 'card' }>

function namedIn(holder: string | null) {
  const [firstName, ...others] = holder?.split(' ') ?? []
  return firstName !== undefined && others.length > 0 ? { shopperName: { firstName, lastName: others.join(' ') } } : {}
}

const aboutDispute = ({ reference }: Pick<DisputeRequest, 'reference'>, account: Account) => ({
  merchantAccountCode: merchantAccountOf(account),
  disputePspReference: reference,
})

export const acceptBody = (ask: DisputeRequest, account: Account) => aboutDispute(ask, account)
export const reasonsBody = (ask: ContestRequest, account: Account) => aboutDispute(ask, account)

/** `labels`: the document type of each file. */
export const documentsBody = (ask: ContestRequest, labels: readonly string[], account: Account) => ({
  ...aboutDispute(ask, account),
  defenseDocuments: ask.evidence.files.map(({ content_type, bytes }, i) => ({
    content: bytes.toString('base64'),
    contentType: content_type === 'image/jpeg' ? 'image/jpg' : content_type,
    defenseDocumentTypeCode: labels[i]!,
  })),
})

export const defendBody = (ask: ContestRequest, defenseReasonCode: string, account: Account) => ({
  ...aboutDispute(ask, account),
  defenseReasonCode,
})
