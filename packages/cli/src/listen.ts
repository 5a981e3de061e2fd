import { createHash } from 'node:crypto'
import { idAt, NotFoundError, type StreamedEvent, type StreamOptions, type Switchyard } from '@switchyard/node'
import { type Desk, momentOf } from './command.ts'
import { openCursor, timeOf } from './listen-cursor.ts'
import { type Answer, describeError, sendOnce, sendUntilAnswered } from './listen-forward.ts'
import { isAway, openReports } from './listen-report.ts'
import { listenSecret } from './listen-secret.ts'
import { paint, plain, type Screen, wrap } from './output.ts'
import { pause } from './pause.ts'
import { Mistake } from './settings.ts'

export type ListenAsk = {
  forwardTo?: string
  events?: string[]
  replay?: string
  secret?: string
  hashKey?: string
  name?: string
  /** Additional headers, each as `name: value`. */
  header?: string[]
  signal: AbortSignal
}

/** The number of objects whose events are forwarded in parallel. Events of one object are forwarded in their order. */
const MOST_AT_ONCE = 16
/** The number of events that are read ahead. */
const MOST_WAITING = 500
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

/**
 * Reads the start of a listener: after an event or a time; null: now; undefined: where the listener stopped. Takes
 * `10m`, a time, an event’s id, `now` or `last`. `now` is in milliseconds since 1970.
 */
function beginning(replay: string | undefined, now: number): string | null | undefined {
  if (replay === undefined || replay === 'last') return undefined
  if (replay === 'now') return null
  if (/^evt_[0-9a-f]{32}$/.test(replay)) return replay
  const at = momentOf(replay, now)
  if (Number.isNaN(at)) throw new Mistake(`--replay takes 10m, 2h, 1d, a time, an event’s id, last or now; not ${replay}`)
  return idAt(at)
}

/** Reads headers from options. Throws a Mistake if a line is not a header. */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map(line => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e]*)$/.exec(line) ?? []
      if (name === undefined) throw new Mistake(`--header takes 'name: value', not ${line}`)
      return [name.toLowerCase(), value!.trimStart()]
    }),
  )
}

function forwardUrl(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) throw new Mistake(`${text} is no address to forward to`)
  return url
}

/** Returns the object of an event. Events of one object are forwarded in their order. */
function objectOf({ event }: StreamedEvent): string {
  const object = (event as { content?: { object?: Record<string, unknown> } }).content?.object ?? {}
  const { payment_id, payout_id, mandate_id, endpoint_id } = object
  return String(payment_id ?? payout_id ?? mandate_id ?? endpoint_id ?? 'other')
}

const clock = (): string => new Date().toISOString().slice(11, 19)

type Connection = Parameters<NonNullable<StreamOptions['onConnection']>>[0]

/** Opens the output of a listener: lines of text, or one JSON object per line. */
function openSpeech({ screen }: Desk) {
  const wrapped = (text: string) => `${wrap(screen, text, clock().length + 1)}\n`
  const line = (facts: Record<string, unknown>, text: string) =>
    screen.out(screen.json ? `${JSON.stringify(facts)}\n` : wrapped(`${paint(screen, 'dim', clock())} ${text}`))
  const notice = (facts: Record<string, unknown>, text: string) =>
    screen.json ? screen.out(`${JSON.stringify(facts)}\n`) : screen.err(wrapped(`${clock()} ${text}`))
  return {
    line,
    notice,
    connection(url: string, state: Connection): void {
      if (state.is === 'connected') notice({ type: 'connected', url }, paint(screen, 'green', `Connected to ${url}`))
      else {
        const text = describeError(state.error)
        const pause = `trying again in ${(state.retryInMs / 1000).toFixed(1)} s`
        notice(
          { type: 'disconnected', error: text, retry_in_ms: state.retryInMs },
          paint(screen, 'yellow', `Not connected (${text}); ${pause}`),
        )
      }
    },
  }
}
type Speech = ReturnType<typeof openSpeech>

/** Runs the work of each object in its order, and the work of several objects in parallel. */
function openLines(mostAtOnce: number, mostWaiting: number) {
  const lines = new Map<string, Promise<void>>()
  const all = new Set<Promise<void>>()
  const turns: (() => void)[] = []
  let active = 0

  async function inTurn(work: () => Promise<void>): Promise<void> {
    if (active >= mostAtOnce) await new Promise<void>(resolve => turns.push(resolve))
    else active++
    try {
      await work()
    } finally {
      const next = turns.shift()
      if (next) next()
      else active--
    }
  }
  return {
    /** Adds work for an object. Waits while too much work is queued. */
    async add(object: string, work: () => Promise<void>): Promise<void> {
      const one: Promise<void> = (lines.get(object) ?? Promise.resolve())
        .then(() => inTurn(work))
        .finally(() => {
          all.delete(one)
          if (lines.get(object) === one) lines.delete(object)
        })
      lines.set(object, one)
      all.add(one)
      while (all.size >= mostWaiting) await Promise.race(all)
    },
    end: async (): Promise<void> => void (await Promise.allSettled(all)),
  }
}

const digest = (...parts: unknown[]): string => createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24)

/** Prints a notice when the receiver stops answering, and when it answers again. */
function openReceiver({ notice }: Speech, screen: Screen) {
  let isAway = false
  return {
    away(text: string): void {
      if (isAway) return
      isAway = true
      notice({ type: 'receiver_away', error: text }, paint(screen, 'yellow', `The receiver does not answer (${text}); waiting for it`))
    },
    answers(): void {
      if (isAway) notice({ type: 'receiver_back' }, 'The receiver answers again')
      isAway = false
    },
  }
}

/** Prints the result of an event. */
function printEvent({ line }: Speech, screen: Screen, one: StreamedEvent, answer: Answer | null): void {
  const { event_type } = one.event
  const object = objectOf(one)
  const { status = null, error = null, ms = 0 } = answer ?? {}
  const colour = status !== null && status >= 200 && status < 300 ? 'green' : 'red'
  const result = answer === null ? '' : ` ${paint(screen, colour, String(status ?? error))} ${ms} ms`
  line(
    {
      ...{ type: 'event', event_id: one.id, event_type, object_id: object },
      ...(one.delivery_id !== undefined && { delivery_id: one.delivery_id }),
      ...(answer !== null && { status, ms, ...(error !== null && { error }) }),
    },
    `${plain(event_type)} ${plain(object)}${one.delivery_id === undefined ? '' : ' (sent again)'}${result} ${paint(screen, 'dim', one.id)}`,
  )
}

/**
 * Forwards every event once, signed like a webhook delivery, in the order of its object, across restarts of the
 * service, the receiver and the listener. An answer with any status is final. An event without an answer is sent again
 * until the receiver answers. Events that are sent again to webhook endpoints are forwarded too. Every answer is
 * reported to the service.
 */
export async function listen(desk: Desk, client: Switchyard, ask: ListenAsk): Promise<void> {
  const { screen } = desk
  const url = ask.forwardTo === undefined ? null : forwardUrl(ask.forwardTo)
  const secret = listenSecret(desk.url(), desk.profile.key, ask.secret)
  const headers = headersOf(ask.header ?? [])
  const from = beginning(ask.replay, Date.now())
  const cursor = openCursor(`listen/${digest(desk.url(), desk.profile.key, url, ask.events?.toSorted())}.jsonl`, from)
  const speech = openSpeech(desk)
  if (url !== null) speech.notice({ type: 'secret', secret, forward_to: url }, `Forwarding to ${url}. Signing secret: ${secret}`)
  if (cursor.after !== undefined)
    speech.notice({ type: 'replay', after: cursor.after }, `What came since ${new Date(timeOf(cursor.after)).toISOString()} comes first`)
  const receiver = openReceiver(speech, screen)
  const lines = openLines(MOST_AT_ONCE, MOST_WAITING)
  /** Aborts the open stream when the service has forgotten the listener and a new stream is needed. */
  let session = new AbortController()
  let failure: unknown = null
  const target = url === null ? null : { url, secret, headers, ...(ask.hashKey !== undefined && { hashKey: ask.hashKey }) }
  const registration = { forwardTo: url ?? '', ...(ask.name && { name: ask.name }), ...(ask.events && { events: ask.events }) }
  const reports = openReports(client, registration, ask.signal, () => session.abort())

  async function answerOf(one: StreamedEvent): Promise<Answer | null> {
    if (target === null) return null
    if (one.delivery_id !== undefined) return sendOnce(target, one, ask.signal)
    return sendUntilAnswered(target, one, ask.signal, (answer, retry) => {
      receiver.away(answer.error!)
      if (retry === 0) reports.note(one.id, undefined, answer)
    })
  }
  async function handle(one: StreamedEvent): Promise<void> {
    const answer = await answerOf(one)
    if (answer?.status != null) receiver.answers()
    if (one.delivery_id === undefined) cursor.answered(one.id)
    if (answer !== null) reports.note(one.id, one.delivery_id, answer)
    printEvent(speech, screen, one, answer)
  }
  /** Follows one stream until it is aborted or refused. */
  async function follow(listener_id: string | null): Promise<void> {
    const after = cursor.now()
    const stream = client.events.stream({
      ...(after !== undefined && { after }),
      ...(ask.events && { event_types: ask.events }),
      ...(listener_id !== null && { listener_id }),
      signal: AbortSignal.any([ask.signal, session.signal]),
      onConnection(state) {
        if (state.is === 'connected') cursor.begins(state.after)
        speech.connection(desk.url(), state)
      },
    })
    for await (const one of stream) {
      if (one.delivery_id === undefined) {
        if (cursor.has(one.id)) continue
        cursor.comes(one.id)
      }
      await lines.add(objectOf(one), () =>
        handle(one).catch(error => {
          if (ask.signal.aborted) return
          failure ??= error
          session.abort()
        }),
      )
    }
    if (failure !== null) throw failure
  }
  /** Registers the listener and returns its id. Waits until the service answers. */
  async function register(): Promise<string | null> {
    if (target === null) return null
    for (let lost = 0; ; lost++)
      try {
        const known = await reports.register()
        if ('listener_id' in known) {
          speech.notice({ type: 'listener', listener_id: known.listener_id }, `Listening as ${known.listener_id}`)
          return known.listener_id
        }
        const text = `Events that are sent again do not come here (${plain(known.not)})`
        speech.notice({ type: 'not_registered', reason: known.not }, paint(screen, 'yellow', text))
        return null
      } catch (error) {
        if (ask.signal.aborted || !isAway(error)) throw error
        const retryInMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** lost)
        speech.connection(desk.url(), { is: 'lost', error, retryInMs })
        await pause(retryInMs, ask.signal)
      }
  }

  try {
    while (!ask.signal.aborted) {
      const listener_id = await register()
      try {
        await follow(listener_id)
      } catch (error) {
        if (listener_id === null || !(error instanceof NotFoundError)) throw error
      }
      session = new AbortController()
    }
  } catch (error) {
    if (!ask.signal.aborted) throw error
  } finally {
    await lines.end()
    cursor.close()
    const missing = await reports.close()
    if (missing > 0) speech.notice({ type: 'not_reported', answers: missing }, `${missing} answers are not listed at the service`)
  }
}
