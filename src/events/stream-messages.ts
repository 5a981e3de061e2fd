import type { Merchant } from '../accounts/merchant.ts'
import { type EventType, typeNamed } from '../base/event-types.ts'
import type { Context } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import { bodyOf, render } from './announce.ts'
import { findEvent } from './event.ts'
import { type ListenerDelivery, queuedForListener } from './listener.ts'

/** The recipient of a stream. `profiles`: the profiles whose events it receives; null: all. */
export type StreamTo = {
  context: Pick<Context, 'query'>
  merchant: Merchant
  publicUrl: string
  profiles: readonly string[] | null
}

const announced = statement('events_to_stream', select(changes, 'where merchant_id = $1 and announces is not null and event_id = any($2)'))

const receives = ({ profiles }: StreamTo, profile_id: string | null): boolean => profiles?.includes(profile_id ?? '') ?? true

/** In the order of the request, without the types that are not `wanted` (`undefined`: all are). */
export async function messagesOf(
  to: StreamTo,
  asked: readonly { event_id: string }[],
  wanted: ReadonlySet<EventType | undefined> | undefined,
): Promise<string[]> {
  const { context, merchant, publicUrl } = to
  const ids = asked.map(({ event_id }) => event_id)
  const byId = new Map((await context.query<RowOf<typeof changes>>(announced, [merchant.merchant_id, ids])).map(row => [row.event_id, row]))
  const rows = ids.flatMap(id => byId.get(id) ?? [])
  const shown = rows.filter(row => wanted === undefined || wanted.has(typeNamed(row.announces!)))
  const rendered = shown.length === 0 ? [] : await render(context, merchant, publicUrl, shown)
  return rendered.flatMap((event, i) =>
    event && receives(to, event.profile_id) ? [`id: ${shown[i]!.event_id}\nevent: ${event.event_type}\ndata: ${bodyOf(event)}\n\n`] : [],
  )
}

export function openRedeliveries(to: StreamTo, listener_id: string) {
  const { context, merchant, publicUrl } = to
  const { merchant_id } = merchant
  /** The deliveries that were sent over this stream and await an answer. */
  const sent = new Set<string>()

  async function messageOf({ delivery_id, event_id }: ListenerDelivery): Promise<string | null> {
    const event = await findEvent(context, merchant_id, event_id)
    if (!event || !receives(to, event.profile_id)) return null
    const [now] = event.body === null ? await render(context, merchant, publicUrl, [{ ...event, object_id: event.head_id }]) : []
    const body = event.body ?? (now ? bodyOf(now) : null)
    // The message has no `id`, so that the client's place in the stream stays where it was.
    return body && `event: event_redelivery\ndata: ${JSON.stringify({ delivery_id, event_id, body })}\n\n`
  }

  return {
    /** New deliveries since the last look; a new stream receives all that await an answer. */
    async look(): Promise<string[]> {
      const waiting = await context.query<ListenerDelivery>(queuedForListener, [merchant_id, listener_id])
      const messages: string[] = []
      for (const one of waiting) {
        if (sent.has(one.delivery_id)) continue
        sent.add(one.delivery_id)
        const message = await messageOf(one)
        if (message !== null) messages.push(message)
      }
      const still = new Set(waiting.map(({ delivery_id }) => delivery_id))
      for (const id of sent) if (!still.has(id)) sent.delete(id)
      return messages
    },
  }
}
