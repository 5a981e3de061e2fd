import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { leave, useMay } from './session'

// What happens while one looks: one stream of events for this tab. An event makes what is shown of its object stale; a
// list stays as it is, and says above its first row how many there are that it does not show.

/** By the type of an event's content: how answers about its object are named among those of this tab, and its id. */
const kinds = {
  payment_details: { of: 'payments', id: 'payment_id' },
  refund_details: { of: 'refunds', id: 'refund_id' },
  dispute_details: { of: 'disputes', id: 'dispute_id' },
  payout_details: { of: 'payouts', id: 'payout_id' },
  mandate_details: { of: 'mandates', id: 'mandate_id' },
  webhook_endpoint_details: { of: 'webhooks', id: 'endpoint_id' },
} as const
type Kind = (typeof kinds)[keyof typeof kinds]['of']

type Told = { id: string; content: { type: keyof typeof kinds; object: Record<string, unknown> } }
/** What was heard; null: something may have been missed. */
type Heard = { of: Kind; ids: readonly unknown[] } | null

const listeners = new Set<(heard: Heard) => void>()

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000
/** Of a stream that goes on what was told in the half minute before is told again. */
const MOST_REMEMBERED = 500
/** A list is asked for at most so often. */
const PAUSE_OF_LISTS_MS = 1_000
/** Figures are counted about a second after what they count, and are read for all that happened until then. */
const PAUSE_OF_FIGURES_MS = 3_000

/** The events of a stream, in the form of Server-Sent Events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
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
 * Listens as long as the tab is looked at, and goes on where it was when that is so again. Ends with the session. Gives
 * what stops it.
 */
function listen(tell: (heard: Heard) => void): () => void {
  let last: string | null = null
  let pause = FIRST_PAUSE_MS
  let timer = 0
  let stop = new AbortController()
  let hasListened = false
  const heard = new Set<string>()

  async function open({ signal }: AbortController): Promise<void> {
    try {
      const headers = { accept: 'text/event-stream', ...(last !== null && { 'last-event-id': last }) }
      const { status, ok, body } = await fetch('/events/stream', { headers, signal, credentials: 'same-origin' })
      if (status === 401) leave('Your session is over.')
      // 204: nothing is to be heard here, as browsers understand it of their own streams.
      if (status === 401 || status === 403 || status === 204) return
      if (ok && body !== null) {
        pause = FIRST_PAUSE_MS
        // A tab that has heard nothing yet has no event to go on after.
        if (hasListened && last === null) tell(null)
        hasListened = true
        for await (const event of eventsOf(body)) {
          last = event.id
          if (heard.has(event.id)) continue
          heard.add(event.id)
          if (heard.size > MOST_REMEMBERED) heard.delete(heard.values().next().value!)
          const kind = kinds[event.content.type]
          if (kind !== undefined) tell({ of: kind.of, ids: [event.content.object[kind.id], event.content.object.payment_id] })
        }
      }
    } catch {
      // It is tried again, as after an end.
    }
    if (signal.aborted) return
    timer = window.setTimeout(() => void open(stop), pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  function look(): void {
    stop.abort()
    clearTimeout(timer)
    stop = new AbortController()
    // A browser has few connections to one service: a tab that nobody looks at holds none.
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

/** Queries of these objects are read again; lists, counts and drafts are not. */
function makeStale(queries: QueryClient, heard: Heard): void {
  const isOf = (key: readonly unknown[]): boolean =>
    heard === null ? Object.values(kinds).some(({ of }) => of === key[0]) : heard.ids.includes(key[1]) && key[1] !== undefined
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => isOf(queryKey) && !['list', 'choices', 'counts'].includes(String(queryKey[1])) && queryKey[2] !== 'draft',
  })
}

/** For the frame of all pages, once. */
export function useLive(): void {
  const queries = useQueryClient()
  const mayHear = useMay()('logs:read')
  useEffect(() => {
    if (!mayHear) return
    return listen(heard => {
      makeStale(queries, heard)
      for (const listener of listeners) listener(heard)
    })
  }, [queries, mayHear])
}

/** Calls back some time after one of these has changed, or anything at all. */
function useHeard(of: Kind | 'everything', isWanted: boolean, hear: () => void, pause = PAUSE_OF_LISTS_MS): void {
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    if (!isWanted) return
    let timer: number | null = null
    const listener = (heard: Heard) => {
      if (timer !== null || (heard !== null && of !== 'everything' && heard.of !== of)) return
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

/** Figures, and what needs a person, follow what happens: of the answers of this tab those that begin so. */
export function useLiveFigures(...names: readonly ('analytics' | 'attention')[]): void {
  const queries = useQueryClient()
  const read = () => {
    for (const name of names) void queries.invalidateQueries({ queryKey: [name] })
  }
  useHeard('everything', true, read, PAUSE_OF_FIGURES_MS)
}

/** Rows that a list does not show yet, above its first. */
export type Newer = { count: number; load(): void }

type LiveList<Data, Row> = {
  of: Kind | 'everything'
  key: readonly unknown[]
  ask(): Promise<Data>
  rowsOf(data: Data): readonly Row[]
  idOf(row: Row): string
  /** Whether the first page is shown: before the others nothing appears. */
  isFirst: boolean
}

/**
 * A list that does not jump. What is shown changes in its place; what would appear above is counted, and comes when one
 * asks for it.
 */
export function useLiveList<Data, Row>({ of, key, ask, rowsOf, idOf, isFirst }: LiveList<Data, Row>) {
  const queries = useQueryClient()
  // A tab without a stream reads its lists again with each look.
  const options = { queryFn: ask, refetchOnWindowFocus: !useMay()('logs:read') }
  const list = useQuery({ ...options, queryKey: key, placeholderData: keepPreviousData })
  const fresh = useQuery({ ...options, queryKey: ['newer', ...key], enabled: false, gcTime: 0 })
  const isShown = list.data !== undefined && !list.isPlaceholderData
  useHeard(of, isFirst && isShown, () => void fresh.refetch({ cancelRefetch: false }))
  const shown = list.data && rowsOf(list.data)
  if (shown === undefined || !isShown || fresh.data === undefined || fresh.dataUpdatedAt < list.dataUpdatedAt)
    return { ...list, rows: shown, newer: null }
  const now = rowsOf(fresh.data)
  const ids = new Set(shown.map(idOf))
  const found = new Map(now.map(row => [idOf(row), row]))
  // What stands below the last row that is still there has only moved up.
  const last = now.findLastIndex(row => ids.has(idOf(row)))
  const count = now.filter((row, i) => !ids.has(idOf(row)) && (i < last || last === -1)).length
  const { data } = fresh
  return {
    ...list,
    rows: shown.map(row => found.get(idOf(row)) ?? row),
    newer: count === 0 ? null : { count, load: () => void queries.setQueryData(key, data) },
  }
}
