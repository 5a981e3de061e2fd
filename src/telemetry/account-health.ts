import { DAY_MS, later, millisecondsOf } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { int, json, type RowOf, select, table, text, time } from '../database/table.ts'
import type { HealthMemory } from '../routing/dynamic/dynamic-routing.ts'
import type { AccountCounts } from './account-counts.ts'
import type { Latencies } from './latencies.ts'

/** Each process writes its own rows, whole: no call counts twice (docs/design/observability.md). */

/** Counts of calls. `peer_id`: a connector account, or a webhook endpoint. */
const peerCalls = table('peer_calls', {
  key: ['merchant_id', 'peer_id', 'minutes', 'at', 'verb', 'process'],
  columns: {
    merchant_id: text(),
    peer_id: text(),
    minutes: int(),
    at: time(),
    verb: text(),
    process: text(),
    calls: int(),
    unknown: int(),
    not_sent: int(),
    succeeded: int(),
    failed: int(),
    latencies: json<Latencies>(),
    forget_at: time(),
  },
})
export type PeerCalls = RowOf<typeof peerCalls>

const accountWebhooks = table('account_webhooks', {
  key: ['merchant_id', 'merchant_connector_id'],
  columns: { merchant_id: text(), merchant_connector_id: text(), last_webhook_at: time() },
})
export type AccountWebhook = RowOf<typeof accountWebhooks>

/** Breakers that a process holds open. `seen_at`: when the process last reported the breaker as open. */
const accountBreakers = table('account_breakers', {
  key: ['merchant_id', 'merchant_connector_id', 'process'],
  columns: { merchant_id: text(), merchant_connector_id: text(), process: text(), since: time(), next_try_at: time(), seen_at: time() },
})
export type AccountBreaker = RowOf<typeof accountBreakers>

/** The time after which a process that has reported nothing no longer exists. */
const SILENT_MS = 60_000

export const oldCalls = forgotten(peerCalls, 'forget_at')
export const oldBreakers = forgotten(accountBreakers, 'seen_at', { after_ms: 10 * SILENT_MS })

/** How long short and long spans are kept, in milliseconds. */
const keptMs = (minutes: number): number => (minutes < 60 ? DAY_MS : 8 * DAY_MS)

const counted = 'calls unknown not_sent succeeded failed latencies'.split(' ')
const writeCalls = statement(
  'peer_calls_write',
  `insert into peer_calls (${peerCalls.names.join(', ')})
    select merchant_id, peer_id, minutes, at, verb, $2, calls, unknown, not_sent, succeeded, failed, latencies, forget_at
    from json_to_recordset($1::json) r (merchant_id text, peer_id text, minutes int, at timestamptz(3), verb text, calls int, unknown int,
      not_sent int, succeeded int, failed int, latencies json, forget_at timestamptz(3))
    on conflict (${peerCalls.key.join(', ')}) do update set ${counted.map(name => `${name} = excluded.${name}`).join(', ')}`,
)
// In the order of the key: two processes that write the same rows never wait for each other in a circle.
const writeWebhooks = statement(
  'account_webhooks_write',
  `insert into account_webhooks (merchant_id, merchant_connector_id, last_webhook_at)
    select merchant_id, merchant_connector_id, last_webhook_at
    from json_to_recordset($1::json) r (merchant_id text, merchant_connector_id text, last_webhook_at timestamptz(3)) order by 1, 2
    on conflict (merchant_id, merchant_connector_id) do update set last_webhook_at = greatest(account_webhooks.last_webhook_at, excluded.last_webhook_at)`,
)
const writeBreakers = statement(
  'account_breakers_write',
  `with open as (
      insert into account_breakers (merchant_id, merchant_connector_id, process, since, next_try_at, seen_at)
      select merchant_id, merchant_connector_id, $2, since, next_try_at, $3
      from json_to_recordset($1::json) r (merchant_id text, merchant_connector_id text, since timestamptz(3), next_try_at timestamptz(3))
      on conflict (merchant_id, merchant_connector_id, process) do update
        set since = excluded.since, next_try_at = excluded.next_try_at, seen_at = excluded.seen_at
      returning merchant_id, merchant_connector_id
    )
    delete from account_breakers b where process = $2 and not exists (
      select from json_to_recordset($1::json) r (merchant_id text, merchant_connector_id text)
      where r.merchant_id = b.merchant_id and r.merchant_connector_id = b.merchant_connector_id)`,
)

const BATCH = 1000
export const HEALTH_EVERY_MS = 10_000

/** Writes every ten seconds; a death loses the unwritten. `process`: unique, also among earlier processes. */
export function openAccountHealth(context: Context, counts: AccountCounts, health: Pick<HealthMemory, 'breakers'>, process: string) {
  let writing: Promise<void> = Promise.resolve()
  let wroteBreakers = false

  async function writeBreakersAt(now: Time): Promise<void> {
    const open = health.breakers()
    if (open.length === 0 && !wroteBreakers) return
    await context.query(writeBreakers, [JSON.stringify(open), process, now])
    wroteBreakers = open.length > 0
  }

  async function writeAll(): Promise<void> {
    const now = context.now()
    const { rows, webhooks, giveBack } = counts.take(now)
    try {
      for (let i = 0; i < rows.length; i += BATCH) {
        const batch = rows.slice(i, i + BATCH).map(row => ({ ...row, forget_at: later(row.at, keptMs(row.minutes)) }))
        await context.query(writeCalls, [JSON.stringify(batch), process])
      }
      if (webhooks.length > 0) await context.query(writeWebhooks, [JSON.stringify(webhooks)])
      await writeBreakersAt(now)
    } catch (error) {
      giveBack()
      context.log.warn({ err: error }, 'the health of connector accounts could not be written; it will be retried')
    }
  }

  return {
    webhook: counts.webhook,
    write(): Promise<void> {
      writing = writing.then(writeAll)
      return writing
    },
  }
}
export type AccountHealthWriter = ReturnType<typeof openAccountHealth>

const callsSince = statement(
  'peer_calls_since',
  select(peerCalls, 'where merchant_id = $1 and peer_id = any($2) and minutes = $3 and at >= $4'),
)
const webhooksOf = statement('account_webhooks_of', select(accountWebhooks, 'where merchant_id = $1 and merchant_connector_id = any($2)'))
const breakersOf = statement(
  'account_breakers_of',
  select(accountBreakers, 'where merchant_id = $1 and merchant_connector_id = any($2) and seen_at > $3'),
)

type Since = { minutes: number; since: Time }

/** As all processes have written them, in spans of `minutes`. */
export const readCalls = (context: Pick<Context, 'query'>, merchant_id: string, peers: readonly string[], { minutes, since }: Since) =>
  context.query<PeerCalls>(callsSince, [merchant_id, peers, minutes, since])

/** As all processes have written it: calls since a time in spans of `minutes`, webhooks, breakers. */
export async function readAccountHealth(
  context: Pick<Context, 'query' | 'now'>,
  merchant_id: string,
  accounts: readonly string[],
  span: Since,
) {
  const [calls, webhooks, breakers] = await Promise.all([
    readCalls(context, merchant_id, accounts, span),
    context.query<AccountWebhook>(webhooksOf, [merchant_id, accounts]),
    context.query<AccountBreaker>(breakersOf, [merchant_id, accounts, later(context.now(), -SILENT_MS)]),
  ])
  return { calls, webhooks, breakers }
}

/** Milliseconds since 1970. */
export const beganAt = ({ at }: Pick<PeerCalls, 'at'>): number => millisecondsOf(at)
