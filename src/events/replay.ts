import type { Merchant } from '../accounts/merchant.ts'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { refuse } from '../base/refusal.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { World } from '../world.ts'
import { bodyOf, render, wants } from './announce.ts'
import { type Announcement, announcements } from './delivery.ts'

/** Which events: between these times; `only_failed`: those that are dead letters there. */
export type Replay = { created_after: string; created_before?: string; only_failed?: boolean }

/** So many are sent again by one call. */
const MOST = 5000
const PAGE = 500

const range = statement(
  'announcements_to_replay',
  `${select(
    announcements,
    `where merchant_id = $1 and created >= $2 and created <= $3 and kind <> 'webhook_test' and ($4::text is null or exists (
      select from deliveries d where d.merchant_id = $1 and d.event_id = announcements.event_id and d.endpoint_id = $4 and d.status = 'dead'))`,
  )} order by created, event_id limit ${MOST + 1}`,
)

/** What waits there already goes on as it is; the others begin anew, each line in its order. */
const again = statement(
  'replay_deliveries',
  `with asked as (select * from json_to_recordset($3::json) r (event_id text, body text)),
    a as (update announcements a set body = asked.body from asked where a.merchant_id = $1 and a.event_id = asked.event_id and a.body is null),
    d as (insert into deliveries as d (merchant_id, event_id, endpoint_id, line, version, status, tries, created)
      select $1, a.event_id, $2, a.head_id, a.version, 'pending', 0, a.created from announcements a join asked using (event_id) where a.merchant_id = $1
      on conflict (merchant_id, event_id, endpoint_id) do update set status = 'pending', tries = 0, ended_at = null where d.status <> 'pending'
      returning line, version)
  insert into delivery_lines as l (merchant_id, endpoint_id, line, newest, due_at)
    select $1, $2, line, max(version), $4::timestamptz from d group by line
    on conflict (merchant_id, endpoint_id, line) do update set newest = greatest(l.newest, excluded.newest)`,
)

/** Sends an endpoint what it wants to hear of a time, again or for the first time. Gives how many events wait to be sent now. Refuses (IR_16) more than 5,000 at once, and (IR_05) what is no time. */
export async function replay(world: World, merchant: Merchant, publicUrl: string, endpoint: WebhookEndpoint, ask: Replay) {
  const { merchant_id } = merchant
  const { created_after, created_before = world.now(), only_failed = false } = ask
  for (const [field, time] of Object.entries({ created_after, created_before }))
    if (Number.isNaN(Date.parse(time))) refuse('malformed', { field, expected: 'a time as in RFC 3339' })
  const found = await world.query<Announcement>(range, [
    merchant_id,
    created_after,
    created_before,
    only_failed ? endpoint.endpoint_id : null,
  ])
  if (found.length > MOST) refuse('precondition', { words: `There are more than ${MOST} events in that time: ask for a shorter one` })
  let queued = 0
  for (let i = 0; i < found.length; i += PAGE) {
    const page = found.slice(i, i + PAGE)
    const told = await render(
      world,
      merchant,
      publicUrl,
      page.map(({ kind, head_id, version }) => ({ kind, object_id: head_id, version })),
    )
    const asked = told.flatMap(one => (one && wants(endpoint, one) ? [{ event_id: one.event_id, body: bodyOf(one) }] : []))
    await world.query(again, [merchant_id, endpoint.endpoint_id, JSON.stringify(asked), world.now()])
    queued += asked.length
  }
  return { endpoint_id: endpoint.endpoint_id, queued }
}
