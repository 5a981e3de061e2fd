// The sandbox's own processor goes by several names.

/**
 * Other names of the sandbox's own processor: the same calls under `/NAME`. `approves`: cards that this identity
 * approves and the others decline, so that a payment can be retried with it.
 */
export const identities: Readonly<Record<string, { approves?: readonly string[] }>> = {
  fauxpay: {},
  pretendpay: {},
  stripe_test: { approves: ['insufficient_funds'] },
  adyen_test: {},
  checkout_test: {},
  paypal_test: {},
}
