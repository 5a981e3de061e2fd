import type { Merchant } from '../accounts/merchant.ts'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { refuse } from '../base/refusal.ts'
import { readTime } from '../base/time.ts'
import type { Context } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import { announcementRow, render, wants } from './announce.ts'
import { eventsBetween } from './event.ts'
import { archivedBodies } from './read-archive.ts'

/** `only_failed`: only events whose delivery is a dead letter. `dry_run`: the events are only counted. */
export type Replay = { created_after: string; created_before?: string; only_failed?: boolean; dry_run?: boolean }

const MOST = 5000
const PAGE = 500

const range = statement(
  'changes_to_replay',
  `${select(
    changes,
    `where merchant_id = $1 and announces is not null and event_id >= $2 and event_id < $3 and created >= $4 and created <= $5 and ($6::text is null or exists (
      select from deliveries d where d.merchant_id = $1 and d.event_id = changes.event_id and d.endpoint_id = $6 and d.status = 'dead'))`,
  )} order by event_id limit ${MOST + 1}`,
)

/**
 * Pending deliveries stay; others begin anew in their order, with this `created`, or they might be due for deletion.
 */
const again = statement(
  'replay_deliveries',
  `with asked as (select * from json_to_recordset($3::json) r (event_id text, line text, version int, body text)),
    a as (insert into announcements (merchant_id, event_id, body, created) select $1, event_id, body, $4::timestamptz from asked
      on conflict (merchant_id, event_id) do update set created = excluded.created),
    d as (insert into deliveries as d (merchant_id, event_id, endpoint_id, line, version, status, tries, created)
      select $1, event_id, $2, line, version, 'pending', 0, $4::timestamptz from asked
      on conflict (merchant_id, event_id, endpoint_id) do update set status = 'pending', tries = 0, created = excluded.created, ended_at = null where d.merchant_id = $1 and d.status <> 'pending'
      returning line, version)
  insert into delivery_lines as l (merchant_id, endpoint_id, line, newest, due_at)
    select $1, $2, line, max(version), $4::timestamptz from d group by line
    on conflict (merchant_id, endpoint_id, line) do update set newest = greatest(l.newest, excluded.newest)`,
)

/**
 * Sends events again, or for the first time; returns how many wait. Refuses (IR_16) more than 5,000, (IR_05) an
 * invalid time.
 */
export async function replay(context: Context, merchant: Merchant, publicUrl: string, endpoint: WebhookEndpoint, ask: Replay) {
  const { merchant_id } = merchant
  const { created_after, created_before = context.now(), only_failed = false, dry_run = false } = ask
  for (const [field, time] of Object.entries({ created_after, created_before })) readTime(field, time)
  const found = await context.query<RowOf<typeof changes>>(range, [
    merchant_id,
    ...eventsBetween(created_after, created_before),
    created_after,
    created_before,
    only_failed ? endpoint.endpoint_id : null,
  ])
  if (found.length > MOST)
    refuse('precondition', { problem: `There are more than ${MOST} events in this time range: choose a shorter one` })
  let queued = 0
  for (let i = 0; i < found.length; i += PAGE) {
    const payloads = await render(context, merchant, publicUrl, found.slice(i, i + PAGE))
    const asked = payloads.filter(one => one !== null && wants(endpoint, one)).map(one => announcementRow(one!))
    if (!dry_run) await send(asked)
    queued += asked.length
  }
  return { endpoint_id: endpoint.endpoint_id, queued }

  /** Queues events. An archived payload is sent as it was; other payloads are rendered now from the history. */
  async function send(asked: ReturnType<typeof announcementRow>[]): Promise<void> {
    const bodies = await archivedBodies(
      context,
      merchant_id,
      asked.map(one => one.event_id),
    )
    const rows = asked.map(one => ({ ...one, body: bodies.get(one.event_id) ?? one.body }))
    await context.query(again, [merchant_id, endpoint.endpoint_id, JSON.stringify(rows), context.now()])
  }
}
