import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answer, GET } from '../interface'
import { since } from '../views'

export type Counts = Readonly<Record<string, number>>

type Counted = 'payments' | 'refunds' | 'payouts'

const aggregates: Record<Counted, (start_time: string) => Promise<{ status_with_count: Counts }>> = {
  payments: start_time => answer(GET('/payments/aggregate', { params: { query: { start_time } } })),
  refunds: start_time => answer(GET('/refunds/aggregate', { params: { query: { start_time } } })),
  payouts: start_time => answer(GET('/payouts/aggregate', { params: { query: { start_time } } })),
}

/** The longest period in days. It is counted if no period is chosen. */
export const LONGEST = '90'

/** Returns the number of objects in each status in the period. Counts come from the aggregate, never from the list. */
export function useCounts(of: Counted, days: string | undefined): Counts | undefined {
  const start_time = since(days || LONGEST)
  const { data } = useQuery({
    queryKey: [of, 'counts', start_time],
    queryFn: () => aggregates[of](start_time),
    placeholderData: keepPreviousData,
  })
  return data?.status_with_count
}

/**
 * Returns the number of objects in these statuses, which are separated by commas; of all objects if the text is empty.
 */
export function countOf(counts: Counts | undefined, statuses: string): number | null {
  if (!counts) return null
  const found = statuses === '' ? Object.values(counts) : statuses.split(',').map(status => counts[status] ?? 0)
  return found.reduce((all, count) => all + count, 0)
}
