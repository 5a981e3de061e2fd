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
import type { CalledOperation } from './key-scopes.ts'

/**
 * The permissions of a person whose role holds for some of the merchant's profiles only: two tables, which the server
 * reads. An operation that is not in the first table concerns the whole merchant, and is refused. The second table
 * finds the profile of each object that a request names; an object of another profile is not found, as an object of
 * another merchant. Besides, the operation's merchant has only these profiles (`narrowed`), and lists contain only
 * these (`profilesOf`).
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

/** The objects that some operations look for within the named object, for the words of the refusal. */
const within: Readonly<Record<string, string>> = { listPaymentExchanges: 'operation', listPayoutExchanges: 'operation' }

/** Every object that belongs to a profile, by the member that names the object in paths, queries and bodies. */
const named: Readonly<Record<string, Named>> = {
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

const lists = (name: string, ...more: string[]): string[] =>
  ['list', 'search', 'export', 'filters', 'aggregate', ...more].flatMap(verb => [`${verb}${name}`, `${verb}${name}OfProfile`])
const routing = (of: '' | 'Payout'): string[] => [
  ...['create', 'list', 'retrieveActive', 'retrieve', 'activate', 'deactivate'].map(verb => `${verb}${of}Routing`),
  ...[`retrieve${of}Fallback`, `set${of}Fallback`, `retrieve${of}Fallbacks`, `set${of}FallbackOfProfile`],
]

/** The operations whose query and body name no object. */
const plain = `
  createPayment retrievePayment confirmPayment updatePayment updateMetadata capturePayment cancelPayment cancelPostCapture
  releasePayment retrieveCancelPostCapture incrementAuthorization extendAuthorization expireSession completeAuthorize
  checkEligibility checkEligibilityToo retrieveExtendedCardInfo listPaymentOperations listPaymentExchanges listPaymentActions
  retrievePaymentTimeline calculateTax postSessionTokens retrievePaymentLink
  retrieveRefund updateRefund
  createPayout retrievePayout updatePayout putPayout confirmPayout fulfillPayout cancelPayout listPayoutActions
  listPayoutOperations listPayoutExchanges
  retrieveDispute fetchDisputes updateDisputeStatus acceptDispute retrieveEvidence retrieveEvidenceDraft saveEvidenceDraft
  deleteFile retrieveFile
  streamEvents retrieveEvent listEventAttempts retryEvent listEventListeners
  createWebhookEndpoint listWebhookEndpoints retrieveWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint
  listDeliveries retrieveWebhookEndpointHealth rotateWebhookSecret replayEvents testWebhookEndpoint
  listProfiles listOwnProfiles retrieveProfile updateProfile toggleExtendedCardInfo toggleConnectorAgnosticMit
  listConnectors createConnectorAccount listConnectorAccounts retrieveConnectorHealth listProfileConnectorAccounts
  retrieveConnectorAccount updateConnectorAccount deleteConnectorAccount registerConnectorWebhook registerConnectorWebhookToo
  routingHistory payoutRoutingHistory listRoutingKeys evaluateRule
  createSuccessBasedRouting toggleSuccessBasedRouting updateSuccessBasedRouting createEliminationRouting
  toggleEliminationRouting updateEliminationRouting toggleContractBasedRouting updateContractBasedRouting setDynamicShare
  retrieveGsmRule listGsmRules listLedgerBalances listLedgerEntries exportLedgerEntries
  analyticsSeries analyticsBreakdown listAttention searchObjects listAudit listRoles retrieveMerchantAccount
  listApprovals retrieveSecondPerson retrieveApproval approveApproval rejectApproval`

/**
 * Every operation that concerns a profile, with the members of its query and body that must name an existing object.
 */
const ofProfile: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      ...plain.trim().split(/\s+/),
      ...['Payments', 'Refunds', 'Payouts'].flatMap(name => lists(name, 'filter')),
      ...lists('Disputes'),
      ...routing(''),
      ...routing('Payout'),
    ].map(name => [name, []]),
  ),
  createSessionTokens: ['payment_id'],
  syncPayment: ['payment_id'],
  createRefund: ['payment_id'],
  syncRefund: ['refund_id'],
  createDispute: ['payment_id'],
  attachEvidence: ['dispute_id'],
  deleteEvidence: ['dispute_id'],
  submitEvidence: ['dispute_id'],
  uploadFile: ['dispute_id'],
  listEvents: ['object_id'],
  searchEvents: [],
  searchOwnEvents: [],
  verifyCredentials: ['merchant_connector_id'],
  evaluateRouting: ['payment_id', 'routing_algorithm_id'],
  simulateRouting: ['routing_algorithm_id'],
}

/**
 * Refuses (IR_22) an operation that concerns the whole merchant to a person whose role holds for some of its profiles.
 * Allows operations that need no permission, and those of the deployment's operator, because they do not concern the
 * merchant.
 */
export function checkOfProfile({ name }: CalledOperation, { profile_ids }: Pick<Doer, 'profile_ids'>, needed: string | null): void {
  if (profile_ids === null || needed === null || needed === 'deployment' || Object.hasOwn(ofProfile, name)) return
  refuse('forbidden', {
    problem: 'This operation is about the merchant as a whole, and your role holds for some of its business profiles',
    help: 'Ask an owner or admin of the merchant for a role without `profile_ids`',
  })
}

/** The parts of a request that name objects: its path, its query and its body. */
export type NamedObjects = { path: object; query: object; body: object }

/**
 * Refuses, as not found, a request that names an object of another profile. Takes an operation that `checkOfProfile`
 * allows, and the merchant.
 */
export async function checkObjects(
  context: Reads,
  { name }: Pick<CalledOperation, 'name'>,
  { merchant, profile_ids }: Pick<Doer, 'merchant' | 'profile_ids'>,
  { path, query, body }: NamedObjects,
): Promise<void> {
  if (profile_ids === null || merchant === null || !Object.hasOwn(ofProfile, name)) return
  const inside = { ...query, ...body }
  const its = [...Object.entries(path), ...ofProfile[name]!.map(member => [member, inside[member as keyof typeof inside]])]
  for (const [member, id] of its as [string, unknown][]) {
    const of = Object.hasOwn(named, member) ? named[member] : undefined
    if (of === undefined || typeof id !== 'string') continue
    const found = await of.find(context, merchant, id)
    if (found === undefined || (found.profile_id !== null && profile_ids.includes(found.profile_id))) continue
    if (within[name] !== undefined) refuse('not_found', { what: within[name] })
    of.absent(id)
  }
}

/** The names of the operations in the table: a test compares them with the endpoints. */
export const operationsOfProfiles: readonly string[] = Object.keys(ofProfile)
