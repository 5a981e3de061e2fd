import { useNavigate, useSearch } from '@tanstack/react-router'

// The address of a list is its state: filters, the period, the page, columns. The names are the interface's; several
// values are separated by commas.

/** The number of rows on a page. */
export const LIMIT = 50

/**
 * The chosen filters, by the interface's own names, as in the page's address; several values are separated by commas.
 */
export type Chosen = Readonly<Record<string, string>>

const DAY = 86_400_000
export const periods = [
  { value: '1', label: 'last 24 hours' },
  { value: '7', label: 'last 7 days' },
  { value: '30', label: 'last 30 days' },
  { value: '90', label: 'last 90 days' },
]
/** The longest period in days that can be chosen. */
export const LONGEST_PERIOD = '90'

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

/** The parameters that say which page of a list is shown. A change of a filter removes them. */
export const pageParameters: readonly string[] = ['starting_after', 'ending_before', 'offset', 'before_log', 'after_log', 'before_entry']

/** Parameters that say how a list is shown, not what is in it. */
const looks: readonly string[] = ['columns', 'follow']

const without = (chosen: Chosen, names: readonly string[]): Chosen =>
  Object.fromEntries(Object.entries(chosen).filter(([name]) => !names.includes(name)))

export type Query = Record<string, string | string[]>

/**
 * Returns the query parameters for the chosen filters. `begins` is the interface's name for the start of the period in
 * this list.
 */
export function queryOf({ days, ...chosen }: Chosen, begins = 'start_time'): Query {
  const set = Object.entries(chosen).filter(([, value]) => value !== '')
  const asked = set.map(([name, value]) => [name, several.has(name) ? value.split(',') : value])
  return { ...Object.fromEntries(asked), ...(days && { [begins]: since(days) }) }
}

/** Returns the state of a list from its address. `filters` are the parameters without the page. */
export function useListAddress(path: string) {
  const search = useSearch({ strict: false }) as Chosen
  const chosen = without(search, looks)
  const navigate = useNavigate()
  const filters = without(chosen, pageParameters)
  const show = (to: Chosen) => void navigate({ to: path, search: to })
  return {
    chosen,
    filters,
    isFirst: !pageParameters.some(name => chosen[name]),
    isFiltered: Object.values(filters).some(Boolean),
    show,
    choose: (name: string, value: string) => show({ ...filters, [name]: value }),
  }
}
export type ListAddress = ReturnType<typeof useListAddress>

export const choicesOf = (values: readonly string[]) => values.map(value => ({ value, label: value }))
