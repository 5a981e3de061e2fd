import type { Connector } from '../connector.ts'
import { channels } from '../purchase.ts'
import { verifyAccount } from './account.ts'
import { authorize, setUp } from './authorize.ts'
import { counting } from './common.ts'
import { acceptDispute, contestDispute, readDispute, uploadEvidence } from './disputes.ts'
import { capture, increment, refund, voidAuthorization } from './modify.ts'
import { stripeFamilies, stripeOffers } from './offers.ts'
import { payout } from './payout.ts'
import { reasons, type StripeTakes } from './requests.ts'
import { sync } from './sync.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * Stripe. A card first becomes a payment method, by a request that moves no money; then one request authorizes the
 * payment. Every other verb is one request. Our request id is the Idempotency-Key of every request that moves money.
 * It is also in the metadata of the intent, of each capture and of each refund, by which they are found again: intents
 * by a search, which is behind by up to an hour; captures and refunds through their intent, at once.
 */
export const stripe = {
  name: 'stripe',
  sources: {
    documented:
      'Stripe’s API reference, and the types of its client library, to which every request is held; that library works against the same sandbox dialect',
    guessed:
      'Which currencies, amounts and payers Stripe takes of each payment method changes: what is newer than our table is refused too early, or declined by Stripe; nothing is charged by it. Whether every account may ask for a German account for transfers of euros, and that refunds of transfers wait for the customer’s confirmation, is inferred from Stripe’s guides',
  },
  baseUrl: { test: 'https://api.stripe.com', live: 'https://api.stripe.com' },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'], test: { api_key: /^[a-z]{2}_test_/ } },
  settings: {
    stripe_account: { pattern: /^acct_\w{1,64}$/, description: 'the id of the connected account to act on behalf of (acct_…)' },
    mit_exemption: {
      pattern: /^(true|false)$/,
      description:
        'true or false: whether Stripe has opened mit_exemption for the account, on request, so that it charges network transaction ids',
      of: 'payment_processor',
    },
  },
  accepts: {
    // Stripe requests exemptions by itself, and has no parameter for them.
    authentication: ['three_ds_result', 'challenge'],
    methods: ['card', 'stored_card', 'network_transaction_id', ...stripeFamilies],
    on_request: { network_transaction_id: 'mit_exemption' },
    offers: stripeOffers,
    capture: ['automatic', 'manual', 'manual_multiple'],
    channels,
    // Stripe promises to keep an idempotency key for at least a day, and no longer.
    idempotent_ms: 24 * 3_600_000,
    lookup: 'by request id',
    // The longest exchange (20 s), and a minute for a request that is still in progress at the processor.
    in_flight_ms: 80_000,
    counting,
    evidence: {
      files: { 'application/pdf': 5_000_000, 'image/jpeg': 5_000_000, 'image/png': 5_000_000 },
      texts: true,
      without: ['recurring_transaction_agreement'],
    },
    refund_reasons: reasons,
    recipients: ['passthrough'],
    splits: 'stripe',
    installments: true,
  },
  authorize,
  setUp,
  capture,
  void: voidAuthorization,
  refund,
  increment,
  payout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  upload_evidence: uploadEvidence,
  read_dispute: readDispute,
  sync,
  verify: verifyAccount,
  webhook: { largest: 262_144, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<StripeTakes>
