import { createHash, createHmac } from 'node:crypto'
import { idAt, type StreamedEvent, type Switchyard, webhooks } from '@switchyard/node'
import type { Desk } from './command.ts'
import { listenSecret } from './listen-secret.ts'
import { paint, plain, wrap } from './output.ts'
import { pause } from './pause.ts'
import { keepSecret, Mistake, readKept } from './settings.ts'

export type ListenAsk = {
  forwardTo?: string
  events?: string[]
  replay?: string
  secret?: string
  hashKey?: string
  signal: AbortSignal
}

/** How far a listener has come: all up to `after` was answered, and of what follows, `done`. */
type Cursor = { after: string; done: string[] }

/** So long the stream may tell an event again. */
const REMEMBERED_MS = 120_000
/** Events of different objects are forwarded beside each other; those of one object in their order. */
const MOST_AT_ONCE = 16
const SAVE_EVERY_MS = 100
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
const RECEIVER_MS = 15_000

const timeOf = (id: string): number => Number.parseInt(id.slice(4, 16), 16)
const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `10m`, a time, an event’s id, `now` or `last`. */
export function beginning(replay: string | undefined, kept: Cursor | null, now: number): string | undefined {
  if (replay === undefined || replay === 'last') return kept?.after
  if (replay === 'now') return undefined
  if (/^evt_[0-9a-f]{32}$/.test(replay)) return replay
  const [, count, unit] = /^(\d+)([smhd])$/.exec(replay) ?? []
  const at = count === undefined ? Date.parse(replay) : now - Number(count) * units[unit!]!
  if (Number.isNaN(at)) throw new Mistake(`--replay takes 10m, 2h, 1d, a time, an event’s id, last or now; not ${replay}`)
  return idAt(at)
}

export function forwardUrl(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) throw new Mistake(`${text} is no address to forward to`)
  return url
}

/** Of what an event tells: events of one object are forwarded in their order. */
function objectOf({ event }: StreamedEvent): string {
  const object = (event as { content?: { object?: Record<string, unknown> } }).content?.object ?? {}
  const { payment_id, payout_id, mandate_id, endpoint_id } = object
  return String(payment_id ?? payout_id ?? mandate_id ?? endpoint_id ?? 'other')
}

function openCursor(name: string) {
  const text = readKept(`${name}.json`)
  const kept = text === null ? null : (JSON.parse(text) as Cursor)
  const done = new Set(kept?.done ?? [])
  /** Ids in the order in which they came, and whether each is answered. */
  const coming: { id: string; answered: boolean }[] = []
  let after = kept?.after
  let timer: NodeJS.Timeout | null = null
  const save = () => {
    timer = null
    if (after !== undefined) keepSecret(`${name}.json`, JSON.stringify({ after, done: [...done] } satisfies Cursor))
  }
  return {
    kept,
    isDone: (id: string) => done.has(id),
    comes: (id: string) => void coming.push({ id, answered: false }),
    answered(id: string) {
      const one = coming.find(entry => entry.id === id)
      if (one) one.answered = true
      done.add(id)
      while (coming[0]?.answered) {
        const { id: first } = coming.shift()!
        if (after === undefined || first > after) after = first
      }
      for (const old of done)
        if (after !== undefined && timeOf(old) < timeOf(after) - REMEMBERED_MS) done.delete(old)
        else break
      timer ??= setTimeout(save, SAVE_EVERY_MS)
    },
    save() {
      if (timer) clearTimeout(timer)
      save()
    },
  }
}

/** Sends one event until it is answered. Returns the status, or null if the listener was ended before. */
async function forward(
  ask: ListenAsk,
  url: string,
  secret: string,
  one: StreamedEvent,
  away: (error: unknown) => void,
): Promise<number | null> {
  for (let retry = 0; !ask.signal.aborted; retry++) {
    try {
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        'user-agent': 'Switchyard-Webhooks/1',
        ...(await webhooks.sign(one.text, secret, { id: one.id })),
        ...(ask.hashKey !== undefined && { 'x-webhook-signature-512': createHmac('sha512', ask.hashKey).update(one.text).digest('hex') }),
      }
      const signal = AbortSignal.any([ask.signal, AbortSignal.timeout(RECEIVER_MS)])
      const answer = await fetch(url, { method: 'POST', headers, body: one.text, redirect: 'manual', signal })
      await answer.arrayBuffer()
      return answer.status
    } catch (error) {
      if (ask.signal.aborted) return null
      away(error)
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry), ask.signal)
    }
  }
  return null
}

const clock = (): string => new Date().toISOString().slice(11, 19)

/** What a listener says: lines for people, or one JSON object a line. */
function openSpeech({ screen }: Desk) {
  const said = (words: string) => `${wrap(screen, words, clock().length + 1)}\n`
  const line = (facts: Record<string, unknown>, words: string) =>
    screen.out(screen.json ? `${JSON.stringify(facts)}\n` : said(`${paint(screen, 'dim', clock())} ${words}`))
  return {
    line,
    notice: (facts: Record<string, unknown>, words: string) =>
      screen.json ? screen.out(`${JSON.stringify(facts)}\n`) : screen.err(said(`${clock()} ${words}`)),
  }
}

const wordsOf = (error: unknown): string => {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  return plain(cause?.code ?? cause?.message ?? (error as Error).message)
}

/**
 * Forwards every event once, signed as a delivery is, in the order of its object; over restarts of the service, of the
 * receiver and of itself. An answer of any status is final (send it again: `switchyard events resend`); a receiver that
 * does not answer is waited for.
 */
export async function listen(desk: Desk, client: Switchyard, ask: ListenAsk): Promise<void> {
  const { screen } = desk
  const url = ask.forwardTo === undefined ? null : forwardUrl(ask.forwardTo)
  const name = `listen/${createHash('sha256').update([desk.url(), desk.profile.key, url, ask.events?.toSorted()].join('\n')).digest('hex').slice(0, 24)}`
  const secret = ask.secret ?? listenSecret(desk.url(), desk.profile.key)
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) throw new Mistake('--secret must begin with whsec_')
  const cursor = openCursor(name)
  const after = beginning(ask.replay, cursor.kept, Date.now())
  const speech = openSpeech(desk)
  if (url !== null) speech.notice({ type: 'secret', secret, forward_to: url }, `Forwarding to ${url}. Signing secret: ${secret}`)
  if (after !== undefined) speech.notice({ type: 'replay', after }, `What came since ${new Date(timeOf(after)).toISOString()} comes first`)

  let isAway = false
  const away = (error: unknown) => {
    if (isAway) return
    isAway = true
    speech.notice(
      { type: 'receiver_away', error: wordsOf(error) },
      paint(screen, 'yellow', `The receiver does not answer (${wordsOf(error)}); waiting for it`),
    )
  }
  const chains = new Map<string, Promise<void>>()
  const running = new Set<Promise<void>>()

  async function handle(one: StreamedEvent, object: string): Promise<void> {
    const begun = performance.now()
    const status = url === null ? 0 : await forward(ask, url, secret, one, away)
    if (status === null) return
    if (url !== null && isAway) {
      isAway = false
      speech.notice({ type: 'receiver_back' }, 'The receiver answers again')
    }
    cursor.answered(one.id)
    const ms = Math.round(performance.now() - begun)
    const { event_type } = one.event
    const result = url === null ? '' : ` ${paint(screen, status >= 200 && status < 300 ? 'green' : 'red', String(status))} ${ms} ms`
    speech.line(
      { type: 'event', event_id: one.id, event_type, object_id: object, ...(url !== null && { status, ms }) },
      `${plain(event_type)} ${plain(object)}${result} ${paint(screen, 'dim', one.id)}`,
    )
  }

  const stream = client.events.stream({
    ...(after !== undefined && { after }),
    ...(ask.events && { event_types: ask.events }),
    signal: ask.signal,
    onConnection: said =>
      said.is === 'connected'
        ? speech.notice({ type: 'connected', url: desk.url() }, paint(screen, 'green', `Connected to ${desk.url()}`))
        : speech.notice(
            { type: 'disconnected', error: wordsOf(said.error), retry_in_ms: said.retryInMs },
            paint(screen, 'yellow', `Not connected (${wordsOf(said.error)}); trying again in ${(said.retryInMs / 1000).toFixed(1)} s`),
          ),
  })
  const replayed = ask.replay !== undefined && ask.replay !== 'last'
  try {
    for await (const one of stream) {
      if (!replayed && cursor.isDone(one.id)) continue
      cursor.comes(one.id)
      const object = objectOf(one)
      const work = (chains.get(object) ?? Promise.resolve()).then(() => handle(one, object))
      chains.set(object, work)
      running.add(work)
      void work.finally(() => {
        running.delete(work)
        if (chains.get(object) === work) chains.delete(object)
      })
      if (running.size >= MOST_AT_ONCE) await Promise.race(running)
    }
  } finally {
    await Promise.allSettled(running)
    cursor.save()
  }
}
