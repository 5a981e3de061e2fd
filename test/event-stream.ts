import { get, type IncomingMessage } from 'node:http'
import { noteCall } from './operation-calls.ts'
import type { Shop } from './shop.ts'

type StreamEvent = { id: string; event: string; data: { event_id: string; sequence: number; content: { object: { payment_id: string } } } }

/**
 * An event that is sent again to a listener: the delivery that the listener is to acknowledge, and the body in its
 * exact text.
 */
type Redelivered = { delivery_id: string; event_id: string; body: string }

/** Listens to the event stream as a browser's EventSource does. `last`: the id of the last event received before. */
export async function listen(
  shop: Shop,
  path = '/events/stream',
  last?: string,
  key: Record<string, string> = { 'api-key': shop.api_key },
) {
  const answer = await new Promise<IncomingMessage>(resolve =>
    get(shop.url + path, { headers: { ...key, ...(last && { 'last-event-id': last }) } }, resolve),
  )
  noteCall('GET', shop.url + path, answer.statusCode!)
  const events: StreamEvent[] = []
  const redelivered: Redelivered[] = []
  let rest = ''
  let more = () => {}
  answer.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop()!
    for (const part of parts) {
      const lines = Object.fromEntries(
        part.split('\n').map(line => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      )
      if (lines.event === 'event_redelivery') redelivered.push(JSON.parse(lines.data!))
      else if (lines.data) events.push({ id: lines.id!, event: lines.event!, data: JSON.parse(lines.data) })
    }
    more()
  })
  const ended = new Promise<void>(resolve => answer.once('close', resolve).on('error', () => {}))
  return {
    answer,
    events,
    redelivered,
    ended,
    async until(many: number) {
      while (events.length < many) await new Promise<void>(resolve => (more = resolve))
    },
    async untilRedelivered(many: number) {
      while (redelivered.length < many) await new Promise<void>(resolve => (more = resolve))
    },
    leave: () => answer.destroy(),
  }
}
