import type { Connector } from '../connector.ts'
import { PAY } from './api.ts'
import { authorize } from './authorize.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * The connector for MilkyPay, through the engine at pay-gate.io. An invoice is created, which moves no money; its id
 * is noted; then the card is sent to its checkout. The invoice shows the result. Callbacks are not signed: they only
 * trigger a lookup.
 */
export const milkypay = {
  name: 'milkypay',
  sources: {
    documented: 'invoices, including payouts, and their states: documentation of the engine (Corefy), not of MilkyPay',
    second_hand: 'hosts, the two calls of a card payment, members, failure reasons: one public client',
    guessed:
      'that a payout sends its card in fields.card_number and is looked up like other invoices (a payout whose response is lost needs manual review); that flow_data.action contains the challenge (otherwise the payment is unknown until it is decided); that an error that repeats its own status means nothing happened (otherwise it is unknown). Refunds are not documented and not supported',
  },
  baseUrl: { test: PAY, live: PAY },
  credentials: {
    auth_type: 'BodyKey',
    members: ['api_key', 'key1'],
    called: { api_key: { label: 'API key (user name)', secret: true }, key1: { label: 'API secret (password)', secret: true } },
  },
  settings: {
    payout_service: { pattern: /^[a-z0-9_]{1,64}$/, description: 'the milkypay service for payouts, for example payment_card_eur' },
    service: { pattern: /^[a-z0-9_]{1,64}$/, description: 'the milkypay service for payments, for example payment_card_eur_hpp' },
    checkout_url: {
      pattern: /^https:\/\/[^/?#\\\s@]+$/,
      description: 'the URL to send card numbers to, if it differs from the vendor’s standard host',
      host: 'address',
    },
    test_mode: { pattern: /^(true|false)$/, description: 'true or false: whether invoices are only for testing', test: /^true$/ },
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
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'card'>
