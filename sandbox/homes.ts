// Where each connector finds its processor here: the sandbox's own language at the root and under the names of its
// relatives, the other languages under their own.

import { merchantAccounts } from './dialects/braintree-accounts.ts'
import { webhookFormats } from './dialects/webhook-formats.ts'
import { identities } from './identities.ts'

/** Processors that are reached by the bridge. */
const bridged = ['flexifai', 'bitex', 'hypergate', 'k218pay']

/**
 * Where the demo shop can be paid, besides the sandbox's own processor; then the processors of the specification. The
 * first that takes a payment gets it.
 */
export const inTheDemo = [
  'adyen',
  'stripe',
  'checkout',
  'braintree',
  'mollie',
  'paypal',
  'flexifai',
  'fiftyfourpay',
  'honeycoin',
  'k218pay',
  'bitex',
  'hypergate',
  'maguapay',
  'payadmit',
] as const

/** Where the demo shop pays out: an account more of each. The first that takes a payout gets it. */
export const payersInTheDemo = [
  'phonypay',
  'flexifai',
  'bitex',
  'hypergate',
  'maguapay',
  'payadmit',
  'milkypay',
  'fiftyfourpay',
  'paypal',
  'checkout',
  'adyenplatform',
  'stripe',
] as const

/** Where each connector's processor is, at the sandbox with this address; and Apple. */
export const homesAt = (sandbox: string): Record<string, string> => ({
  phonypay: sandbox,
  ...Object.fromEntries([...Object.keys(webhookFormats), ...Object.keys(identities)].map(name => [name, `${sandbox}/${name}`])),
  ...Object.fromEntries(bridged.map(name => [name, `${sandbox}/bridge`])),
  apple_pay: `${sandbox}/apple_pay`,
})

/**
 * What accounts that pay out must say of themselves, for the sandbox with this address; nothing where they need not.
 */
export function payoutSettings(connector: string, sandbox: string): Record<string, string> {
  if (connector === 'checkout') return { currency_account: 'ca_sandbox' }
  if (connector === 'adyenplatform') return { source_balance_account: 'BASANDBOX' }
  return connector === 'fiftyfourpay' ? { payout_url: `${sandbox}/fiftyfourpay/payouts` } : {}
}

/** What accounts that are paid must say of themselves; nothing where they need not. */
export const paymentSettings = (connector: string): Record<string, string> =>
  connector === 'braintree' ? { merchant_accounts: merchantAccounts.map(({ currency, id }) => `${currency}=${id}`).join(',') } : {}

/** The same as the service's setting `CONNECTOR_BASE_URLS` has it. */
export const homesSetting = (sandbox: string): string =>
  Object.entries(homesAt(sandbox))
    .map(pair => pair.join('='))
    .join(',')
