import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { Secret } from '../../base/secret.ts'
import type { Card, Other, PaymentInstrument } from '../../connectors/instrument.ts'
import type { Time } from '../../context.ts'
import { card } from '../../instruments/card.ts'
import { familyNamed } from '../../instruments/families.ts'
import type { InstrumentInput } from '../../instruments/input.ts'
import { networkToken, readNetworkToken } from '../../instruments/network-token.ts'
import { readCard } from '../../instruments/read-card.ts'
import type { Call } from '../../operations/verb.ts'
import { needChargeable } from '../../payment-methods/charge.ts'
import type { Mandate } from '../../payment-methods/mandate.ts'
import { isKeptElsewhere, isRecordOnly, type Method, networkAccounts, type Recurring, refuseRecord } from '../../payment-methods/method.ts'
import { needWithNumber } from '../../payment-methods/number.ts'
import type { RoutingContext } from '../../routing/routing-context.ts'
import type { RecurringDetails } from '../fields/recurring.ts'
import type { Payment, PaymentParams } from '../payment.ts'
import { sentOf } from './saved-instrument.ts'
import { isMerchantInitiated } from './stored-credential.ts'

/** The instrument of a merchant-initiated transaction (MIT): a saved card, a mandate, or what the network knows. */
export type Repeated = InstrumentInput & {
  payment_method_id: string | null
  mandate: Mandate | null
  /** The accounts that can charge it for a profile; `at`: the instrument as an account knows it. */
  agreed(profile_id: string): NonNullable<RoutingContext['agreed']>
  at(merchant_connector_id: string): PaymentInstrument
  /** The ids of the card at the processors that store it, by merchant_connector_id. */
  kept_at?: Readonly<Record<string, string>>
}

/** Returns what a payment stores of `recurring_details`, never a number. Refuses (IR_16) an instrument named twice. */
export function keptRecurringDetails(
  { type, data }: RecurringDetails,
  { mandate_id, payment_token }: Pick<PaymentParams, 'mandate_id' | 'payment_token'>,
): Partial<PaymentParams> {
  if (mandate_id !== undefined || payment_token !== undefined)
    refuse('precondition', { problem: 'recurring_details cannot be used together with payment_token or mandate_id' })
  if (typeof data !== 'string') return { recurring: { type: 'network_transaction_id', data: data.network_transaction_id } }
  return type === 'mandate_id' ? { mandate_id: data } : { recurring: { type: 'payment_method_id', data } }
}

/** The place of the instrument in a request. */
const PLACE = 'recurring_details.data'

const namesOfToken = { number: 'network_token', exp_month: 'token_exp_month', exp_year: 'token_exp_year' }

/** Returns the card, or the network token for it, in `recurring_details`; null if they name a stored instrument. */
export function cardIn(details: RecurringDetails | undefined, now: Time): InstrumentInput | null {
  if (!details || typeof details.data === 'string') return null
  if ('network_token' in details.data) {
    const { network_token: number, token_exp_month: exp_month, token_exp_year: exp_year, ...more } = details.data
    const instrument = readNetworkToken({ number, exp_month, exp_year, ...more }, now, PLACE, namesOfToken)
    return { family: networkToken, sent: {}, instrument, from: PLACE }
  }
  const { network_transaction_id: _known, ...sent } = details.data
  return { family: card, sent, instrument: readCard(sent, now, PLACE), from: PLACE }
}

type Payer = Pick<Payment, 'merchant_id' | 'customer_id' | 'currency'>

/** Whether the agreement is stored here, or known to the network. A merchant with its own vault sends the card. */
const byStoredCredential = ({ mandate_id, recurring }: PaymentParams): boolean => mandate_id !== undefined || recurring !== undefined

/** Refuses contradictions in a request about an absent customer. `kept`: whether the payment has an instrument. */
export function checkMerchantInitiated(request: PaymentParams, input: InstrumentInput | null, confirms: boolean, kept = false): void {
  const { mandate_id, recurring, payment_token } = request
  const by = mandate_id !== undefined ? 'mandate_id' : 'recurring_details'
  if (!isMerchantInitiated(request)) {
    if (mandate_id !== undefined || recurring) refuse('precondition', { problem: `${by} requires off_session: true` })
    // Before the confirm, off_session may still come with it.
    if (confirms && request.mit_category !== undefined) refuse('precondition', { problem: 'mit_category requires off_session: true' })
    return
  }
  if (!confirms) refuse('precondition', { problem: 'off_session requires confirm: true' })
  if (!byStoredCredential(request) && !input && !kept)
    refuse('precondition', { problem: 'off_session requires mandate_id, recurring_details or card data' })
  if (payment_token !== undefined && !byStoredCredential(request))
    refuse('precondition', {
      problem: 'off_session requires mandate_id or recurring_details: a payment_token is for customers who are present',
    })
  if (payment_token !== undefined || (input && byStoredCredential(request) && recurring?.type !== 'network_transaction_id'))
    refuse('unacceptable', { field: by, problem: 'and payment_method_data or payment_token cannot be sent together' })
}

/**
 * Returns the stored instrument that is charged without its customer; null for a card that the request simply contains.
 * `known`: the card in the request, or the stored one, for a charge by the network's id. Refuses (HE_02) an unknown
 * instrument, (IR_16) one of another customer or without an agreement, (IR_46) another payment method than agreed on,
 * and (HE_03) a charge that the mandate does not allow.
 */
export async function storedInstrumentOf(
  { context, merchant }: Pick<Call, 'context' | 'merchant'>,
  { merchant_id, customer_id, currency }: Payer,
  request: PaymentParams,
  known: InstrumentInput | null,
): Promise<Repeated | null> {
  if (!byStoredCredential(request)) return null
  if (customer_id === null) return refuse('missing', { field: 'customer_id' })
  const { recurring } = request
  if (recurring?.type === 'network_transaction_id') {
    if (!known) return refuse('missing', { field: 'recurring_details' })
    const { instrument } = known
    if (instrument.is !== 'card' && instrument.is !== 'network_token')
      return refuse('unacceptable', { field: 'recurring_details', problem: `cannot be charged with a ${known.family.method}` })
    const agreed = { accounts: [], network: 'anywhere' } as const
    return {
      ...known,
      payment_method_id: null,
      mandate: null,
      agreed: () => agreed,
      at: () => ofNetwork(instrument, recurring.data),
    }
  }
  const { mandate_id } = request
  const mandate = mandate_id === undefined ? null : await needChargeable(context, merchant_id, mandate_id, { customer_id, currency })
  const { method, number } = await needWithNumber(context, merchant_id, mandate?.payment_method_id ?? recurring!.data)
  if (method.customer_id !== customer_id) refuse('precondition', { problem: 'This payment method belongs to another customer' })
  if (isRecordOnly(method) && !isKeptElsewhere(method)) refuseRecord(method)
  const differs = [
    request.payment_method !== undefined && request.payment_method !== method.payment_method && 'payment_method',
    request.payment_method_type !== undefined &&
      method.payment_method_type !== null &&
      request.payment_method_type !== method.payment_method_type &&
      'payment_method_type',
  ].filter(name => name !== false)
  if (differs.length > 0) refuse('mandate_differs', { fields: differs })
  if (method.recurring?.usage !== 'off_session')
    refuse('precondition', { problem: 'The customer has not agreed to off-session charges with this payment method (off_session)' })
  if (isKeptElsewhere(method)) return keptElsewhere(merchant, method, method.recurring, number, mandate)
  const sent = sentOf(method, number, undefined)
  if (!sent || !method.masked) return refuse('not_found', { what: 'payment method' })
  // An expired card is charged anyway: its processor may know a newer one; otherwise the issuer declines.
  const instrument = card.open(method.masked, sent.card_number, null)
  const { recurring: kept } = method
  const agreed = (profile_id: string) => ({ accounts: Object.keys(kept.connectors), network: networkAccounts(merchant, profile_id, kept) })
  const at = (account: string) => knownAt(kept, instrument, account)
  return { family: card, sent, instrument, payment_method_id: method.payment_method_id, mandate, agreed, at, kept_at: namesAt(kept) }
}

/** Returns the id of the payment method at each account. */
const namesAt = ({ connectors }: Recurring): Record<string, string> =>
  Object.fromEntries(Object.entries(connectors).map(([account, { connector_mandate_id: id }]) => [account, id]))

/** Returns a method other than a card, for processors that store it; a network token also by the network's id. */
function keptElsewhere(
  merchant: Merchant,
  { payment_method, payment_method_id, details }: Method,
  kept: Recurring,
  sealed: string | null,
  mandate: Mandate | null,
): Repeated {
  const family = familyNamed(payment_method)
  const seen = details.paid_with
  if (!family || !seen || sealed === null) return refuse('not_found', { what: 'payment method' })
  const instrument = family.open(seen, sealed, null) as Other
  const byNetwork = instrument.is === 'network_token' ? kept.network_transaction_id : null
  return {
    family,
    sent: null,
    instrument,
    payment_method_id,
    mandate,
    agreed: profile_id => ({
      accounts: Object.keys(kept.connectors),
      network: byNetwork === null ? [] : networkAccounts(merchant, profile_id, kept),
    }),
    at: account => {
      if (byNetwork !== null) return ofNetwork(instrument, byNetwork)
      const { connector_mandate_id: reference = '', connector_customer_id: customer = null } = kept.connectors[account] ?? {}
      return { is: 'stored_card', reference, customer, cvc: null, of: instrument }
    },
    kept_at: namesAt(kept),
  }
}

/** Returns the processor's own id of the card, or else the card with the network's id of the agreement. */
function knownAt({ connectors, network_transaction_id }: Recurring, known: Card, merchant_connector_id: string): PaymentInstrument {
  const here = connectors[merchant_connector_id]
  if (here) return { is: 'stored_card', reference: here.connector_mandate_id, customer: here.connector_customer_id, cvc: null }
  return ofNetwork(known, network_transaction_id ?? '')
}

function ofNetwork(known: Card | Other, network_transaction_id: string): PaymentInstrument {
  if (known.is !== 'card') return { ...known, network_transaction_id }
  const { number, exp_month, exp_year, holder } = known
  return { is: 'network_transaction_id', number: new Secret(number.reveal()), exp_month, exp_year, holder, network_transaction_id }
}
