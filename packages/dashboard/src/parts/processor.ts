/** Processors whose proper name is more than their name here with a capital. */
const properNames: Readonly<Record<string, string>> = { checkout: 'Checkout.com', paypal: 'PayPal', adyenplatform: 'Adyen Platform' }

/** Returns the proper name of a processor: `PayPal`. */
export const processorName = (connector: string): string => properNames[connector] ?? connector.charAt(0).toUpperCase() + connector.slice(1)

/** Says who moved what nobody here did: `at Stripe, outside`. */
export const outsideAt = (connector: string | null | undefined): string =>
  `at ${connector ? processorName(connector) : 'the processor'}, outside`
