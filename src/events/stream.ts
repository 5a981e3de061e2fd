import type { Merchant } from '../accounts/merchant.ts'
import { firstEventId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { lateEvents } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { isEventType, typeNamed } from './catalogue.ts'
import { eventsBetween, timeOf } from './event.ts'
import { messagesOf, openRedeliveries, type StreamTo } from './stream-messages.ts'

/** An event, and the id by which streams go: its own, or one of the time at which it was written, if that was late. */
type Placed = { event_id: string; place: string }

/** `evt_` and 32 digits. */
const ID_LENGTH = 36
/** How often a stream looks. */
const LOOK_EVERY_MS = 500
/** So many ids are looked through at once, and of those that are new so many are read and told. */
const IDS = 5000
const PAGE = 100
/** So that proxies in between know that both ends are alive. */
const WORD_EVERY_MS = 15_000
/**
 * An event's id begins with the time at which it was handed over to be written, so one may appear after others that
 * come later: for so long it is looked for behind them.
 */
const BEHIND_MS = 30_000
/** Streams of one merchant at once, in one process: tabs of its people do not take those of its servers. */
const MOST_STREAMS = { keys: 10, people: 20 } as const

// What comes late is hardly ever there: of either no more is looked through than is asked for. The time behind is
// looked through each time, so only the ids are read of what was told before.
const places = statement(
  'places_to_stream',
  `(select event_id, event_id as place from changes
      where merchant_id = $1 and announces is not null and event_id > $2 and event_id < $3 order by event_id limit ${IDS})
    union all (select l.event_id, l.place from ${lateEvents.name} l join changes c on c.merchant_id = $1 and c.event_id = l.event_id
      where l.merchant_id = $1 and c.announces is not null and l.place > $2 and l.place < $3 order by l.place limit ${IDS})
    order by place limit ${IDS}`,
)
/** Where a stream begins: after this event, or now. Refuses (IR_07) what is no event's id. */
function beginning(context: Pick<Context, 'now'>, last: string | undefined): string {
  if (last === undefined || last === '') return firstEventId(context.now())
  if (!/^evt_[0-9a-f]{32}$/.test(last)) refuse('invalid_value', { field: 'Last-Event-ID', words: 'must be the id of an event' })
  return last
}

/**
 * `of`: by what it was opened. `mayHear`: is that key or session still good? Asked each time that the stream looks.
 */
export type StreamAsk = {
  last: string | undefined
  event_types: readonly string[] | undefined
  of: keyof typeof MOST_STREAMS
  /** Only what happens in these profiles; null: in all. */
  profiles: readonly string[] | null
  mayHear: () => Promise<boolean>
  /** The listener that it is of, which is also told what is sent again to it. */
  listener_id: string | null
}

const open = new Map<string, number>()

/**
 * Everything that a merchant hears of, as it happens, in the form of Server-Sent Events: the body that webhooks have,
 * each under its event's id. A client that reconnects with its last id continues there, and receives those of the 30
 * seconds before again: at least once, as webhooks are. Ends when `ended` says so, and with the key that it was
 * opened with. Refuses what is no type of events, and more streams of a merchant than ten with keys and twenty of
 * people.
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
    if (!isEventType(name)) refuse('unacceptable', { field: `event_types[${i}]`, words: `contains an unknown event type: ${name}` })
  const wanted = ask.event_types && new Set(ask.event_types.map(name => typeNamed(name)))
  const last = beginning(context, ask.last)
  const most = MOST_STREAMS[ask.of]
  const pool = `${ask.of} of ${merchant_id}`
  if ((open.get(pool) ?? 0) >= most) refuse('unavailable', { words: `At most ${most} event streams can be open at once; close one first` })
  const to: StreamTo = { context, merchant, publicUrl, profiles: ask.profiles }
  const resent = ask.listener_id === null ? null : openRedeliveries(to, ask.listener_id)
  return stream()

  async function* stream(): AsyncGenerator<string> {
    open.set(pool, (open.get(pool) ?? 0) + 1)
    try {
      // Who begins is told where, by the service's clock: a stream that breaks before its first event goes on from
      // here.
      yield `${ask.last ? '' : `id: ${last.padEnd(ID_LENGTH, '0')}\n`}retry: 2000\n\n`
      /** What was sent of the time that is looked at again, and where it was found. */
      const sent = new Map<string, string>()
      // Who goes on hears of what appeared late as well; who begins hears what happens from now on.
      const first = ask.last ? firstEventId(later(timeOf(last), -BEHIND_MS)) : last
      let newest = last
      let quiet = 0
      while (!ended.aborted && (await ask.mayHear())) {
        const behind = eventsBetween(later(timeOf(newest), -BEHIND_MS), context.now())
        let after = behind[0] > first ? behind[0] : first
        let words = 0
        for (let more = true; more && !ended.aborted; ) {
          const found = await context.query<Placed>(places, [merchant_id, after, behind[1]])
          const fresh = found.filter(({ event_id }) => !sent.has(event_id))
          for (let i = 0; i < fresh.length && !ended.aborted && (await ask.mayHear()); i += PAGE) {
            const page = fresh.slice(i, i + PAGE)
            for (const message of await messagesOf(to, page, wanted)) {
              yield message
              words++
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
          words++
        }
        const oldest = firstEventId(later(timeOf(newest), -2 * BEHIND_MS))
        for (const [id, place] of sent) if (place < oldest) sent.delete(id)
        quiet = words > 0 ? 0 : quiet + LOOK_EVERY_MS
        if (quiet >= WORD_EVERY_MS) {
          yield ': still here\n\n'
          quiet = 0
        }
        await context.wait(LOOK_EVERY_MS, ended)
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
