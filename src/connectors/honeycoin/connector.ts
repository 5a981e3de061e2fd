import type { Connector } from '../connector.ts'
import { amount_unit } from '../kit/unit.ts'
import { authorize } from './authorize.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/**
 * The connector for HoneyCoin: mobile money and bank transfers in Africa. An access token is fetched for each account.
 * A transaction has our request id, and is found by it. Webhooks contain the shared secret itself, so they only
 * trigger a lookup. There are no holds and no refunds.
 */
export const honeycoin = {
  name: 'honeycoin',
  sources: {
    documented: 'hosts, tokens, members of a charge, webhook header: docs.honeycoin.app',
    second_hand: 'URL and members of a payout: client code',
    guessed:
      'URLs of charges and lookups (the account’s metadata can set others), names of states (an unknown one leaves the payment unknown). Not guessed: the unit of amounts, which the account sets',
  },
  baseUrl: { test: 'https://api-v2.honeycoin.app/api/sandbox/b2b', live: 'https://api-v2.honeycoin.app/api/b2b' },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'], called: { key1: { label: 'Public key', secret: false } } },
  settings: {
    amount_unit,
    country: { pattern: /^[A-Z]{2}$/, description: 'the payout country if the recipient has none, for example KE' },
    operator: { pattern: /^\w{1,32}$/, description: 'the code of the mobile operator that charges go to' },
    momo_path: { pattern: /^(\/[\w-]+){1,6}$/, description: 'the path for mobile money charges, for example /fiat/charge/momo' },
    bank_path: { pattern: /^(\/[\w-]+){1,6}$/, description: 'the path for bank transfers, for example /fiat/charge/bank' },
    lookup_path: {
      pattern: /^(\/[\w-]+){1,6}$/,
      description: 'the path to look up transactions by externalReference, for example /transactions',
    },
  },
  accepts: {
    methods: ['mobile_payment', 'bank_transfer'],
    capture: ['automatic'],
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['bank', 'wallet'],
  },
  authorize,
  payout,
  sync,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'mobile_payment' | 'bank_transfer'>
