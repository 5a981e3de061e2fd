import { Refusal, refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { type Approval, type ApprovalStatus, askedBody, askSecondPerson, findApproval, over, step } from '../users/approvals.ts'
import { type Doer, personNow } from '../users/person.ts'
import type { NeedsSecondPerson } from '../users/second-person.ts'
import type { ApiRequest, Endpoint, Service } from './endpoint.ts'
import type { Keyed } from './idempotency.ts'
import { answerUnder, identityOf } from './idempotency-key.ts'
import { checkProfileObjects, checkProfileScope } from './profile-access.ts'
import { checkPermission } from './session.ts'

/**
 * Requests that wait for a second person, stored when a use case throws `NeedsSecondPerson`. Once approved, they run
 * through the same operation, in their maker's name and under its Idempotency-Key.
 */

/** The pause in milliseconds after which an approved operation that did not finish is tried again. */
const AGAIN_MS = 60_000

/** Refuses a caller who acts for another merchant, where no person can be asked to approve. */
export async function hold(
  endpoint: Endpoint,
  call: ApiRequest,
  url: string,
  keyed: Keyed | null,
  thrown: NeedsSecondPerson,
): Promise<Approval> {
  const { who, merchant, path, query, body, aside = call.context } = call
  const user = 'user' in who ? who.user : undefined
  if (!endpoint.approval || !merchant || user === undefined || call.platform !== undefined) throw thrown
  const { scope, digest } = keyed ?? identityOf(call, url)
  const asks = { operation: endpoint.name, path: { ...path }, query: { ...query }, body, scope, digest, key: keyed?.key ?? null }
  return askSecondPerson(aside, merchant, user.user_id, thrown.asked, asks)
}

/** The members of an operation's answer that contain the id of the object that it made or changed. */
const RESULTS = ['refund_id', 'payout_id', 'difference_id', 'payment_id'] as const

/** Returns the call as the person who made it sent it, after another person's approval. */
function callOf(service: Service, context: Context, approval: Approval, user: Doer): ApiRequest {
  const { asked_by, amount } = approval
  const merchant = user.merchant!
  return {
    service,
    context,
    aside: context,
    services: service.services,
    who: { is: 'secret', merchant, platform: null, key_id: asked_by, user },
    merchant,
    platform: undefined,
    person: { user_id: asked_by, role: user.role, approved: { amount } },
    opened: null,
    path: approval.path,
    query: approval.query,
    body: askedBody(context, approval) ?? {},
    raw: Buffer.alloc(0),
    address: '',
    headers: {},
    gone: () => new AbortController().signal,
  }
}

/** Runs an approved request; returns the id of the object that it made or changed. */
async function run(service: Service, context: Context, approval: Approval): Promise<string> {
  const { merchant_id, asked_by, operation, idempotency_key: key, scope, digest } = approval
  const merchant = await service.settings.merchant(merchant_id)
  if (!merchant || merchant.deleted) return refuse('not_found', { what: 'merchant account' })
  const user = await personNow(context, merchant, asked_by, service.mode)
  const endpoint = service.operation(operation)
  checkPermission(user, endpoint.auth.permission)
  checkProfileScope(endpoint.auth, user)
  const call = callOf(service, { ...context, by: `user ${asked_by}` }, approval, user)
  await checkProfileObjects(context, endpoint.auth, user, call)
  const answer = JSON.parse((await answerUnder(endpoint, call, { merchant_id, key, scope, digest })).body) as Record<string, unknown>
  return String(RESULTS.map(name => answer[name]).find(id => typeof id === 'string') ?? approval.subject_id)
}

/** Whether a refusal is temporary and says nothing about the operation itself: the operation is then tried again. */
const isForNow = ({ entry, refusal }: Refusal): boolean => entry.status >= 500 || refusal === 'busy' || refusal === 'still_running'

/** Runs an approved request once, by its Idempotency-Key; an unknown result is left to the next attempt. */
async function runApproved(service: Service, context: Context, approval: Approval): Promise<Approval> {
  const ends = async (status: ApprovalStatus, more: Partial<Approval>): Promise<Approval> =>
    (await step(context, approval, { status, ...more, ...over }, status)) ??
    (await findApproval(context, approval.merchant_id, approval.approval_id)) ??
    approval
  try {
    return await ends('executed', { result_id: await run(service, context, approval) })
  } catch (error) {
    if (error instanceof Refusal && !isForNow(error)) {
      const error_message = [error.message, error.why].filter(Boolean).join(': ')
      return ends('refused', { error_code: error.entry.code, error_message })
    }
    context.log.warn(
      { err: { message: (error as Error).message }, approval_id: approval.approval_id },
      'an approved operation is tried again',
    )
    return approval
  }
}

/** Handles a due approval: an approval without a decision expires, and an approved operation is tried again. */
export async function approvalDue(service: Service, context: Context, merchant_id: string, approval_id: string): Promise<void> {
  const approval = await findApproval(context, merchant_id, approval_id)
  if (approval?.status === 'approved') await runApproved(service, context, approval)
  else if (approval?.status === 'pending' && approval.expires_at <= context.now())
    await step(context, approval, { status: 'expired', ...over }, 'expired')
}

/** Refuses the maker and a person without the permission (IR_22), and an approval that is over (IR_16). */
export async function decideApproval(
  service: Service,
  context: Context,
  user: Doer,
  approval: Approval,
  status: 'approved' | 'rejected',
  reason: string | null,
): Promise<Approval> {
  checkPermission(user, service.operation(approval.operation).auth.permission)
  if (approval.asked_by === user.user_id)
    refuse('forbidden', { problem: 'You have asked for this yourself: another person has to decide', help: 'Ask a colleague' })
  // The person sends the same decision again, because the answer was lost.
  if (approval.decided_by === user.user_id && (status === 'rejected') === (approval.status === 'rejected')) return approval
  if (approval.status !== 'pending' || approval.expires_at <= context.now())
    refuse('precondition', { problem: `This approval is ${approval.status === 'pending' ? 'expired' : approval.status} already` })
  const now = context.now()
  const next = status === 'approved' ? { due_at: later(now, AGAIN_MS) } : over
  const decided = await step(context, approval, { status, decided_by: user.user_id, decided_at: now, reason, ...next }, status)
  if (decided === null) return refuse('busy')
  return status === 'approved' ? runApproved(service, context, decided) : decided
}
