import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answer, GET } from '../api'
import { type Chosen, queryOf } from '../list-address'

export type Counts = Readonly<Record<string, number>>

export type Counted = 'payments' | 'refunds' | 'payouts' | 'disputes'
type Query = { start_time: string } & Record<string, string | string[]>

const aggregates: Record<Counted, (query: Query) => Promise<{ status_with_count: Counts }>> = {
  payments: query => answer(GET('/payments/aggregate', { params: { query } })),
  refunds: query => answer(GET('/refunds/aggregate', { params: { query } })),
  payouts: query => answer(GET('/payouts/aggregate', { params: { query } })),
  disputes: query => answer(GET('/disputes/aggregate', { params: { query } })),
}

/**
 * Returns the number of objects in each status for the filters and the period of a list. `own`: the name of the
 * filter by status, which does not narrow the counts. Undefined while they are read, and if they cannot be counted.
 */
export function useStatusCounts(of: Counted | null, filters: Chosen, own = 'status'): Counts | undefined {
  const { [own]: _own, ...others } = filters
  const query: Query = { start_time: '1970-01-01T00:00:00.000Z', ...queryOf(others) }
  const { data, isError } = useQuery({
    queryKey: [of, 'counts', query],
    queryFn: () => aggregates[of!](query),
    placeholderData: keepPreviousData,
    enabled: of !== null,
  })
  return isError ? undefined : data?.status_with_count
}

/**
 * Returns the number of objects in these statuses, which are separated by commas; of all objects if the text is empty.
 */
export function countOf(counts: Counts | undefined, statuses: string): number | null {
  if (!counts) return null
  const found = statuses === '' ? Object.values(counts) : statuses.split(',').map(status => counts[status] ?? 0)
  return found.reduce((all, count) => all + count, 0)
}
