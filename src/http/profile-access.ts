import type { Merchant } from '../accounts/merchant.ts'
import { findAlgorithm } from '../accounts/routing.ts'
import { findConnectorAccountRow } from '../accounts/rows.ts'
import { findWebhookEndpoints } from '../accounts/webhook-endpoint.ts'
import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { findDispute } from '../disputes/dispute.ts'
import { disputeOfFile } from '../disputes/evidence.ts'
import { findEvent } from '../events/event.ts'
import { paymentOfLink } from '../payments/checkout/payment-link.ts'
import { findPayment } from '../payments/rows.ts'
import { findPayout } from '../payouts/payout.ts'
import { findRefund } from '../refunds/refund.ts'
import { findApproval } from '../users/approvals.ts'
import type { Doer } from '../users/person.ts'
import type { Auth, ProfileObjectId } from './auth.ts'

/**
 * For people whose role holds for some profiles only: another profile's object is not found, as another merchant's,
 * and merchant (`narrowed`) and lists (`profilesOf`) contain only these profiles.
 */

type Reads = Pick<Context, 'query' | 'vault'>
type OfProfile = { profile_id: string | null }

/** How to find the profile of the object that a member names, and how to refuse an object that does not exist. */
type Named = { find(context: Reads, merchant: Merchant, id: string): Promise<OfProfile | undefined>; absent(id: string): never }

const notFound = (what: string) => () => refuse('not_found', { what })
const notFoundById = (what: string) => (id: string) => refuse('not_found', { what, id })
const absent = (what: string) => () => refuse('absent', { what })

const payment = (context: Reads, { merchant_id }: Merchant, id: string) => findPayment(context, merchant_id, id)
const dispute = (context: Reads, { merchant_id }: Merchant, id: string) => findDispute(context, merchant_id, id)
const algorithm: Named = {
  find: (context, { merchant_id }, id) => findAlgorithm(context, merchant_id, id),
  absent: notFound('routing algorithm'),
}
const endpointOf = async (context: Reads, merchant: Merchant, id: string) =>
  (await findWebhookEndpoints(context, merchant)).find(one => one.endpoint_id === id) ?? { profile_id: null }

/** Finds every object that belongs to a profile, by the member that names it in paths, queries and bodies. */
const named: Readonly<Record<ProfileObjectId, Named>> = {
  profile_id: { find: async (_, __, profile_id) => ({ profile_id }), absent: notFoundById('business profile') },
  payment_id: { find: payment, absent: notFound('payment') },
  payment_link_id: { find: (context, merchant, id) => payment(context, merchant, paymentOfLink(id)), absent: notFound('payment') },
  refund_id: { find: (context, { merchant_id }, id) => findRefund(context, merchant_id, id), absent: notFound('refund') },
  payout_id: { find: (context, { merchant_id }, id) => findPayout(context, merchant_id, id), absent: notFound('payout') },
  dispute_id: { find: dispute, absent: absent('dispute') },
  file_id: { find: (context, merchant, id) => dispute(context, merchant, disputeOfFile(id)), absent: absent('file') },
  event_id: { find: (context, { merchant_id }, id) => findEvent(context, merchant_id, id), absent: notFound('event') },
  merchant_connector_id: {
    find: (context, { merchant_id }, id) => findConnectorAccountRow(context, merchant_id, id),
    absent: notFoundById('connector account'),
  },
  endpoint_id: { find: endpointOf, absent: notFound('webhook endpoint') },
  routing_algorithm_id: algorithm,
  algorithm_id: algorithm,
  approval_id: { find: (context, { merchant_id }, id) => findApproval(context, merchant_id, id), absent: notFound('approval') },
  object_id: {
    find: async (context, merchant, id) =>
      (await payment(context, merchant, id)) ??
      (await findRefund(context, merchant.merchant_id, id)) ??
      (await findPayout(context, merchant.merchant_id, id)) ??
      dispute(context, merchant, id),
    absent: notFound('payment, refund, dispute or payout'),
  },
}

/** Refuses (IR_22) what concerns the whole merchant, if the person's role holds for some profiles only. */
export function checkProfileScope({ scope }: Auth, { profile_ids }: Pick<Doer, 'profile_ids'>): void {
  if (profile_ids === null || scope !== 'merchant') return
  refuse('forbidden', {
    problem: 'This operation is about the merchant as a whole, and your role holds for some of its business profiles',
    help: 'Ask an owner or admin of the merchant for a role without `profile_ids`',
  })
}

/** The parts of a request that name objects: its path, its query and its body. */
export type NamedObjects = { path: object; query: object; body: object }

const isProfileObject = (member: string): member is ProfileObjectId => Object.hasOwn(named, member)

/** Refuses, as not found, a request of such a person that names an object of another profile. */
export async function checkProfileObjects(
  context: Reads,
  { scope, ids, within }: Auth,
  { merchant, profile_ids }: Pick<Doer, 'merchant' | 'profile_ids'>,
  { path, query, body }: NamedObjects,
): Promise<void> {
  if (profile_ids === null || merchant === null || scope !== 'profile') return
  const inside: Record<string, unknown> = { ...query, ...body }
  for (const [member, id] of [...Object.entries(path), ...ids.map(member => [member, inside[member]] as const)]) {
    if (!isProfileObject(member) || typeof id !== 'string') continue
    const found = await named[member].find(context, merchant, id)
    if (found === undefined || (found.profile_id !== null && profile_ids.includes(found.profile_id))) continue
    if (within !== null) refuse('not_found', { what: within })
    named[member].absent(id)
  }
}
