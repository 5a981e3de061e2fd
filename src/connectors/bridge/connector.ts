import type { Connector } from '../connector.ts'
import { channels } from '../purchase.ts'
import { verifyAccount } from './account.ts'
import { authorize } from './authorize.ts'
import { capture, refund, voidAuthorization } from './modify.ts'
import { payout } from './payout.ts'
import { sync } from './sync.ts'
import { readWebhook, register, verifyWebhook } from './webhook.ts'

/**
 * The bridge: an open protocol (`docs/bridge/README.md`) for processors without a connector here. A merchant, or the
 * processor, runs an adapter that implements it; the connector account contains the adapter's URL
 * (`metadata.base_url`) and its secret. Everything is one resource, an operation, whose id is our request id: put
 * twice, it is carried out once, and it is looked up by the same id.
 */
export const bridge = {
  name: 'bridge',
  sources: { documented: 'our own protocol: docs/bridge/README.md', own: true },
  baseUrl: { test: null, live: null },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    channels,
    methods: ['card'],
    capture: ['automatic', 'manual', 'manual_multiple'],
    partialApproval: true,
    // An adapter keeps request ids for as long as it keeps operations.
    idempotent_ms: Number.POSITIVE_INFINITY,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
  },
  authorize,
  capture,
  void: voidAuthorization,
  refund,
  payout,
  sync,
  verify: verifyAccount,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook, register },
} satisfies Connector<'card'>
