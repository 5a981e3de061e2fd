import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { saveCsv } from '../../parts/csv'
import { Panel } from '../../parts/details'
import { LoadError } from '../../parts/load-error'
import { useLabels } from '../../queries'
import { type Cell, change, facets, inFigures, missing } from './metrics'
import type { Wanted } from './query'

type Props = {
  wanted: Wanted
  currency: string
  cells: readonly Cell[] | undefined
  compared: readonly Cell[] | undefined
  error: unknown
  isStale: boolean
  again(): void
}

/** A row: a group with its value in the chosen period and in the period it is compared with. */
type Row = {
  key: string | null
  name: string
  currency: string
  counted: number
  value: number | null
  beside: number | null
  before: number | null
}

function rowsOf({ wanted: { by, metric }, currency, cells = [], compared = [] }: Props, nameOf: (key: string) => string): Row[] {
  const earlier = new Map(compared.map(cell => [cell.key[by!] ?? null, cell]))
  const rows = cells.map(cell => {
    const key = cell.key[by!] ?? null
    const own = by === 'currency' ? (key ?? '') : currency
    const its = earlier.get(key)
    return {
      key,
      name: key === null ? 'none' : nameOf(key),
      currency: own,
      counted: metric.counted.of(cell),
      value: metric.of(cell, own),
      beside: metric.beside?.of(cell) ?? null,
      before: its ? metric.of(its, own) : null,
    }
  })
  const shown = rows.filter(({ counted, value }) => counted > 0 && (metric.shows !== 'count' || value !== 0))
  return metric.shows === 'count' ? shown.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0)) : shown
}

/**
 * Shows a bar for the share of a row. Shares are of the figures in one currency, or of figures that are no amounts.
 */
function Share({ value, most }: { value: number; most: number }): ReactElement {
  return (
    <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="6" fill="var(--line)" />
      <rect width={Math.max(0, Math.min(100, (value / most) * 100))} height="6" fill="var(--text-3)" />
    </svg>
  )
}

/** Shows a table with one row for each group. A group links to the list of its payments, if that is what it counts. */
export function Breakdown(props: Props): ReactElement {
  const { wanted, currency, error, isStale, again } = props
  const { metric, by, compare, days } = wanted
  const labelOf = useLabels()
  const facet = facets.find(({ name }) => name === by)!
  const isOfLast = facets.some(({ name, last }) => last === 'place' && (name === by || wanted.filters[name]))
  const isListed = facet.listed && !(isOfLast && metric.ofAttempts)
  const rows = rowsOf(props, key => (by === 'merchant_connector_id' ? labelOf(key, key) : key))
  const most = metric.shows === 'rate' ? 1 : Math.max(...rows.map(({ value }) => value ?? 0), 1)
  const isOfSeveral = by === 'currency' && metric.shows === 'amount'
  const title = `${metric.label} by ${facet.label.toLowerCase()}`
  const valueName = metric.beside ? 'p95' : isOfSeveral ? 'Amount' : metric.shows === 'amount' ? `Amount in ${currency}` : metric.label
  const names = [
    facet.label,
    metric.counted.name,
    ...(metric.beside ? [metric.beside.name] : []),
    valueName,
    ...(compare ? ['Before', 'Change'] : []),
  ]
  const formatValue = (value: number | null, row: Row) => (value === null ? missing(metric) : inFigures(metric, value, row.currency))
  const save = () =>
    saveCsv(`${wanted.name}-by-${by}`, [
      [...names, ...(metric.shows === 'amount' ? ['Currency'] : [])],
      ...rows.map(row => [
        row.name,
        row.counted,
        ...(metric.beside ? [formatValue(row.beside, row)] : []),
        formatValue(row.value, row),
        ...(compare ? [formatValue(row.before, row), change(metric, row.value, row.before)] : []),
        ...(metric.shows === 'amount' ? [row.currency] : []),
      ]),
    ])
  return (
    <Panel
      title={title}
      hint={props.cells && String(rows.length)}
      acts={
        rows.length > 0 && (
          <Button variant="default" size="xs" onClick={save} aria-label={`Export CSV: ${title}`}>
            Export CSV
          </Button>
        )
      }
    >
      {error && props.cells === undefined ? (
        <div className="in">
          <LoadError what={title} error={error} retry={again} />
        </div>
      ) : props.cells !== undefined && rows.length === 0 ? (
        <p className="blank">Nothing was counted in this period.</p>
      ) : (
        <section
          className={`tw ${isStale ? 'stale' : ''}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
          tabIndex={0}
          aria-label={`${title}, in a table`}
          aria-busy={props.cells === undefined || isStale}
        >
          <table aria-label={title}>
            <thead>
              <tr>
                {names.map((name, at) => (
                  <th key={name} scope="col" className={at > 0 ? 'n' : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.key}>
                  <td className={by === 'error_code' || by === 'unified_code' ? 'mono' : undefined}>
                    {isListed && row.key !== null ? (
                      <Link
                        to="/payments"
                        search={{ ...plain(wanted.filters), [facet.name]: row.key, days: String(days) }}
                        className="link"
                        title={facet.last === 'reason' ? 'Payments that ended with it' : undefined}
                      >
                        {row.name}
                      </Link>
                    ) : (
                      <span className={row.key === null ? 'faint' : undefined}>{row.name}</span>
                    )}
                  </td>
                  <td className="n num">{row.counted.toLocaleString('en')}</td>
                  {metric.beside && <td className="n num">{row.beside === null ? '–' : inFigures(metric, row.beside, '')}</td>}
                  <td className="n num">
                    {row.value !== null && !isOfSeveral && <Share value={row.value} most={most} />}{' '}
                    <span className={row.value === null ? 'faint' : 'strong'}>{formatValue(row.value, row)}</span>
                    {isOfSeveral && <span className="muted"> {row.currency}</span>}
                  </td>
                  {compare && <td className="n num muted">{formatValue(row.before, row)}</td>}
                  {compare && <td className="n num">{change(metric, row.value, row.before)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

/** Returns the filters in the form of an address, without those that the list of payments does not have. */
const plain = (filters: Wanted['filters']): Record<string, string> =>
  Object.fromEntries(facets.flatMap(({ name, listed }) => (listed && filters[name] ? [[name, filters[name].join(',')]] : [])))
