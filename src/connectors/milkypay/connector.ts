import type { Connector } from '../connector.ts'
import { PAY } from './api.ts'
import { authorize } from './authorize.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * MilkyPay, reached through the engine at pay-gate.io. An invoice is made, which moves nothing; its name is written
 * down; then its checkout is told the card. What became of it the invoice says. Its callbacks are not signed: they
 * only say where to look.
 */
export const milkypay = {
  name: 'milkypay',
  founded: {
    documented: 'invoices, also of payouts, and their states: the pages of the engine (Corefy), not of MilkyPay',
    second_hand: 'hosts, the two calls of a card payment, members and the reason of a failure: one public client',
    guessed:
      'that a payout names its card in fields.card_number, and is looked up as other invoices are (a payout whose answer is lost ends with a person); that the customer’s challenge stands in flow_data.action (otherwise the payment is unknown until it is decided); that nothing happened where an error repeats its own status (otherwise it is unknown). No refund is known: there is none here',
  },
  baseUrl: { test: PAY, live: PAY },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'] },
  settings: {
    payout_service: { pattern: /^[a-z0-9_]{1,64}$/, says: 'the milkypay service for payouts, for example payment_card_eur' },
    service: { pattern: /^[a-z0-9_]{1,64}$/, says: 'the milkypay service for payments, for example payment_card_eur_hpp' },
    checkout_url: {
      pattern: /^https:\/\/[^/?#\\\s@]+$/,
      says: 'the URL to send card numbers to, if it differs from the vendor’s standard host',
      host: 'address',
    },
    test_mode: { pattern: /^(true|false)$/, says: 'true or false: whether invoices are only for testing', test: /^true$/ },
  },
  accepts: {
    methods: ['card'],
    capture: ['automatic'],
    idempotent_ms: 0,
    lookup: 'by reference',
    in_flight_ms: 80_000,
    recipients: ['card'],
  },
  authorize,
  payout,
  sync,
  webhook: { byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'card'>
