import { setImmediate as others } from 'node:timers/promises'
import { firstEventId } from '../base/id.ts'
import { DAY_MS, later } from '../base/time.ts'
import type { Context, Files, Time } from '../context.ts'
import type { Queue } from '../database/due.ts'
import { notMoving } from '../database/merchant-moves.ts'
import { statement } from '../database/statement.ts'
import { type ArchiveLine, type ArchivePart, archiveFile, archiveParts, needKeys, packed, partName, sealLine } from './archive-lines.ts'
import { announcements, KEPT_MS } from './delivery.ts'
import { timeOf } from './event.ts'
import { eventRenderers } from './event-renderers.ts'

const dayOf = (time: Time): Time => `${time.slice(0, 10)}T00:00:00.000Z`
/** The beginning of a day (UTC), so that a day has few files. Older events are archived, then deleted. */
const archivedBefore = (now: Time): Time => dayOf(later(now, -KEPT_MS))

const waits = `interval '${(KEPT_MS + DAY_MS) / 1000} seconds'`
/** Empty unless the archive is unavailable. */
export const unarchived: Queue = {
  name: 'archive',
  due: `select created + ${waits} as at from ${announcements.name} where created <= $1::timestamptz - ${waits} and ${notMoving}`,
}

const oldest = statement(
  'event_to_archive',
  `select merchant_id, event_id from ${announcements.name} where created < $1 and ${notMoving} order by created limit 1`,
)

/** The number of events in one file, all of which are in memory at once. */
export const AT_ONCE = 500

/** The customer of a changed object, as an SQL expression. */
const customerOf = `coalesce(${eventRenderers
  .flatMap(({ table: { name, kind, key, columns } }) =>
    'customer_id' in columns
      ? [`(select h.customer_id from ${name} h where c.kind = '${kind}' and h.merchant_id = $1 and h.${key.at(-1)} = c.object_id)`]
      : [],
  )
  .join(', ')}, '')`

const ofDay = statement(
  'events_of_day_to_archive',
  `select a.event_id, c.announces as event_type, c.object_id, coalesce(c.created, a.created) as created, ${customerOf} as customer_id
    from (select event_id, created from ${announcements.name}
      where merchant_id = $1 and event_id >= $2 and event_id < $3 and created < $4 order by event_id limit ${AT_ONCE}) a
    left join lateral (select announces, kind, object_id, created from changes c
      where c.merchant_id = $1 and c.event_id = a.event_id and c.announces is not null limit 1) c on true
    order by a.event_id`,
)
type Described = Omit<ArchiveLine, 'key_id' | 'sealed'>

const bodiesOf = statement(
  'bodies_to_archive',
  `select event_id, body from ${announcements.name} where merchant_id = $1 and event_id = any($2) and created < $3`,
)

/** An event that was resent meanwhile has a newer `created`, and stays in the database. */
const forget = statement(
  'forget_archived',
  `with part as (
      insert into ${archiveParts.name} (merchant_id, day, part, first_id, last_id, events, created)
      select $1, $4, $5, $6, $7, $8::int, $9::timestamptz on conflict do nothing)
    delete from ${announcements.name} where merchant_id = $1 and event_id = any($2) and created < $3`,
)

/** The pause before the next look when nothing is due for archiving, or while the archive is unavailable. */
const LOOK_EVERY_MS = 60_000
/** Events that are sealed before other work gets a turn: sealing blocks it for a few milliseconds. */
const SLICE = 10

/**
 * Writes webhook payloads that are old enough to be deleted into the archive, and deletes them from the database once
 * the archive has them. While the archive is unavailable, nothing is deleted.
 *
 * Keys are created before a payload is read, and a customer's key is deleted after all payloads were rewritten
 * (`startup/forget-customer.ts`). Therefore everything that is sealed about a deleted customer is sealed under a key
 * that is deleted.
 */
export function openArchiving(context: Context, archive: Files) {
  let away = false
  let pausedUntil = ''

  async function write(merchant_id: string, day: Time, until: Time): Promise<number> {
    const its = [merchant_id, firstEventId(day), firstEventId(later(day, DAY_MS)), until]
    const found = await context.query<Described>(ofDay, its)
    const keys = await needKeys(context, merchant_id, [...new Set(found.map(event => event.customer_id))])
    const ids = found.map(event => event.event_id)
    const bodies = new Map(
      (await context.query<{ event_id: string; body: string }>(bodiesOf, [merchant_id, ids, until])).map(one => [one.event_id, one.body]),
    )
    const lines: ArchiveLine[] = []
    for (const [i, event] of found.entries()) {
      const body = bodies.get(event.event_id)
      const line = body === undefined ? null : sealLine(merchant_id, { ...event, body }, keys)
      if (line) lines.push(line)
      if (i % SLICE === 0) await others()
    }
    if (lines.length === 0) return found.length
    const part: ArchivePart = {
      ...{ merchant_id, day: day.slice(0, 10), part: partName(lines) },
      ...{ first_id: lines[0]!.event_id, last_id: lines.at(-1)!.event_id, events: lines.length, created: context.now() },
    }
    await archive.put(archiveFile(part), await packed(lines), 'application/gzip')
    const written = lines.map(line => line.event_id)
    const { day: name, part: called, first_id, last_id, events, created } = part
    await context.query(forget, [merchant_id, written, until, name, called, first_id, last_id, events, created])
    return lines.length
  }

  return {
    async archiveNext(): Promise<number> {
      const now = context.now()
      if (now < pausedUntil) return 0
      const until = archivedBefore(now)
      try {
        const [next] = await context.query<{ merchant_id: string; event_id: string }>(oldest, [until])
        const done = next ? await write(next.merchant_id, dayOf(timeOf(next.event_id)), until) : 0
        if (away) context.log.info({}, 'the archive of events is written again')
        away = false
        if (done === 0) pausedUntil = later(now, LOOK_EVERY_MS)
        return done
      } catch (error) {
        if (!away) context.log.warn({ err: error }, 'the archive of events cannot be written; events are kept until it can')
        away = true
        pausedUntil = later(now, LOOK_EVERY_MS)
        return 0
      }
    },
  }
}
export type Archiving = ReturnType<typeof openArchiving>
