import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { saveCsv } from '../../parts/csv'
import { Panel } from '../../parts/details'
import { type Asked, Loaded } from '../../parts/loaded'
import { Table, type TableColumn } from '../../parts/table'
import { useLabels } from '../../queries'
import { type Cell, change, facets, inFigures, missing } from './metrics'
import type { Wanted } from './query'

type Props = {
  wanted: Wanted
  currency: string
  asked: Asked<{ data: readonly Cell[]; compared?: { data: readonly Cell[] } | null }> & { isPlaceholderData: boolean }
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

function rowsOf({ wanted: { by, metric }, currency, asked }: Props, nameOf: (key: string) => string): Row[] {
  const earlier = new Map((asked.data?.compared?.data ?? []).map(cell => [cell.key[by!] ?? null, cell]))
  const rows = (asked.data?.data ?? []).map(cell => {
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

/** A column of the table and of the CSV file. */
type GroupColumn = TableColumn<Row> & { text(row: Row): string | number }

/** Returns the columns. A group links to the list of its payments, if that is what it counts. */
function columnsOf({ wanted, currency }: Props, rows: readonly Row[]): GroupColumn[] {
  const { metric, by, compare } = wanted
  const facet = facets.find(({ name }) => name === by)!
  const most = metric.shows === 'rate' ? 1 : Math.max(...rows.map(({ value }) => value ?? 0), 1)
  const isOfSeveral = by === 'currency' && metric.shows === 'amount'
  const valueName = metric.beside ? 'p95' : isOfSeveral ? 'Amount' : metric.shows === 'amount' ? `Amount in ${currency}` : metric.label
  const formatValue = (value: number | null, row: Row) => (value === null ? missing(metric) : inFigures(metric, value, row.currency))
  const figure = (name: string, text: GroupColumn['text'], cell: GroupColumn['cell'] = text, look = 'num'): GroupColumn => ({
    ...{ name, right: true, look, text, cell },
  })
  return [
    {
      name: facet.label,
      look: by === 'error_code' || by === 'unified_code' ? 'mono' : '',
      text: ({ name }) => name,
      cell: row => <Group row={row} wanted={wanted} />,
    },
    figure(
      metric.counted.name,
      ({ counted }) => counted,
      ({ counted }) => counted.toLocaleString('en'),
    ),
    ...(metric.beside
      ? [
          figure(
            metric.beside.name,
            row => formatValue(row.beside, row),
            ({ beside }) => (beside === null ? '–' : inFigures(metric, beside, '')),
          ),
        ]
      : []),
    figure(
      valueName,
      row => formatValue(row.value, row),
      row => (
        <>
          {row.value !== null && !isOfSeveral && <Share value={row.value} most={most} />}{' '}
          <span className={row.value === null ? 'faint' : 'strong'}>{formatValue(row.value, row)}</span>
          {isOfSeveral && <span className="muted"> {row.currency}</span>}
        </>
      ),
    ),
    ...(compare
      ? [
          figure('Before', row => formatValue(row.before, row), undefined, 'num muted'),
          figure('Change', ({ value, before }) => change(metric, value, before)),
        ]
      : []),
  ]
}

function Group({ row: { key, name }, wanted: { metric, by, days, filters } }: { row: Row; wanted: Wanted }): ReactElement {
  const facet = facets.find(one => one.name === by)!
  const isOfLast = facets.some(one => one.last === 'place' && (one.name === by || filters[one.name]))
  if (!facet.listed || (isOfLast && metric.ofAttempts) || key === null)
    return <span className={key === null ? 'faint' : undefined}>{name}</span>
  return (
    <Link
      to="/payments"
      search={{ ...plain(filters), [facet.name]: key, days: String(days) }}
      className="link"
      title={facet.last === 'reason' ? 'Payments that ended with it' : undefined}
    >
      {name}
    </Link>
  )
}

export function Breakdown(props: Props): ReactElement {
  const { wanted, asked } = props
  const { metric, by } = wanted
  const labelOf = useLabels()
  const rows = rowsOf(props, key => (by === 'merchant_connector_id' ? labelOf(key, key) : key))
  const columns = columnsOf(props, rows)
  const title = `${metric.label} by ${facets.find(({ name }) => name === by)!.label.toLowerCase()}`
  const hasCurrency = metric.shows === 'amount'
  const save = () =>
    saveCsv(`${wanted.name}-by-${by}`, [
      [...columns.map(({ name }) => name), ...(hasCurrency ? ['Currency'] : [])],
      ...rows.map(row => [...columns.map(({ text }) => text(row)), ...(hasCurrency ? [row.currency] : [])]),
    ])
  return (
    <Panel
      title={title}
      hint={asked.data && String(rows.length)}
      acts={
        rows.length > 0 && (
          <Button variant="default" size="xs" onClick={save} aria-label={`Export CSV: ${title}`}>
            Export CSV
          </Button>
        )
      }
    >
      <Loaded what={title} asked={asked} isPadded>
        {groups =>
          groups !== undefined && rows.length === 0 ? (
            <p className="blank">Nothing was counted in this period.</p>
          ) : (
            <Table
              title={title}
              rows={rows}
              keyOf={({ key }) => String(key)}
              columns={columns}
              isBusy={groups === undefined || asked.isPlaceholderData}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

/** Returns the filters in the form of an address, without those that the list of payments does not have. */
const plain = (filters: Wanted['filters']): Record<string, string> =>
  Object.fromEntries(facets.flatMap(({ name, listed }) => (listed && filters[name] ? [[name, filters[name].join(',')]] : [])))
