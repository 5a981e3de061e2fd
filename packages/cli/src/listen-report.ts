import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { ApiError, idAt, type Switchyard, SwitchyardError } from '@switchyard/node'
import type { Answer } from './listen-forward.ts'
import { pause } from './pause.ts'

type Attempt = {
  event_id: string
  attempt_id: string
  status_code?: number
  error?: string
  response_body?: string
  latency_ms: number
  began_ms_ago: number
}
type Waiting = { attempt: Omit<Attempt, 'began_ms_ago'>; began: number }

/** The longest pause between reports, in ms. The service forgets a listener that is silent for a minute. */
const WORD_EVERY_MS = 20_000
const GATHER_MS = 500
const MOST_AT_ONCE = 100
/** The number of reports that are kept while the service does not answer. The newest are kept. */
const MOST_KEPT = 5000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** The time that a stopped listener may take for its last report. */
const FAREWELL_MS = 3_000

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

export type Registration = { name?: string; forwardTo: string; events?: string[] }

/** The id by which the service knows this listener; `not` is the reason if the service does not accept listeners. */
export type Known = { listener_id: string } | { not: string }

/**
 * Registers a listener, and reports the receiver's answers to the service. Reports never delay the forwarding.
 * `forgotten` is called when the service no longer knows the listener, which then needs a new registration and stream.
 */
export function openReports(client: Switchyard, { name, forwardTo, events }: Registration, ended: AbortSignal, forgotten: () => void) {
  let listener_id: string | null = null
  let waiting: Waiting[] = []
  let lost = 0
  const closing = new AbortController()
  const stop = AbortSignal.any([ended, closing.signal])
  let running: Promise<void> | null = null

  /** Returns the attempts of one report, with their ages as of now. */
  const attemptsOf = (batch: readonly Waiting[], withBodies: boolean): Attempt[] =>
    batch.map(({ attempt: { response_body, ...attempt }, began }) => ({
      ...attempt,
      ...(withBodies && response_body !== undefined && { response_body }),
      began_ms_ago: Math.max(0, Math.round(performance.now() - began)),
    }))

  /** Sends one report. Returns false if the report may be sent again later. */
  async function report(batch: readonly Waiting[], signal: AbortSignal): Promise<boolean> {
    for (const withBodies of [true, false])
      try {
        await client.eventListeners.report(listener_id!, { attempts: attemptsOf(batch, withBodies) }, { signal })
        return true
      } catch (error) {
        // A report that the service refuses (a card number in a body) is sent again without bodies.
        if (isForgotten(error)) forgotten()
        if (signal.aborted || isAway(error) || isForgotten(error)) return false
      }
    lost += batch.length
    return true
  }

  async function run(): Promise<void> {
    let quiet = 0
    for (let failed = 0; !stop.aborted; ) {
      await pause(failed === 0 ? GATHER_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failed), stop)
      quiet += GATHER_MS
      if (stop.aborted || (waiting.length === 0 && quiet < WORD_EVERY_MS && failed === 0)) continue
      const batch = waiting.slice(0, MOST_AT_ONCE)
      if (await report(batch, stop)) {
        waiting = waiting.filter(one => !batch.includes(one))
        failed = 0
        quiet = 0
      } else failed++
    }
  }

  return {
    /**
     * Registers the listener. Rejects with a ConnectionError if the service cannot be reached, and with an ApiError
     * for a wrong key.
     */
    async register(): Promise<Known> {
      const asked = {
        name: (name ?? userName()).slice(0, 64) || 'unknown',
        machine: hostname().slice(0, 255) || 'unknown',
        forward_to: forwardTo.slice(0, 2048),
        ...(events && { event_types: events }),
      }
      try {
        ;({ listener_id } = await client.eventListeners.create(asked, { signal: ended }))
      } catch (error) {
        // A wrong key and an unknown type of event end the listener. With any other error the listener works without
        // reports.
        if (!(error instanceof ApiError) || error.status === 401 || error.status === 422) throw error
        return { not: error.help ?? error.message }
      }
      running ??= run()
      return { listener_id }
    },
    /** Notes the receiver's answer to an event. `delivery_id`: the id of a repeated delivery. */
    note(event_id: string, delivery_id: string | undefined, { status, error, body, ms, began }: Answer): void {
      if (listener_id === null) return
      const attempt_id = delivery_id ?? idAt(Date.now()).slice(0, 16) + randomBytes(10).toString('hex')
      const attempt = { event_id, attempt_id, latency_ms: ms, ...(status === null ? { error: error! } : { status_code: status }) }
      waiting.push({ attempt: { ...attempt, ...(body !== '' && { response_body: body }) }, began })
      if (waiting.length > MOST_KEPT) lost += waiting.splice(0, waiting.length - MOST_KEPT).length
    },
    /**
     * Sends the remaining reports and ends the listener at the service. Returns the number of answers that were not
     * reported.
     */
    async close(): Promise<number> {
      closing.abort()
      await running
      if (listener_id === null) return 0
      const farewell = AbortSignal.timeout(FAREWELL_MS)
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MOST_AT_ONCE)
        if (!(await report(batch, farewell))) break
        waiting = waiting.slice(batch.length)
      }
      await client.eventListeners.delete(listener_id, { signal: farewell }).catch(() => {})
      return lost + waiting.length
    },
  }
}

/** Whether the service cannot be reached or cannot answer now. */
export const isAway = (error: unknown): boolean =>
  error instanceof SwitchyardError && (!(error instanceof ApiError) || error.status >= 500 || error.status === 429)
const isForgotten = (error: unknown): boolean => error instanceof ApiError && error.status === 404
