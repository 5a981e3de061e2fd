import { randomCrockford } from '../base/id.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import { certainlySince, later } from '../base/time.ts'
import type { Context } from '../context.ts'
import type { Claim, ClaimedChange } from '../database/change.ts'
import { answerRecord, idempotencyKeys, type KeyRow } from '../database/idempotency-keys.ts'
import { statement } from '../database/statement.ts'
import { notBegun } from '../database/statement-parts.ts'
import { select } from '../database/table.ts'
import type { Engine } from '../operations/verb.ts'

/**
 * Idempotency-Key: one key, one answer.
 *
 * The statement that begins the work also claims the key (`database/statements.ts`, part `k`), so that neither ever
 * exists without the other. Afterwards the answer is stored with the key, encrypted, and returned again byte for byte.
 * A refusal before any work began is not stored: the request may be sent again.
 *
 * A key under which money moved is kept for ever, any other for 90 days (a scheduled job deletes it then).
 *
 * A claim without an answer belongs to a request that is still running, or to a process that died. After 30 s the
 * process has died (no answer takes longer than 25 s): if the work had begun, the object is shown in its current
 * state; if not, the work begins anew. An answer that is shown only once (a new API key) is stored by the statement
 * that begins the work.
 */

export const LONGEST_KEY = 255
const RUNNING_MS = 30_000
const NEVER = '1970-01-01T00:00:00.000Z'
/** The time for which a key is kept under which no money moved. */
const KEPT_MS = 90 * 24 * 3_600_000

const find = statement('key_by_name', select(idempotencyKeys, 'where merchant_id = $1 and key = $2'))
const begun = statement(
  'key_has_begun',
  'select 1 from changes where merchant_id = $1 and kind = $2 and object_id = $3 and version = $4 and event_id = $5',
)
const keep = statement(
  'keep_answer',
  `insert into idempotency_keys as c (merchant_id, key, scope, digest, token, kind, head_id, object_id, version, event_id, claimed_at, forget_at, status, answer)
    values ($1, $2, $3, $4, $5, '', '', '', 0, '', $6, $7, $8, $9)
    on conflict (merchant_id, key) do update set status = excluded.status, answer = excluded.answer where c.token = excluded.token and c.status is null returning 1`,
)
const takeOver = statement(
  'take_over_key',
  'update idempotency_keys set token = $4, claimed_at = $5 where merchant_id = $1 and key = $2 and token = $3 and status is null returning 1',
)
const release = statement(
  'release_key',
  `delete from idempotency_keys c where merchant_id = $1 and key = $2 and token = $3 and status is null and ${notBegun}`,
)

/** Thrown by a commit, or when the answer cannot be stored, because another request holds the key. */
class Taken extends Error {}

export type IdempotentAnswer = { body: string; replayed: boolean }

export type Keyed = {
  merchant_id: string
  key: string
  /** Method, path and class of credential: the same key for another request is refused (IR_06). */
  scope: string
  /** The keyed digest of the canonical body. */
  digest: string
}

/** Shows an object as it is now. `kinds`: the kinds of objects that operations belong to. */
type Current = { show(object_id: string): Promise<string>; kinds: Engine['kinds'] }

/**
 * `work` gets a context whose first commit claims the key. `current`: the object now, for a request that a dead
 * process began; without it, the change that began the work has stored the answer.
 */
export async function once(
  context: Context,
  keyed: Keyed,
  work: (context: Context) => Promise<string>,
  current: Current | null,
): Promise<IdempotentAnswer> {
  const { merchant_id, key } = keyed
  const token = randomCrockford(context, 26)
  const early = await earlier(context, keyed, token, current)
  if (early) return early

  let tried = false
  const claimed: Context = {
    ...context,
    async commit(change) {
      if (tried && written) return context.commit(change)
      tried = true
      const claim = {
        ...claimOf(context, keyed, token),
        answer: change.answer === undefined ? null : sealed(context, keyed, JSON.stringify(change.answer)),
      }
      const result = await context.commit({ ...change, claim } as typeof change & ClaimedChange)
      if (result.is === 'written') written = true
      else {
        const row = (await context.query<KeyRow>(find, [merchant_id, key]))[0]
        if (row && row.token !== token) throw new Taken()
      }
      return result
    },
  }
  let written = false
  try {
    const body = await work(claimed)
    if (await kept(context, keyed, token, body)) return { body, replayed: false }
    throw new Taken()
  } catch (error) {
    if (error instanceof Taken) return (await earlier(context, keyed, token, current)) ?? refuse('still_running')
    if (tried && !written && error instanceof Refusal) await context.query(release, [merchant_id, key, token])
    throw error
  }
}

function claimOf(context: Context, keyed: Keyed, token: string): Omit<Claim, 'answer'> {
  const claimed_at = context.now()
  const before = later(claimed_at, -RUNNING_MS)
  // If the clock has jumped since, the age of a claim is unknown: no claim is taken over.
  const stale_before = context.steadySince() <= before ? before : NEVER
  return { ...keyed, token, claimed_at, stale_before, forget_at: later(claimed_at, KEPT_MS) }
}

/** Whether the customer of the object that a key began was deleted since. */
const isForgotten = async (kinds: Engine['kinds'], context: Context, { merchant_id, head_merchant, kind, head_id }: KeyRow) =>
  (await kinds[kind]?.forgetting.isForgotten(context, head_merchant ?? merchant_id, head_id)) ?? false

/** The answer that an earlier request determines; null if there was none, or it began nothing. */
async function earlier(context: Context, keyed: Keyed, token: string, current: Current | null): Promise<IdempotentAnswer | null> {
  const { merchant_id, key } = keyed
  const row = (await context.query<KeyRow>(find, [merchant_id, key]))[0]
  if (!row) return null
  if (row.scope !== keyed.scope || row.digest !== keyed.digest) return refuse('key_reused')
  // The stored answer contains data of a deleted customer; the current one does not.
  if (row.answer && current && (await isForgotten(current.kinds, context, row)))
    return { body: await current.show(row.object_id), replayed: true }
  const replay = (answer: Buffer): IdempotentAnswer => ({
    body: context.vault.open(merchant_id, answerRecord(key), answer),
    replayed: true,
  })
  if (row.status !== null && row.answer) return replay(row.answer)
  const young = certainlySince(context, row.claimed_at) < RUNNING_MS
  if (young && !row.answer) return refuse('still_running')
  const [done] = await context.query(begun, [row.head_merchant ?? merchant_id, row.kind, row.head_id, row.version, row.event_id])
  // The change that began the work has stored the answer, and the change was written.
  if (done && row.answer) return replay(row.answer)
  if (young) return refuse('still_running')
  if (!done || !current) return null
  // One of the concurrent requests takes over the claim and stores the answer.
  if ((await context.query(takeOver, [merchant_id, key, row.token, token, context.now()])).length === 0) return refuse('still_running')
  const body = await current.show(row.object_id)
  return (await kept(context, keyed, token, body)) ? { body, replayed: true } : refuse('still_running')
}

/** Stores an answer for good; false if another was stored before, which then answers this request, too. */
async function kept(context: Context, keyed: Keyed, token: string, body: string): Promise<boolean> {
  const { merchant_id, key, scope, digest } = keyed
  const now = context.now()
  return (
    (await context.query(keep, [merchant_id, key, scope, digest, token, now, later(now, KEPT_MS), 200, sealed(context, keyed, body)]))
      .length === 1
  )
}

const sealed = (context: Context, { merchant_id, key }: Keyed, body: string): Buffer =>
  context.vault.seal(merchant_id, answerRecord(key), body)
