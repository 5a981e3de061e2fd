import type { Chosen } from '../../list-address'

export const HOUR = 3_600_000
export const ranges = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
]

export function startOf(range: string): string {
  if (range === 'today') return new Date(new Date().setHours(0, 0, 0, 0)).toISOString()
  const days = range === '7d' ? 7 : 30
  return new Date(Math.floor((Date.now() - days * 24 * HOUR) / HOUR) * HOUR).toISOString()
}

/** Returns the filter of a list that has the payments of a period. */
export const filterOf = (range: string): Chosen =>
  range === 'today' ? { start_time: startOf(range) } : { days: range === '7d' ? '7' : '30' }
