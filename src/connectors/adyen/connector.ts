import { DAY_MS } from '../../base/time.ts'
import type { Connector } from '../connector.ts'
import { channels } from '../purchase.ts'
import { verifyAccount } from './account.ts'
import { authorize, redeem } from './authorize.ts'
import { readBalance } from './balance.ts'
import { acceptDispute, contestDispute } from './disputes.ts'
import { adjust, cancel, capture, refund, reverse } from './modify.ts'
import { adyenOffers, offeredFamilies } from './offers.ts'
import { payout } from './payout.ts'
import { type AdyenTakes, counting } from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * Adyen's Checkout API, v71. Nothing can be looked up: the result of a request is known from a notification, or by
 * sending the request again under its Idempotency-Key (our request id). A capture, a cancel or a refund is only
 * received at first; its result always comes later, and may be reversed days after.
 *
 * A connector account is one merchant account (`key1`). Its live URL has a prefix of its own:
 * `metadata.endpoint_prefix`.
 */
export const adyen = {
  name: 'adyen',
  sources: {
    documented: 'Adyen’s API reference; Adyen’s client library works against the same sandbox dialect',
    guessed:
      'As which type some payment methods are charged again (iDEAL as ideal, wallets as scheme): Adyen’s document allows it; where an account wants another, Adyen refuses the payment and nothing is charged',
  },
  baseUrl: { test: 'https://checkout-test.adyen.com/v71', live: null },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'], called: { key1: { label: 'Merchant account', secret: false } } },
  settings: {
    endpoint_prefix: {
      pattern: /^[A-Za-z0-9]{1,64}(?:-[A-Za-z0-9]{1,64})*$/,
      description: 'the prefix of your live URLs, as in https://PREFIX-checkout-live.adyenpayments.com',
      host: 'part',
    },
    native_3ds: {
      pattern: /^(true|false)$/,
      description:
        'true or false: whether customers whose browser is known are authenticated in the checkout, instead of on a page of Adyen',
      of: 'payment_processor',
    },
  },
  accepts: {
    authentication: ['three_ds_result', 'challenge', 'low_value', 'transaction_risk_analysis'],
    methods: ['card', 'stored_card', 'network_transaction_id', ...offeredFamilies],
    offers: adyenOffers,
    capture: ['automatic', 'manual', 'manual_multiple'],
    // None of several captures releases the rest of the hold; a cancel does (docs.adyen.com, multiple partial
    // captures).
    finalCaptures: false,
    channels,
    // Adyen keeps idempotency keys for at least 31 days.
    idempotent_ms: 31 * DAY_MS,
    lookup: 'none',
    in_flight_ms: 80_000,
    counting,
    splits: 'adyen',
    installments: true,
    partialApproval: true,
    recipients: ['card'],
    evidence: { files: { 'application/pdf': 2_000_000, 'image/jpeg': 5_000_000 }, texts: false },
  },
  authorize,
  setUp: authorize,
  capture,
  void: cancel,
  refund,
  increment: adjust,
  extend: adjust,
  post_capture_void: reverse,
  payout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  balance: readBalance,
  verify: verifyAccount,
  returned: { parameters: ['redirectResult', 'payload'], native: true, ask: redeem },
  // Notifications of modifications contain Adyen's reference; those of payments contain ours.
  webhook: {
    largest: 262_144,
    byReference: ['capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void'],
    verify: verifyWebhook,
    read: readWebhook,
  },
} satisfies Connector<AdyenTakes>
