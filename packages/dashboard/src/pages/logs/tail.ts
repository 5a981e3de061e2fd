import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { paths } from '../../../.made/interface'
import { answer, GET, type Schemas } from '../../api'
import type { Chosen } from '../../list-address'
import type { Newer } from '../../live'

type Log = Schemas['RequestLog']
type Query = paths['/logs']['get']['parameters']['query']

const LOOK_EVERY_MS = 3_000
const PAGE = 100
/**
 * The time after which the order of a line is final (`GET /logs`), in ms. The log is followed after a line that is at
 * least this much older than the newest.
 */
const SETTLED_MS = 3_000
const MOST_SHOWN = 1_000

/** Returns the id of the line after which the log is followed: the newest line that no later line can precede. */
function begins(rows: readonly Log[]): string | undefined {
  const newest = Date.parse(rows[0]?.created ?? '')
  return (rows.find(({ created }) => Date.parse(created) <= newest - SETTLED_MS) ?? rows.at(-1))?.log_id
}

type Tail = { of: readonly Log[] | undefined; cursor: string | undefined; came: readonly Log[]; seen: number }

/**
 * Returns the lines that came after a page was read, the newest first. With `isFollowed` they are shown at once; else
 * they are counted, and shown when the user loads them.
 */
export function useTail(
  filters: Chosen,
  rows: readonly Log[] | undefined,
  isOn: boolean,
  isFollowed: boolean,
): { came: readonly Log[]; newer: Newer | null } {
  const [kept, setTail] = useState<Tail>({ of: undefined, cursor: undefined, came: [], seen: 0 })
  const tail = kept.of === rows ? kept : { of: rows, cursor: rows && begins(rows), came: [], seen: 0 }
  const { data } = useQuery({
    queryKey: ['logs', 'after', filters, tail.cursor],
    queryFn: () => answer(GET('/logs', { params: { query: { ...filters, after_log: tail.cursor, limit: PAGE } as unknown as Query } })),
    refetchInterval: LOOK_EVERY_MS,
    enabled: isOn && rows !== undefined,
    gcTime: 0,
  })
  useEffect(() => {
    const [newest] = data?.data ?? []
    if (data === undefined || newest === undefined) return
    setTail(before => {
      const of = before.of === rows ? before : { of: rows, cursor: undefined, came: [], seen: 0 }
      const known = new Set([...(rows ?? []), ...of.came].map(({ log_id }) => log_id))
      const came = data.data.filter(({ log_id }) => !known.has(log_id))
      return { ...of, cursor: newest.log_id, came: [...came, ...of.came].slice(0, MOST_SHOWN) }
    })
  }, [data, rows])
  const waiting = isFollowed ? 0 : tail.came.length - tail.seen
  return {
    came: tail.came.slice(waiting),
    newer: isOn && waiting > 0 ? { count: waiting, load: () => setTail({ ...tail, seen: tail.came.length }) } : null,
  }
}
