import type { Connector } from '../connector.ts'
import { authorize } from './authorize.ts'
import { refund } from './modify.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * The connector for PayAdmit. Deposits, refunds and withdrawals are all payments. Without a card, a deposit has a page
 * of PayAdmit where the customer enters one (`card_redirect`). No request is sent twice, because no idempotency key is
 * documented. If a response is lost, the payment is found by its id, or by our request id in the list of payments from
 * about that time. Callbacks are signed, and still only trigger a lookup.
 */
export const payadmit = {
  name: 'payadmit',
  sources: {
    documented: 'calls, members, states, signature of callbacks: api.payadmit.com, payadmit.readme.io',
    second_hand: 'states CANCELLED and ERROR; members of a card',
    guessed:
      'that an error that repeats its own status means nothing happened (otherwise it is unknown); that list entries have the members of a payment. No customer data is sent: ask the vendor whether the account requires it',
  },
  baseUrl: { test: 'https://app-demo.payadmit.com/api/v1', live: 'https://app.payadmit.com/api/v1' },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    methods: ['card', 'card_redirect'],
    capture: ['automatic'],
    offers: { card_redirect: { family: 'card_redirect', ways: ['card_redirect'], decided: 'by the customer' } },
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card'],
  },
  authorize,
  refund,
  payout,
  sync,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'card' | 'card_redirect'>
