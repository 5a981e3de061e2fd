import type { SettlementReader } from '../line.ts'
import { adyenAccounting, adyenSettlement } from './adyen.ts'
import { braintreeSummary, braintreeTransactions } from './braintree.ts'
import { braintreeApi } from './braintree-api.ts'
import { checkoutActions, checkoutBreakdown } from './checkout.ts'
import { mollieSettlement } from './mollie.ts'
import { mollieApiSettlement } from './mollie-api.ts'
import { paypalSettlement } from './paypal.ts'
import { paypalApi } from './paypal-api.ts'
import { stripeBalance } from './stripe.ts'

/** The kinds of reports that are known by their titles, the more special before the more general. */
export const readers: readonly SettlementReader[] = [
  stripeBalance,
  adyenSettlement,
  adyenAccounting,
  paypalSettlement,
  paypalApi,
  checkoutActions,
  checkoutBreakdown,
  mollieSettlement,
  mollieApiSettlement,
  braintreeTransactions,
  braintreeSummary,
  braintreeApi,
]

/** Finds the reader of a report by its first row. Of several it is the one of the account's connector. */
export function reportReaderOf(header: readonly string[], connector: string | null = null): SettlementReader | null {
  const fitting = readers.filter(reader => reader.matches(header))
  return fitting.find(reader => reader.connector === connector) ?? fitting[0] ?? null
}
