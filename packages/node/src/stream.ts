import { ConnectionError, errorOf } from './errors.ts'
import type { SwitchyardEvent } from './events.ts'
import { realWaits } from './request.ts'
import type { ClientOptions } from './types.ts'

export type StreamOptions = {
  /** Only events of these types, by either name. */
  event_types?: readonly string[]
  /** Begins after the event with this id. */
  after?: string
  /** The id of an event listener. Events that are sent again to this listener come too, with their `delivery_id`. */
  listener_id?: string
  signal?: AbortSignal
  /**
   * Called when the stream is connected (`after`: later events follow), and with the error when the connection is
   * lost.
   */
  onConnection?(connection: { is: 'connected'; after: string } | { is: 'lost'; error: unknown; retryInMs: number }): void
}

/**
 * An event of the stream. `text` is the body as the service sends it in webhooks. `delivery_id` is set if the event
 * was sent again to this listener: the receiver's answer is reported under this id.
 */
export type StreamedEvent = { id: string; event: SwitchyardEvent; text: string; delivery_id?: string }
export type EventStream = AsyncIterable<StreamedEvent>

/** The time after which a silent connection is given up. The service sends a line every 15 seconds. */
const SILENCE_MS = 40_000
/** The time for which event ids are remembered. After a reconnect the events of the 30 seconds before are repeated. */
const REMEMBERED_MS = 120_000
/** The time that the service repeats. An event that is further behind was written late, so it is new. */
const BEHIND_MS = 60_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

/** Returns the time in an event's id, in milliseconds since 1970. */
const timeOf = (id: string): number => Number.parseInt(id.slice(4, 16), 16)

/** Returns the smallest event id of a time. With this id as `after`, a stream begins at that time. */
export const idAt = (ms: number): string => `evt_${Math.floor(ms).toString(16).padStart(12, '0')}${'0'.repeat(20)}`

/**
 * A message of the stream. `data` null: the message only gives the position of the stream. `id` null: the message has
 * no position in the stream.
 */
type Message = { id: string; data: string | null } | { id: null; data: string }

/** Reads an event that was sent again to a listener. */
function sentAgain(data: string): StreamedEvent {
  const { delivery_id, event_id, body } = JSON.parse(data) as { delivery_id: string; event_id: string; body: string }
  return { id: event_id, event: JSON.parse(body) as SwitchyardEvent, text: body, delivery_id }
}

/** Yields the messages of a Server-Sent Events stream; null for each line that only keeps the connection alive. */
async function* messagesOf(chunks: AsyncIterable<string>): AsyncGenerator<Message | null> {
  let rest = ''
  for await (const chunk of chunks) {
    rest += chunk
    const parts = rest.split('\n\n')
    rest = parts.pop()!
    for (const part of parts) {
      const fields = part.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).replace(/^ /, '')])
      const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
      const [id, event] = ['id', 'event'].map(one => fields.find(([name]) => name === one)?.[1])
      const text = data.length === 0 ? null : data.join('\n')
      if (event === 'event_redelivery' && text !== null) yield { id: null, data: text }
      else yield id === undefined ? null : { id, data: text }
    }
  }
}

/** Yields the pieces of a body. Gives up a connection that is silent for too long. */
async function* readAlive(body: ReadableStream<Uint8Array>, clocks: typeof realWaits, hangUp: () => void): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { signal, clear } = clocks.deadline(SILENCE_MS)
      signal.addEventListener('abort', hangUp, { once: true })
      const { done, value } = await reader.read().finally(clear)
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/**
 * Yields the merchant's events as they happen, each once and in their order, across reconnects. Ends when the signal
 * aborts or the loop is left. Rejects when the service refuses the stream (a wrong key), never for a lost connection.
 */
export async function* streamEvents(client: ClientOptions, options: StreamOptions): AsyncGenerator<StreamedEvent> {
  const waits = client.waits ?? realWaits
  const seen = new Set<string>()
  let last = options.after
  let newest = last === undefined ? 0 : timeOf(last)
  /** The ids of repeated deliveries that came. The service forgets a repeated delivery after a day. */
  const again = new Set<string>()
  const asked = [
    ...(options.event_types?.length ? [`event_types=${options.event_types.map(encodeURIComponent).join(',')}`] : []),
    ...(options.listener_id === undefined ? [] : [`listener_id=${encodeURIComponent(options.listener_id)}`]),
  ]
  const query = asked.length > 0 ? `?${asked.join('&')}` : ''
  const left = new AbortController()
  const stop = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal
  /**
   * The time at which a stream without `after` began. Repeated events from before that time are not part of the
   * stream.
   */
  let began: number | null = null
  try {
    for (let lost = 0; !stop.aborted; ) {
      const hung = new AbortController()
      try {
        const answer = await (client.fetch ?? fetch)(`${client.baseUrl.replace(/(?<!\/)\/+$/, '')}/events/stream${query}`, {
          headers: { 'api-key': client.apiKey, accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
          signal: AbortSignal.any([stop, hung.signal]),
        })
        if (!answer.ok && answer.status < 500 && answer.status !== 429)
          throw errorOf(answer.status, await answer.text(), answer.headers.get('x-request-id'))
        if (!answer.ok || answer.body === null) throw new Error(`the service answered with ${answer.status}`)
        if (last !== undefined) options.onConnection?.({ is: 'connected', after: last })
        for await (const message of messagesOf(readAlive(answer.body, waits, () => hung.abort()))) {
          lost = 0
          if (last === undefined) {
            // The position is by the service's clock. If the connection breaks before the first event, the next one
            // resumes here.
            const placed = message !== null && message.data === null ? message.id : null
            const at = placed ?? idAt(Date.parse(answer.headers.get('date') ?? '') || waits.now())
            began = timeOf(at)
            last = at
            options.onConnection?.({ is: 'connected', after: at })
          }
          if (message === null || message.data === null) continue
          if (message.id === null) {
            const one = sentAgain(message.data)
            if (again.has(one.delivery_id!)) continue
            again.add(one.delivery_id!)
            yield one
            continue
          }
          if (seen.has(message.id) || message.id === options.after) continue
          const before = began === null ? 0 : began - timeOf(message.id)
          if (before > 0 && before < BEHIND_MS) continue
          seen.add(message.id)
          yield { id: message.id, event: JSON.parse(message.data) as SwitchyardEvent, text: message.data }
          if (timeOf(message.id) >= newest) {
            newest = timeOf(message.id)
            last = message.id
          }
          for (const id of seen) {
            if (timeOf(id) >= newest - REMEMBERED_MS) break
            seen.delete(id)
          }
        }
        throw new ConnectionError('the stream ended', null, null)
      } catch (error) {
        if (stop.aborted) return
        if (error instanceof Error && 'status' in error) throw error
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** lost++) * (0.75 + waits.random() / 2)
        options.onConnection?.({ is: 'lost', error, retryInMs: Math.round(pause) })
        await waits.sleep(pause, stop).catch(() => {})
      }
    }
  } finally {
    left.abort()
  }
}
