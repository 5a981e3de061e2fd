import type { Connector } from '../connector.ts'
import { type OtherFamily, otherFamilies } from '../instrument.ts'
import { channels } from '../purchase.ts'
import { verifyAccount } from './account.ts'
import { askIssuer, authenticate } from './authentication.ts'
import { authorize, complete, order } from './authorize.ts'
import { acceptDispute, contestDispute, readDispute, uploadEvidence } from './disputes.ts'
import { capture, extend, increment, refund, reverse, voidAuthorization } from './modify.ts'
import { payout, voidPayout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, register, verifyWebhook } from './webhook.ts'

/** The families besides cards whose payments can be held. */
const holding: readonly OtherFamily[] = ['wallet', 'pay_later', 'card_redirect', 'network_token']

/**
 * The connector for the sandbox processor; `sandbox/README.md` is its contract. Our request id is both the
 * `idempotency-key` and the `reference`, so a creation may be resent, and an operation whose response was lost can be
 * looked up.
 */
export const phonypay = {
  name: 'phonypay',
  sources: { documented: 'our own sandbox: sandbox/README.md', own: true },
  baseUrl: { test: null, live: null },
  testing: true,
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    methods: ['card', 'stored_card', 'network_transaction_id', ...otherFamilies],
    capture: ['automatic', 'manual', 'manual_multiple'],
    // Payments that the customer sends, or that are debited from an account, are captured at once or not at all.
    captured_at_once: otherFamilies.filter(family => !holding.includes(family)),
    channels,
    installments: true,
    partialApproval: true,
    orders: ['paypal'],
    authentication: ['three_ds_result', 'challenge', 'low_value', 'transaction_risk_analysis'],
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
    idempotent_ms: Number.POSITIVE_INFINITY,
    lookup: 'by request id',
    // The longest exchange (20 s), and a minute for requests that are still under way at the processor.
    in_flight_ms: 80_000,
  },
  authenticate,
  ask_issuer: askIssuer,
  authorize,
  order,
  setUp: authorize,
  capture,
  void: voidAuthorization,
  refund,
  increment,
  extend,
  post_capture_void: reverse,
  payout,
  cancel_payout: voidPayout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  upload_evidence: uploadEvidence,
  read_dispute: readDispute,
  sync,
  returned: { parameters: ['otp', 'threeds_method_comp_ind'], ask: complete },
  verify: verifyAccount,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook, register },
} satisfies Connector
