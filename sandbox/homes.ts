// The address of each connector's processor in the sandbox: the sandbox's own language at the root and under its other
// names, the other languages under theirs.

import { merchantAccounts } from './dialects/braintree-accounts.ts'
import { webhookFormats } from './dialects/webhook-formats.ts'
import { identities } from './identities.ts'

/** The processors that are reached through the bridge. */
const bridged = ['flexifai', 'bitex', 'hypergate', 'k218pay']

/**
 * The connectors with which the demo shop can be paid, besides the sandbox's own processor; the processors of the
 * specification come last. The first connector that accepts a payment receives it.
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

/**
 * The connectors with which the demo shop makes payouts; each has one more account for them. The first connector that
 * accepts a payout receives it.
 */
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

/** Returns the address of each connector's processor, and of Apple, for the sandbox at this address. */
export const homesAt = (sandbox: string): Record<string, string> => ({
  phonypay: sandbox,
  ...Object.fromEntries([...Object.keys(webhookFormats), ...Object.keys(identities)].map(name => [name, `${sandbox}/${name}`])),
  ...Object.fromEntries(bridged.map(name => [name, `${sandbox}/bridge`])),
  apple_pay: `${sandbox}/apple_pay`,
})

/**
 * Returns the settings that a connector account needs for payouts, for the sandbox at this address; none for most
 * connectors.
 */
export function payoutSettings(connector: string, sandbox: string): Record<string, string> {
  if (connector === 'checkout') return { currency_account: 'ca_sandbox' }
  if (connector === 'adyenplatform') return { source_balance_account: 'BASANDBOX' }
  return connector === 'fiftyfourpay' ? { payout_url: `${sandbox}/fiftyfourpay/payouts` } : {}
}

/** Returns the settings that a connector account needs for payments; none for most connectors. */
export const paymentSettings = (connector: string): Record<string, string> =>
  connector === 'braintree' ? { merchant_accounts: merchantAccounts.map(({ currency, id }) => `${currency}=${id}`).join(',') } : {}

/** Returns the same addresses as the service's setting `CONNECTOR_BASE_URLS` takes them. */
export const homesSetting = (sandbox: string): string =>
  Object.entries(homesAt(sandbox))
    .map(pair => pair.join('='))
    .join(',')
