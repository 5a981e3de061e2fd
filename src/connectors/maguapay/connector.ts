import type { Connector } from '../connector.ts'
import { GATEWAY } from './api.ts'
import { authorize } from './authorize.ts'
import { refund } from './modify.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * The connector for Magua Pay, on SmartCore. An order has our request id and is found by it (`/check`), so no request
 * needs to be sent twice. Responses and callbacks without an amount are not trusted: the order is retrieved first.
 * Card numbers go to a host of their own; without a card number, the customer enters it on Magua Pay's form
 * (`card_redirect`).
 */
export const maguapay = {
  name: 'maguapay',
  sources: {
    documented: 'calls, members and states: docs.magua-pay.com',
    second_hand:
      'payouts to cards with /withdrawal/init (a public client); the signature of callbacks (a public script of the vendor’s sandbox): if it differs, callbacks are refused and orders are polled',
    guessed:
      'the members of a withdrawal, and that /check reports it like an order (otherwise it is unknown); the members posted to the bank’s page (ACSUrl; MD, TermUrl, PaReq, creq); that an order without a currency is in the account’s currency; that an error without an order means nothing happened (otherwise it is unknown). An order that never arrived cannot be confirmed, so it needs manual review. So does a refund whose response is lost, because refunds have no id',
  },
  baseUrl: { test: GATEWAY, live: GATEWAY },
  credentials: {
    auth_type: 'BodyKey',
    members: ['api_key', 'key1'],
    called: { api_key: { label: 'API key (user name)', secret: true }, key1: { label: 'API secret (password)', secret: true } },
  },
  settings: {
    account: {
      pattern: /^[\w-]{1,64}$/,
      description: 'the maguapay account that receives payments, for example EUR-sandbox',
      test: /-sandbox$/i,
    },
    card_url: {
      pattern: /^https:\/\/[^/?#\\\s@]+$/,
      description: 'the URL to send card numbers to, if it differs from the vendor’s standard host',
      host: 'address',
    },
  },
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
