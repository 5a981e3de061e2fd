import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { leave, usePermission } from './session'

// Live updates: one stream of events for this tab. An event makes the shown data of its object stale. A list does not
// change by itself; a line above its first row says how many rows it does not show yet.

/**
 * For each type of event content: the query name of its object in this tab, and the field that holds the object's id.
 */
const kinds = {
  payment_details: { of: 'payments', id: 'payment_id' },
  refund_details: { of: 'refunds', id: 'refund_id' },
  dispute_details: { of: 'disputes', id: 'dispute_id' },
  payout_details: { of: 'payouts', id: 'payout_id' },
  mandate_details: { of: 'mandates', id: 'mandate_id' },
  webhook_endpoint_details: { of: 'webhooks', id: 'endpoint_id' },
} as const
export type Kind = (typeof kinds)[keyof typeof kinds]['of']

type StreamEvent = { id: string; content: { type: keyof typeof kinds; object: Record<string, unknown> } }
/** The object of an event that was received, or null if events may have been missed. */
type Update = { of: Kind; ids: readonly unknown[] } | null

const listeners = new Set<(update: Update) => void>()

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000
/** The number of event ids that are remembered. A stream that resumes repeats the events of the half minute before. */
const MOST_REMEMBERED = 500
/** The shortest time between two reads of the same list. */
const PAUSE_OF_LISTS_MS = 1_000
/**
 * The pause before figures are read again. The service updates figures about a second after the event, and one read
 * covers all events until then.
 */
const PAUSE_OF_FIGURES_MS = 3_000

/** Yields the events of a stream in the form of Server-Sent Events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const bytes = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await bytes.read()
    if (done) return
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = parts.pop()!
    for (const part of parts) {
      const lines = part.split('\n')
      const id = lines.find(line => line.startsWith('id: '))?.slice(4)
      const data = lines.find(line => line.startsWith('data: '))?.slice(6)
      if (id !== undefined && data !== undefined) yield { id, ...JSON.parse(data) }
    }
  }
}

/**
 * Opens the event stream while the tab is visible, and resumes after the last event when the tab is visible again.
 * Closes it with the session. Returns the function that stops it.
 */
function listen(onUpdate: (update: Update) => void): () => void {
  let last: string | null = null
  let pause = FIRST_PAUSE_MS
  let timer = 0
  let stop = new AbortController()
  let hasListened = false
  const seen = new Set<string>()

  async function open({ signal }: AbortController): Promise<void> {
    try {
      const headers = { accept: 'text/event-stream', ...(last !== null && { 'last-event-id': last }) }
      const { status, ok, body } = await fetch('/events/stream', { headers, signal, credentials: 'same-origin' })
      if (status === 401) leave('Your session is over.')
      // 204: the stream has no events for this session; browsers treat 204 the same way for their own EventSource.
      if (status === 401 || status === 403 || status === 204) return
      if (ok && body !== null) {
        pause = FIRST_PAUSE_MS
        // Without a received event the stream cannot resume, so events may have been missed.
        if (hasListened && last === null) onUpdate(null)
        hasListened = true
        for await (const event of eventsOf(body)) {
          last = event.id
          if (seen.has(event.id)) continue
          seen.add(event.id)
          if (seen.size > MOST_REMEMBERED) seen.delete(seen.values().next().value!)
          const kind = kinds[event.content.type]
          if (kind !== undefined) onUpdate({ of: kind.of, ids: [event.content.object[kind.id], event.content.object.payment_id] })
        }
      }
    } catch {
      // The stream is opened again, as after a regular end.
    }
    if (signal.aborted) return
    timer = window.setTimeout(() => void open(stop), pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  function look(): void {
    stop.abort()
    clearTimeout(timer)
    stop = new AbortController()
    // A browser allows few connections to one host, so a hidden tab holds none.
    if (document.visibilityState === 'visible') void open(stop)
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    clearTimeout(timer)
    stop.abort()
  }
}

/** Invalidates the queries of the event's objects. Lists, counts and drafts are not invalidated. */
function makeStale(queries: QueryClient, update: Update): void {
  const isOf = (key: readonly unknown[]): boolean =>
    update === null ? Object.values(kinds).some(({ of }) => of === key[0]) : update.ids.includes(key[1]) && key[1] !== undefined
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => isOf(queryKey) && !['list', 'choices', 'counts'].includes(String(queryKey[1])) && queryKey[2] !== 'draft',
  })
}

/** Opens the event stream. The frame around all pages calls this hook, once. */
export function useLive(): void {
  const queries = useQueryClient()
  const mayReadLogs = usePermission()('logs:read')
  useEffect(() => {
    if (!mayReadLogs) return
    return listen(update => {
      makeStale(queries, update)
      for (const listener of listeners) listener(update)
    })
  }, [queries, mayReadLogs])
}

/** Calls `onUpdate` after a pause when an object of this kind, or with `everything` any object, has changed. */
function useUpdates(of: Kind | 'everything', isWanted: boolean, onUpdate: () => void, pause = PAUSE_OF_LISTS_MS): void {
  const latest = useRef(onUpdate)
  latest.current = onUpdate
  useEffect(() => {
    if (!isWanted) return
    let timer: number | null = null
    const listener = (update: Update) => {
      if (timer !== null || (update !== null && of !== 'everything' && update.of !== of)) return
      timer = window.setTimeout(() => {
        timer = null
        latest.current()
      }, pause)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (timer !== null) clearTimeout(timer)
    }
  }, [of, isWanted, pause])
}

/** Invalidates the queries of figures and attention lists with these names when events arrive. */
export function useLiveFigures(...names: readonly ('analytics' | 'attention')[]): void {
  const queries = useQueryClient()
  const read = () => {
    for (const name of names) void queries.invalidateQueries({ queryKey: [name] })
  }
  useUpdates('everything', true, read, PAUSE_OF_FIGURES_MS)
}

/** Rows that came after a list was read. They are counted above its first row until they are loaded. */
export type Newer = { count: number; load(): void }

type LiveList<Data, Row> = {
  /** The objects whose events say that the list has changed; null if it is read again only when the tab is focused. */
  of: Kind | 'everything' | null
  key: readonly unknown[]
  ask(): Promise<Data>
  rowsOf(data: Data): readonly Row[]
  idOf(row: Row): string
  /** Whether the first page is shown. New rows appear only on the first page. */
  isFirst: boolean
}

/**
 * Reads a list that does not jump. Rows that are shown change in place. New rows at the top are counted, and are shown
 * when the user loads them.
 */
export function useLiveList<Data, Row>({ of, key, ask, rowsOf, idOf, isFirst }: LiveList<Data, Row>) {
  const queries = useQueryClient()
  // Without an event stream the list is read again when the tab is focused.
  const hasStream = usePermission()('logs:read') && of !== null
  const options = { queryFn: ask, refetchOnWindowFocus: !hasStream }
  const list = useQuery({ ...options, queryKey: key, placeholderData: keepPreviousData })
  const fresh = useQuery({ ...options, queryKey: ['newer', ...key], enabled: false, gcTime: 0 })
  const isShown = list.data !== undefined && !list.isPlaceholderData
  useUpdates(of ?? 'everything', of !== null && isFirst && isShown, () => void fresh.refetch({ cancelRefetch: false }))
  const shown = list.data && rowsOf(list.data)
  if (shown === undefined || !isShown || fresh.data === undefined || fresh.dataUpdatedAt < list.dataUpdatedAt)
    return { ...list, rows: shown, newer: null }
  const now = rowsOf(fresh.data)
  const ids = new Set(shown.map(idOf))
  const found = new Map(now.map(row => [idOf(row), row]))
  // Rows below the last row that is still in the list have only moved up: they are not new.
  const last = now.findLastIndex(row => ids.has(idOf(row)))
  const count = now.filter((row, i) => !ids.has(idOf(row)) && (i < last || last === -1)).length
  const { data } = fresh
  return {
    ...list,
    rows: shown.map(row => found.get(idOf(row)) ?? row),
    newer: count === 0 ? null : { count, load: () => void queries.setQueryData(key, data) },
  }
}
