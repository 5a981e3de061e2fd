import { DEPLOYMENT } from '../accounts/gsm.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { expiresAfterMs, secondPersonOf } from '../accounts/second-person.ts'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { bigint, bytes, count, jsonb, type RowOf, select, table, text, time } from '../database/table.ts'
import type { Asked } from './second-person.ts'

/** Requests that a second user must approve, with body and Idempotency-Key: so the operation runs only once. */

export const approvalStatuses = {
  pending: 'waits for a second person',
  approved: 'a second person agreed, and the operation is on its way',
  executed: 'the operation was accepted: `result_id`',
  refused: 'a second person agreed, but the operation was refused: `error_code`',
  rejected: 'a second person did not agree',
  expired: 'no second person decided in time',
} as const
export type ApprovalStatus = keyof typeof approvalStatuses

const bodyRecord = (approval_id: string): string => `approval ${approval_id}`

const approvals = table('approvals', {
  kind: 'approval',
  key: ['merchant_id', 'approval_id'],
  columns: {
    merchant_id: text(),
    approval_id: text(),
    version: count(1),
    status: text<ApprovalStatus>('pending'),
    /** The name of the operation, followed by its path, query and body. */
    operation: text().fixed(),
    path: jsonb<Record<string, string>>({}).fixed(),
    query: jsonb({}).fixed(),
    body: bytes(row => bodyRecord(String(row.approval_id))).orNull(),
    idempotency_key: text().fixed(),
    scope: text().fixed(),
    digest: text().fixed(),
    subject_kind: text<Asked['subject_kind']>('payment').fixed(),
    subject_id: text().fixed(),
    profile_id: text().orNull().fixed(),
    currency: text().orNull().fixed(),
    amount: bigint().orNull().fixed(),
    total: bigint().orNull().fixed(),
    asked_by: text().fixed(),
    decided_by: text().orNull(),
    decided_at: time().orNull(),
    reason: text().orNull(),
    result_id: text().orNull(),
    error_code: text().orNull(),
    error_message: text().orNull(),
    created: time().fixed(),
    expires_at: time().fixed(),
    due_at: time().orNull().unrecorded(),
  },
})
export type Approval = RowOf<typeof approvals>

/** Approvals that expire, and approved requests that are not completed. */
export const dueApprovals = claimed(approvals, { when: 'due_at', gives: ['merchant_id', 'approval_id'] })

/** `key`: its Idempotency-Key; null if it was sent without one. */
export type HeldRequest = Pick<Approval, 'operation' | 'path' | 'query' | 'scope' | 'digest'> & { body: object; key: string | null }

const byId = statement('approval_by_id', select(approvals, 'where merchant_id = $1 and approval_id = $2'))

export const findApproval = async (context: Reads, merchant_id: string, approval_id: string): Promise<Approval | undefined> =>
  (await context.query<Approval>(byId, [merchant_id, approval_id]))[0]

export const needApproval = async (context: Reads, merchant_id: string, approval_id: string): Promise<Approval> =>
  (await findApproval(context, merchant_id, approval_id)) ?? refuse('not_found', { what: 'approval' })

/** The same request with the same key returns the same approval. Refuses (IR_06) another request with the same key. */
export async function askSecondPerson(
  context: Context,
  merchant: Merchant,
  asked_by: string,
  asked: Asked,
  { key, body, ...waiting }: HeldRequest,
): Promise<Approval> {
  const { merchant_id } = merchant
  // The id follows from the key, so that concurrent requests with the same key make one approval.
  const approval_id =
    key === null ? newId(context, 'apr_') : `apr_${context.vault.digest('approval', `${merchant_id} ${key}`).slice(0, 26)}`
  const known = async () => {
    const found = key === null ? undefined : await findApproval(context, merchant_id, approval_id)
    return found && found.digest !== waiting.digest ? refuse('key_reused') : found
  }
  const before = await known()
  if (before) return before
  const now = context.now()
  const expires_at = later(now, expiresAfterMs(secondPersonOf(merchant)))
  const after: Approval = {
    ...waiting,
    ...asked,
    merchant_id,
    approval_id,
    version: 1,
    status: 'pending',
    body: context.vault.seal(merchant_id, bodyRecord(approval_id), JSON.stringify(body)),
    idempotency_key: key ?? `@${asked_by} ${approval_id}`,
    asked_by,
    ...{ decided_by: null, decided_at: null, reason: null, result_id: null, error_code: null, error_message: null },
    created: now,
    expires_at,
    due_at: expires_at,
  }
  const written = await context.commit(changeTo(context, approvals.name, { before: null, after }, 'asked', { ownId: key === null }))
  return written.is === 'written' ? (written.row as Approval) : ((await known()) ?? refuse('busy'))
}

/** Null once the approval is over. */
export const askedBody = (
  { vault }: Pick<Context, 'vault'>,
  { merchant_id, approval_id, body }: Approval,
): Record<string, unknown> | null => (body === null ? null : JSON.parse(vault.open(merchant_id, bodyRecord(approval_id), body)))

/** Null if a concurrent change was first. */
export async function step(context: Context, before: Approval, more: Partial<Approval>, type: string): Promise<Approval | null> {
  const written = await context.commit(changeTo(context, approvals.name, { before, after: { ...before, ...more } }, type))
  return written.is === 'written' ? (written.row as Approval) : null
}

/** Nothing is due any more, and the body is deleted. */
export const over = { due_at: null, body: null } as const

export type ApprovalsAsk = { status: string | null; profiles: readonly string[] | null; after: string | null; limit: number }

const filters = 'a.merchant_id = $1 and ($2::text is null or a.status = $2) and ($3::text[] is null or a.profile_id = any($3))'
const listed = statement(
  'approvals_listed',
  `select ${approvals.names.map(name => `a.${name}`).join(', ')} from approvals a where ${filters}
    and ($4::text is null or (a.created, a.approval_id) < (select x.created, x.approval_id from approvals x where x.merchant_id = $1 and x.approval_id = $4))
    order by a.created desc, a.approval_id desc limit $5`,
)

export const listApprovals = (context: Reads, merchant_id: string, { status, profiles, after, limit }: ApprovalsAsk): Promise<Approval[]> =>
  context.query<Approval>(listed, [merchant_id, status, profiles, after, limit])

const waiting = statement(
  'approvals_waiting',
  select(
    approvals,
    "where merchant_id = $1 and status = 'pending' and expires_at > $2 and ($3::text[] is null or profile_id = any($3)) order by expires_at limit $4",
  ),
)

export const findWaiting = (
  context: Pick<Context, 'query' | 'now'>,
  merchant_id: string,
  profiles: readonly string[] | null,
  limit: number,
): Promise<Approval[]> => context.query<Approval>(waiting, [merchant_id, context.now(), profiles, limit])

const names = statement(
  'names_of_people',
  `select user_id, coalesce(name, email) as name from users where merchant_id = '${DEPLOYMENT}' and user_id = any($1)`,
)

export async function namesOfDeciders(context: Reads, all: readonly Approval[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(all.flatMap(({ asked_by, decided_by }) => (decided_by === null ? [asked_by] : [asked_by, decided_by])))]
  if (ids.length === 0) return new Map()
  const found = await context.query<{ user_id: string; name: string }>(names, [ids])
  return new Map(found.map(({ user_id, name }) => [user_id, name]))
}
