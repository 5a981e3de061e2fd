import { isOther, type PaymentInstrument } from '../../connectors/instrument.ts'
import type { Requirement } from '../../connectors/offer.ts'
import { billingOf } from '../billing.ts'
import type { Payment } from '../payment.ts'
import { acceptanceOf } from '../stored-credentials/stored-credential.ts'

/** The members of an instrument that satisfy each requirement as well. */
const alternatives: Readonly<Partial<Record<Requirement, readonly string[]>>> = {
  'billing.name': ['bank_account_holder_name', 'billing_details.name', 'billing_details.billing_name', 'billing_name', 'first_name'],
  'billing.email': ['billing_details.email', 'billing_email', 'email'],
  'billing.phone': ['phone_number', 'telephone_number'],
  'billing.country': ['country', 'billing_country'],
  'billing.address': ['billing_details.address'],
  tax_id: ['cpf', 'cnpj'],
}

const isComplete = (address: NonNullable<Payment['request']['billing']>['address']) =>
  address?.line1 && address.city && address.zip && address.country

const isPresentIn = (instrument: PaymentInstrument | undefined, names: readonly string[] = []): boolean =>
  instrument !== undefined &&
  isOther(instrument) &&
  names.some(name => instrument.open[name] !== undefined || instrument.secrets[name] !== undefined)

/** Returns the requirements that a payment meets; a saved customer has a name, email and phone. Pure. */
export function providedBy(
  { request, customer_id }: Pick<Payment, 'request' | 'customer_id'>,
  instrument?: PaymentInstrument,
): Requirement[] {
  const { customer, shipping, order_details, browser_info } = request
  const billing = billingOf(request)
  const address = billing?.address
  const isKept = customer_id !== null
  const has: Readonly<Record<Requirement, unknown>> = {
    'billing.name': isKept || (address?.first_name ?? address?.last_name ?? request.name ?? customer?.name),
    'billing.email': isKept || (billing?.email ?? request.email ?? customer?.email),
    'billing.phone': isKept || (billing?.phone?.number ?? request.phone ?? customer?.phone),
    'billing.country': address?.country,
    'billing.address': isComplete(address),
    'billing.line2': address?.line2,
    shipping: isComplete(shipping?.address),
    lines: order_details?.length,
    tax_id: false,
    acceptance: acceptanceOf(request) ?? (browser_info?.ip_address && browser_info.user_agent),
  }
  return (Object.keys(has) as Requirement[]).filter(name => has[name] || isPresentIn(instrument, alternatives[name]))
}
