import { deepEqual } from 'node:assert/strict'
import { browser_info } from './browser-info.ts'
import { type Body, openShop, type PayAsk, type Shop } from './shop.ts'

/**
 * Opens a shop whose Adyen account authenticates customers in the checkout (the steps of their browsers:
 * `authentication.ts`).
 */
export const openNativeShop = (more: Parameters<typeof openShop>[0] = {}) =>
  openShop({ connector: 'adyen', webhooks: 'off', metadata: { native_3ds: 'true' }, ...more })

/**
 * Adyen's own test cards, in this order: fingerprinted without a challenge; fingerprinted, then challenged; the same
 * by an issuer without a 3DS method page; challenged without a fingerprint; fingerprinted, then redirected to a page
 * of Adyen.
 */
export const FRICTIONLESS = '5201281505129736'
export const CHALLENGED = '5000550000000029'
export const WITHOUT_METHOD = '4917610000000000'
export const AT_ONCE = '4212345678910006'
export const FALLS_BACK = '4212345678901237'

/** Creates a payment whose customer is to be authenticated. */
export const begin = async (shop: Pick<Shop, 'pay'>, number: string, ask: PayAsk = {}): Promise<Body> => {
  const payment = await shop.pay({ card: number, authentication_type: 'three_ds', browser_info, ...ask })
  deepEqual([payment.status, payment.next_action?.type], ['requires_customer_action', 'three_ds_invoke'])
  return payment
}
