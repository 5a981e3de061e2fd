import type { Context, Time } from '../context.ts'
import type { Queue } from '../database/due.ts'
import { notMoving } from '../database/merchant-moves.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Announcement, type Delivery, type DeliveryAttempt, deliveries, deliveryAttempts } from './delivery.ts'

/** After this lease another process may deliver the line: longer than any call and the write of its outcome. */
export const LEASE_MS = 60_000

export const waitingLines: Queue = {
  name: 'delivery_lines.due_at',
  due: `select due_at as at from delivery_lines where due_at <= $1 and ${notMoving}`,
}

/** A claimed line. `newest`: its latest version then. `due_at`: the lease's end, and proof that it is still ours. */
export type Held = { merchant_id: string; endpoint_id: string; line: string; newest: number; due_at: Time }

/**
 * The limits of a claim: `all` lines in total, `share` for each merchant and `each` for each endpoint, unless
 * `merchants` or `endpoints` has another limit. The claim begins after the merchant `cursor`, and at each merchant
 * after the endpoint `after`.
 */
export type ClaimLimits = {
  all: number
  share: number
  each: number
  endpoints: Record<string, number>
  merchants: Record<string, { room: number; after?: string }>
  cursor: string
}

/** Leaps in the index from merchant to merchant and endpoint to endpoint: many events of one delay no other. */
const claim = statement(
  'claim delivery_lines.due_at',
  `with recursive merchants as (
      (select merchant_id from delivery_lines where merchant_id > $8 order by merchant_id limit 1)
      union all
      select next.* from merchants, lateral (
        select merchant_id from delivery_lines l where l.merchant_id > merchants.merchant_id order by merchant_id limit 1) next
    ),
    due as materialized (
      select l.* from merchants, lateral (
        with recursive ends as (
          (select endpoint_id from delivery_lines l
            where l.merchant_id = merchants.merchant_id and l.endpoint_id > coalesce($7::jsonb -> merchants.merchant_id ->> 'after', '')
            order by endpoint_id limit 1)
          union all
          select next.* from ends, lateral (
            select endpoint_id from delivery_lines l where l.merchant_id = merchants.merchant_id and l.endpoint_id > ends.endpoint_id
            order by endpoint_id limit 1) next
        )
        select l.* from ends, lateral (
          select merchant_id, endpoint_id, line from delivery_lines l
          where l.merchant_id = merchants.merchant_id and l.endpoint_id = ends.endpoint_id and due_at <= $1
          order by due_at limit coalesce(($6::jsonb ->> ends.endpoint_id)::int, $5::int) for update skip locked) l
        limit coalesce(($7::jsonb -> merchants.merchant_id ->> 'room')::int, $4::int)) l
      where merchants.${notMoving}
      limit $3
    )
    update delivery_lines l set due_at = $2 from due where l.merchant_id = due.merchant_id and l.endpoint_id = due.endpoint_id and l.line = due.line
    returning l.merchant_id, l.endpoint_id, l.line, l.newest, l.due_at`,
)

export function claimLines(
  context: Pick<Context, 'query'>,
  now: Time,
  until: Time,
  { all, share, each, endpoints, merchants, cursor }: ClaimLimits,
) {
  return context.query<Held>(claim, [now, until, all, share, each, JSON.stringify(endpoints), JSON.stringify(merchants), cursor])
}

/** The next event to deliver in a line. `names_event`: whether the attempt gets the event's id as its `attempt_id`. */
export type NextDelivery = { names_event: boolean } & Pick<
  Delivery,
  'merchant_id' | 'event_id' | 'endpoint_id' | 'line' | 'version' | 'tries'
> &
  Pick<Announcement, 'body' | 'created'>

const firsts = statement(
  'first_of_lines',
  `select d.merchant_id, d.event_id, d.endpoint_id, d.line, d.version, d.tries, e.body, e.created,
    d.endpoint_id = (select min(o.endpoint_id) from deliveries o where o.merchant_id = $1 and o.event_id = d.event_id)
      and not exists (select from delivery_attempts a where a.merchant_id = $1 and a.event_id = d.event_id and a.attempt_id = d.event_id) as names_event
    from unnest($2::text[], $3::text[]) of_line (endpoint_id, line), lateral (
      select * from deliveries d where d.merchant_id = $1 and d.endpoint_id = of_line.endpoint_id and d.line = of_line.line and d.status = 'pending'
      order by d.version limit 1) d
    cross join lateral (select body, created from announcements a where a.merchant_id = $1 and a.event_id = d.event_id limit 1) e`,
)

export const firstOfLines = (context: Pick<Context, 'query'>, merchant_id: string, lines: readonly Held[]) =>
  context.query<NextDelivery>(firsts, [merchant_id, lines.map(held => held.endpoint_id), lines.map(held => held.line)])

/**
 * The result of a claimed line. `status` is that of its first delivery after the attempt (`attempt` is null if there
 * was nothing to send). The line is due again at `next`, or is deleted if `up_to` was the newest version that waited
 * in it.
 */
export type DeliveryOutcome = Pick<Held, 'merchant_id' | 'endpoint_id' | 'line'> & {
  held: Time
  next: Time
  up_to: number
  event_id: string | null
  status: Delivery['status']
  attempt: DeliveryAttempt | null
}

const write = statement(
  'write_outcomes',
  `with o as (select * from json_to_recordset($2::json) o (endpoint_id text, line text, held timestamptz(3), next timestamptz(3), up_to int, event_id text, status text, tried int)),
    d as (update deliveries d set status = o.status, tries = d.tries + o.tried, ended_at = case when o.status = 'pending' then null else $3::timestamptz end
      from o where d.merchant_id = $1 and d.event_id = o.event_id and d.endpoint_id = o.endpoint_id and d.status = 'pending'),
    a as (insert into delivery_attempts (${deliveryAttempts.names.join(', ')})
      select ${deliveryAttempts.names.map(name => (name === 'merchant_id' ? '$1' : name)).join(', ')} from json_to_recordset($4::json) a (event_id text, attempt_id text, endpoint_id text, kind text, url text,
        request_headers json, status_code int, error text, response_headers json, response_body text, latency_ms int, created timestamptz(3), listener json) on conflict do nothing),
    gone as (delete from delivery_lines l using o where l.merchant_id = $1 and l.endpoint_id = o.endpoint_id and l.line = o.line and l.due_at = o.held
      and o.status <> 'pending' and l.newest <= o.up_to)
  update delivery_lines l set due_at = o.next from o where l.merchant_id = $1 and l.endpoint_id = o.endpoint_id and l.line = o.line and l.due_at = o.held
    and (o.status = 'pending' or l.newest > o.up_to)`,
)

/** A line that this process no longer holds stays as it is. */
export async function writeOutcomes(
  context: Pick<Context, 'query' | 'now'>,
  merchant_id: string,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  const lines = outcomes.map(({ attempt, ...one }) => ({ ...one, tried: attempt === null ? 0 : 1 }))
  const attempts = outcomes.flatMap(({ attempt }) => (attempt ? [attempt] : []))
  await context.query(write, [merchant_id, JSON.stringify(lines), context.now(), JSON.stringify(attempts)])
}

const give = statement(
  'give_up_line',
  `update deliveries set status = 'dead', ended_at = $4 where merchant_id = $1 and endpoint_id = $2 and line = $3 and status = 'pending' and version <= $5`,
)

/** A disabled endpoint's pending events become dead letters. */
export const giveUpLine = (context: Pick<Context, 'query' | 'now'>, { merchant_id, endpoint_id, line, newest }: Held) =>
  context.query(give, [merchant_id, endpoint_id, line, context.now(), newest])

export const deliveriesOf = statement(
  'deliveries_of_event',
  select(deliveries, 'where merchant_id = $1 and event_id = $2 order by endpoint_id'),
)
export const attemptsOf = statement(
  'attempts_of_event',
  select(deliveryAttempts, 'where merchant_id = $1 and event_id = $2 order by created, attempt_id'),
)
