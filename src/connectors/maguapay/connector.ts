import type { Connector } from '../connector.ts'
import { GATEWAY } from './api.ts'
import { authorize } from './authorize.ts'
import { refund } from './modify.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * Magua Pay, on SmartCore. An order is named by our request id and found by it (`/check`), so nothing need be said
 * twice. What is said of an order in passing has no amount: before it is believed it is asked about. Card numbers
 * have a host of their own; without one the customer enters it at a form of theirs (`card_redirect`).
 */
export const maguapay = {
  name: 'maguapay',
  founded: {
    documented: 'calls, members and states: docs.magua-pay.com',
    second_hand:
      'that money is paid out to a card by /withdrawal/init (a public client); the signature of callbacks (a public script of the vendor’s sandbox): where it is another, callbacks are refused, and orders are asked about by the clock',
    guessed:
      'the members of a withdrawal, and that /check tells of it as of an order: otherwise it is unknown; which members the page of a bank is posted (ACSUrl; MD, TermUrl, PaReq, creq); that an order is in its account’s currency where it does not say so; that nothing happened where an error names no order (otherwise it is unknown). An order that never came is not known for certain, so it ends with a person. A refund has no name of its own: one whose answer is lost does too',
  },
  baseUrl: { test: GATEWAY, live: GATEWAY },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'] },
  settings: {
    account: { pattern: /^[\w-]{1,64}$/, says: 'the maguapay account that receives payments, for example EUR-sandbox', test: /-sandbox$/i },
    card_url: {
      pattern: /^https:\/\/[^/?#\\\s@]+$/,
      says: 'the URL to send card numbers to, if it differs from the vendor’s standard host',
      host: 'address',
    },
  },
  accepts: {
    methods: ['card', 'card_redirect'],
    capture: ['automatic'],
    only: { card_redirect: { types: ['card_redirect'] } },
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card'],
  },
  authorize,
  refund,
  payout,
  sync,
  webhook: { byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'card' | 'card_redirect'>
