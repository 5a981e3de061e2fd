import type { Merchant } from '../accounts/merchant.ts'
import { isEventType, typeNamed } from '../base/event-types.ts'
import { firstEventId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { lateEvents } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { eventsBetween, timeOf } from './event.ts'
import { messagesOf, openRedeliveries, type StreamTo } from './stream-messages.ts'

/** An event, and its place in streams: its own id, or, if it was written late, an id of the time of writing. */
type Placed = { event_id: string; place: string }

/** `evt_` and 32 digits. */
const ID_LENGTH = 36
export const STREAM_LOOK_MS = 500
/** The number of ids that are read at once, and the number of new events that are rendered at once. */
const IDS = 5000
const PAGE = 100
/** The time after which a quiet stream sends a comment, so that proxies in between know that both ends are alive. */
const WORD_EVERY_MS = 15_000
/** Streams look again at this time before the newest event: an id is older than the write of its event. */
const BEHIND_MS = 30_000
/** Concurrent streams of a merchant in one process: browser tabs of people do not count against servers. */
const MOST_STREAMS = { keys: 10, people: 20 } as const

// Late events are rare; each part of the query reads no more rows than the limit. The time before the newest event is
// searched each time; of events that were sent before, only the ids are read.
const places = statement(
  'places_to_stream',
  `(select event_id, event_id as place from changes
      where merchant_id = $1 and announces is not null and event_id > $2 and event_id < $3 order by event_id limit ${IDS})
    union all (select l.event_id, l.place from ${lateEvents.name} l join changes c on c.merchant_id = $1 and c.event_id = l.event_id
      where l.merchant_id = $1 and c.announces is not null and l.place > $2 and l.place < $3 order by l.place limit ${IDS})
    order by place limit ${IDS}`,
)
/** Returns where a stream begins: after this event, or now. Refuses (IR_07) a value that is no event id. */
function beginning(context: Pick<Context, 'now'>, last: string | undefined): string {
  if (last === undefined || last === '') return firstEventId(context.now())
  if (!/^evt_[0-9a-f]{32}$/.test(last)) refuse('invalid_value', { field: 'Last-Event-ID', problem: 'must be the id of an event' })
  return last
}

/** `isAuthorized`: whether the API key or session that opened the stream is still valid; asked before each look. */
export type StreamAsk = {
  last: string | undefined
  event_types: readonly string[] | undefined
  of: keyof typeof MOST_STREAMS
  /** The profiles whose events are sent; null: all. */
  profiles: readonly string[] | null
  isAuthorized: () => Promise<boolean>
  /** The listener that the stream belongs to, if any. The stream also sends it the events that are resent to it. */
  listener_id: string | null
}

const open = new Map<string, number>()

/**
 * Streams all events of a merchant as they happen, as Server-Sent Events: each with the body of its webhook, and the
 * event's id. A client that reconnects with its last id continues after it, and receives the events of the 30 seconds
 * before it again: delivery is at least once, as with webhooks. The stream ends when `ended` is aborted, or when the
 * key or session that opened it is no longer valid. Refuses an unknown event type, and more than ten streams with keys
 * or twenty of users for a merchant.
 */
export function streamEvents(
  context: Context,
  merchant: Merchant,
  publicUrl: string,
  ask: StreamAsk,
  ended: AbortSignal,
): AsyncIterable<string> {
  const { merchant_id } = merchant
  for (const [i, name] of (ask.event_types ?? []).entries())
    if (!isEventType(name)) refuse('unacceptable', { field: `event_types[${i}]`, problem: `contains an unknown event type: ${name}` })
  const wanted = ask.event_types && new Set(ask.event_types.map(name => typeNamed(name)))
  const last = beginning(context, ask.last)
  const most = MOST_STREAMS[ask.of]
  const pool = `${ask.of} of ${merchant_id}`
  if ((open.get(pool) ?? 0) >= most)
    refuse('unavailable', { problem: `At most ${most} event streams can be open at once; close one first` })
  const to: StreamTo = { context, merchant, publicUrl, profiles: ask.profiles }
  const resent = ask.listener_id === null ? null : openRedeliveries(to, ask.listener_id)
  return stream()

  async function* stream(): AsyncGenerator<string> {
    open.set(pool, (open.get(pool) ?? 0) + 1)
    try {
      // A new client receives its starting place, by the service's clock: if its stream breaks before its first event,
      // it can continue from here.
      yield `${ask.last ? '' : `id: ${last.padEnd(ID_LENGTH, '0')}\n`}retry: 2000\n\n`
      /** The events of the searched time before the newest event that were sent, each with its place. */
      const sent = new Map<string, string>()
      // A client that continues also receives events that appeared late; a new client receives events from now on.
      const first = ask.last ? firstEventId(later(timeOf(last), -BEHIND_MS)) : last
      let newest = last
      let quiet = 0
      while (!ended.aborted && (await ask.isAuthorized())) {
        const behind = eventsBetween(later(timeOf(newest), -BEHIND_MS), context.now())
        let after = behind[0] > first ? behind[0] : first
        let count = 0
        for (let more = true; more && !ended.aborted; ) {
          const found = await context.query<Placed>(places, [merchant_id, after, behind[1]])
          const fresh = found.filter(({ event_id }) => !sent.has(event_id))
          for (let i = 0; i < fresh.length && !ended.aborted && (await ask.isAuthorized()); i += PAGE) {
            const page = fresh.slice(i, i + PAGE)
            for (const message of await messagesOf(to, page, wanted)) {
              yield message
              count++
            }
            for (const { event_id, place } of page) sent.set(event_id, place)
          }
          for (const { event_id, place } of found) sent.set(event_id, place)
          after = found.at(-1)?.place ?? after
          if (after > newest) newest = after
          more = found.length === IDS
        }
        for (const message of (await resent?.look()) ?? []) {
          yield message
          count++
        }
        const oldest = firstEventId(later(timeOf(newest), -2 * BEHIND_MS))
        for (const [id, place] of sent) if (place < oldest) sent.delete(id)
        quiet = count > 0 ? 0 : quiet + STREAM_LOOK_MS
        if (quiet >= WORD_EVERY_MS) {
          yield ': still here\n\n'
          quiet = 0
        }
        await context.wait(STREAM_LOOK_MS, ended)
      }
    } catch (error) {
      context.log.warn({ err: error, merchant_id }, 'an event stream was interrupted; its client can reconnect')
    } finally {
      const left = (open.get(pool) ?? 1) - 1
      if (left === 0) open.delete(pool)
      else open.set(pool, left)
    }
  }
}
