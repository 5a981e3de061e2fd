import type { Connector } from '../connector.ts'
import { amount_unit } from '../kit/unit.ts'
import { base_url } from '../settings.ts'
import { authorize } from './authorize.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, register, verifyWebhook } from './webhook.ts'

/**
 * The connector for 54Pay: mobile money and bank transfers in Africa. Its documentation contradicts itself about
 * headers, contains no errors, and only one response code: every unknown answer leaves a payment unknown. Callbacks
 * are not signed: they only trigger a lookup. No payout API is public, so an adapter that implements the bridge
 * protocol pays out.
 */
export const fiftyfourpay = {
  name: 'fiftyfourpay',
  sources: {
    documented:
      'the call that creates a collection, its members, code 09 for PENDING; two contradictory variants of its headers: api.54pay.co',
    guessed:
      'the path of the lookup (metadata.status_path sets another; without a lookup, payments need manual review); response codes as in ISO 8583, which includes 09. Not guessed: the unit of amounts, which the account sets. No error is known, so none counts as a decline. Payouts use a bridge adapter, set in the account (metadata.payout_url)',
  },
  baseUrl: { test: 'https://subsidiary.dev.mypaygate.co', live: null },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'], called: { key1: { label: 'Client ID', secret: false } } },
  settings: {
    amount_unit: { ...amount_unit, of: 'payment_processor' },
    payout_url: {
      ...base_url,
      description:
        'where an adapter pays out that speaks the bridge (docs/bridge/README.md): 54Pay publishes no payouts. `api_key` is the secret of the adapter, and payouts alone are asked for there',
      of: 'payout_processor',
      required: true,
    },
    headers: {
      pattern: /^(x-api-key|x-module)$/,
      description: 'x-api-key (as on the page about authentication; the default) or x-module (as on the pages of countries)',
    },
    country: { pattern: /^[A-Z]{2}$/, description: 'the country to collect payments in, for example KE' },
    operator: { pattern: /^\w{1,32}$/, description: 'the code of the mobile operator or bank' },
    status_path: {
      pattern: /^(\/[\w-]+){1,6}$/,
      description: 'the path to look up collections by transactionReference, for example /collection/v1/status',
    },
  },
  accepts: {
    methods: ['mobile_payment', 'bank_transfer'],
    capture: ['automatic'],
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
  },
  authorize,
  payout,
  sync,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook, register },
} satisfies Connector<'mobile_payment' | 'bank_transfer'>
