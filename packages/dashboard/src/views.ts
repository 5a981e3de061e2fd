import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Chosen, useChosen } from './parts/filters'

// Converts the address of a list into a query for the interface. Names are the same; several values are separated by
// commas.

/** The number of rows on a page. */
export const LIMIT = 50

const DAY = 86_400_000
export const periods = [
  { value: '1', label: 'last 24 hours' },
  { value: '7', label: 'last 7 days' },
  { value: '30', label: 'last 30 days' },
  { value: '90', label: 'last 90 days' },
]

/**
 * Returns the start of a period, rounded to the minute. The same filters then give the same query for a while, which
 * is sent once.
 */
const since = (days: string): string => new Date(Math.floor((Date.now() - Number(days) * DAY) / 60_000) * 60_000).toISOString()

/** Filters that accept several values. */
const several: ReadonlySet<string> = new Set([
  ...['status', 'refund_status', 'dispute_status', 'dispute_stage', 'connector', 'merchant_connector_id', 'currency'],
  ...['payment_method', 'payout_method', 'card_network'],
])

/**
 * Returns the query parameters for the chosen filters. `begins` is the interface's name for the start of the period in
 * this list.
 */
export function questionOf({ days, ...chosen }: Chosen, begins = 'start_time'): Record<string, string | string[]> {
  const set = Object.entries(chosen).filter(([, value]) => value !== '')
  const asked = set.map(([name, value]) => [name, several.has(name) ? value.split(',') : value])
  return { ...Object.fromEntries(asked), ...(days && { [begins]: since(days) }) }
}

/** Returns the state of a list from its address. `filters` are the parameters without the cursors of the page. */
export function useView(path: string, title: string) {
  const chosen = useChosen()
  const navigate = useNavigate()
  const { starting_after: _after, ending_before: _before, ...filters } = chosen
  useEffect(() => {
    document.title = `${title} · Switchyard`
  }, [title])
  return {
    chosen,
    filters: filters as Chosen,
    isFirst: !chosen.starting_after && !chosen.ending_before,
    isFiltered: Object.values(filters).some(Boolean),
    show: (search: Chosen) => void navigate({ to: path, search }),
    choose: (name: string, value: string) => void navigate({ to: path, search: { ...filters, [name]: value } }),
  }
}
export type View = ReturnType<typeof useView>

export const choicesOf = (values: readonly string[]) => values.map(value => ({ value, label: value }))
