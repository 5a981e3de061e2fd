import { Button, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import type { Chosen } from '../list-address'
import { Chart, type Line, slotName } from '../parts/chart'
import { saveCsv } from '../parts/csv'
import { Panel } from '../parts/details'
import { type Filter, Filters } from '../parts/filters'
import { Loaded } from '../parts/loaded'
import { formatAmount } from '../parts/money'
import { PageHead } from '../parts/page-head'
import { TabLinks } from '../parts/tabs'
import { exactly } from '../parts/time'
import type { ChoiceList } from '../queries'
import { Breakdown } from './analytics/breakdown'
import { change, type Facet, facets, facetsOf, inFigures, type Metric, metrics, missing } from './analytics/metrics'
import { comparisons, ranges, slotsOf, useAnalytics, valuesAt, type Wanted, wantedOf } from './analytics/query'

const choiceLists: Partial<Record<Facet, ChoiceList>> = {
  merchant_connector_id: 'account',
  connector: 'connector',
  payment_method: 'payment_method',
  card_network: 'card_network',
  currency: 'currency',
}

const granularities = [
  { value: 'hour', label: 'hours' },
  { value: 'day', label: 'days' },
]

/** Returns the filters that a metric accepts, by the interface's own names. */
function filtersOf({ name, days, filters }: Wanted): Filter[] {
  const fitting = facetsOf(name)
  const shown = facets
    .filter(facet => fitting.includes(facet) || filters[facet.name])
    .filter(facet => !facet.name.endsWith('_code') || filters[facet.name])
  return [
    { name: 'by', label: 'By', kind: 'one of', choices: fitting.map(facet => ({ value: facet.name, label: facet.label.toLowerCase() })) },
    { name: 'compare', label: 'Compare with', kind: 'one of', choices: [...comparisons, { value: 'none', label: 'nothing' }] },
    ...(days <= 7 ? [{ name: 'granularity', label: 'In', kind: 'one of' as const, choices: granularities }] : []),
    ...shown.map(({ name: facet, label }): Filter => {
      const choices = choiceLists[facet]
      return choices ? { name: facet, label, kind: 'any of', choices } : { name: facet, label, kind: 'text', hint: facet }
    }),
  ]
}

/**
 * Shows the figure of the whole period. For amounts there is one figure for each currency; the chart and table below
 * show the chosen one.
 */
function Totals({
  wanted,
  of,
  show,
}: {
  wanted: Wanted
  of: ReturnType<typeof useAnalytics>
  show(currency: string): void
}): ReactElement | null {
  const { metric, compare } = wanted
  const [now, then] = [of.totals.data?.data[0], of.totals.data?.compared?.data[0]]
  if (of.totals.data === undefined) return null
  if (metric.shows === 'amount')
    return of.amounts.length === 0 ? null : (
      <section className="five currencies" aria-label="By currency">
        {of.amounts.map(({ currency, amount }) => (
          <button key={currency} type="button" aria-pressed={currency === of.currency} onClick={() => show(currency)}>
            <span className="figure">
              {formatAmount(amount, currency)} <i>{currency}</i>
            </span>
            {compare && <span className="muted">{since(change(metric, amount, then ? metric.of(then, currency) : null))}</span>}
          </button>
        ))}
      </section>
    )
  const value = now ? metric.of(now, '') : null
  const before = then ? metric.of(then, '') : null
  return (
    <section className="five" aria-label="In all">
      {metric.beside && (
        <div>
          <h2>{metric.beside.name}</h2>
          <p className="figure">{now ? formatValue(metric, metric.beside.of(now)) : '–'}</p>
        </div>
      )}
      <div>
        <h2>{metric.beside ? 'p95' : metric.label}</h2>
        <p className="figure">{now ? formatValue(metric, value) : missing(metric)}</p>
        <p className="muted">
          {metric.shows === 'rate' && value === null
            ? 'no rate follows from fewer than 30'
            : compare && `${formatValue(metric, before)} before, ${change(metric, value, before)}`}
        </p>
      </div>
      <div>
        <h2>{metric.counted.name}</h2>
        <p className="figure">{(now ? metric.counted.of(now) : 0).toLocaleString('en')}</p>
        {compare && <p className="muted">{(then ? metric.counted.of(then) : 0).toLocaleString('en')} before</p>}
      </div>
    </section>
  )
}

const since = (changed: string): string => (changed === '–' ? 'none before' : `${changed} since before`)
const formatValue = (metric: Metric, value: number | null): string => (value === null ? missing(metric) : inFigures(metric, value, ''))

/**
 * Returns the lines of the chart: the chosen period, the period it is compared with, and for answer times also the
 * median (p50).
 */
function linesOf(
  { metric, compare, time_range }: Wanted,
  { series: { data }, currency }: ReturnType<typeof useAnalytics>,
  slots: readonly string[],
): Line[] {
  const none = metric.shows === 'rate' || metric.shows === 'time' ? null : 0
  const of = (cell: Parameters<Metric['of']>[0]) => metric.of(cell, currency)
  const movedBy = data?.compared ? Date.parse(time_range.start_time) - Date.parse(data.compared.time_range.start_time) : 0
  return [
    { name: metric.beside ? 'p95' : metric.label, is: 'now', values: valuesAt(slots, data?.data ?? [], 0, of, none) },
    ...(metric.beside
      ? [{ name: metric.beside.name, is: 'beside' as const, values: valuesAt(slots, data?.data ?? [], 0, metric.beside.of, none) }]
      : []),
    ...(compare && data?.compared
      ? [
          {
            name: comparisons.find(({ value }) => value === compare)!.label.replace(/^./, first => first.toUpperCase()),
            is: 'before' as const,
            values: valuesAt(slots, data.compared.data, movedBy, of, none),
          },
        ]
      : []),
  ]
}

function OverTime({ wanted, of }: { wanted: Wanted; of: ReturnType<typeof useAnalytics> }): ReactElement {
  const [asTable, setAsTable] = useState(false)
  const { metric, granularity } = wanted
  const { series, currency } = of
  const byHour = granularity === 'hour'
  const slots = slotsOf(wanted)
  const lines = linesOf(wanted, of, slots)
  const isAmount = metric.shows === 'amount'
  const what = isAmount && currency ? `${metric.label} in ${currency}` : metric.label
  const isEmpty = series.data !== undefined && lines.every(({ values }) => values.every(value => !value))
  const lowest = Math.min(...lines.flatMap(({ values }) => values.filter(value => value !== null)), 1)
  const format = (value: number) => inFigures(metric, value, currency)
  const save = () =>
    saveCsv(`${wanted.name}-by-${granularity}`, [
      [byHour ? 'Hour' : 'Day (UTC)', ...lines.map(({ name }) => (isAmount ? `${name} in ${currency}` : name))],
      ...slots.map((at, i) => [
        byHour ? at : at.slice(0, 10),
        ...lines.map(({ values }) => (values[i] == null ? missing(metric) : format(values[i]))),
      ]),
    ])
  const nothing =
    metric.shows === 'rate' && series.data?.data.length
      ? `In no ${granularity} at least 30 ${wanted.name === 'rate' ? 'payments' : 'attempts'} were decided, and from fewer no rate follows.`
      : 'Nothing was counted in this period.'
  return (
    <Panel
      title={`${what} per ${granularity}`}
      acts={
        !isEmpty &&
        series.data && (
          <>
            <Button variant="default" size="xs" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              {asTable ? 'Show as chart' : 'Show as table'}
            </Button>
            <Button variant="default" size="xs" onClick={save} aria-label={`Export CSV: ${what} per ${granularity}`}>
              Export CSV
            </Button>
          </>
        )
      }
    >
      <Loaded what="Analytics" asked={series} isPadded>
        {data =>
          isEmpty ? (
            <p className="blank">{nothing}</p>
          ) : data === undefined ? (
            <div className="chart-room" aria-busy="true" />
          ) : (
            <div className={series.isPlaceholderData ? 'older' : undefined} aria-busy={series.isPlaceholderData}>
              <Chart
                what={what}
                at={slots}
                byHour={byHour}
                lines={lines}
                draw={metric.shows === 'rate' || metric.shows === 'time' ? 'lines' : 'columns'}
                {...(metric.shows === 'rate' && { from: Math.max(0, Math.floor(lowest * 10 - 0.5) / 10), to: 1 })}
                format={format}
                missing={missing(metric)}
                asTable={asTable}
              />
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}

export default function Analytics(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const navigate = useNavigate()
  const wanted = wantedOf(chosen)
  const of = useAnalytics(wanted, chosen.currency?.includes(',') ? undefined : chosen.currency)
  const { totals, series, groups } = of
  // Every query that failed is repeated.
  const refetch = () => {
    for (const one of [totals, series, groups]) if (one.isError) void one.refetch()
  }
  const show = (search: Chosen) => void navigate({ to: '/analytics', search })
  const shown = {
    ...chosen,
    ...(wanted.by && { by: wanted.by }),
    compare: wanted.compare ?? 'none',
    granularity: wanted.days <= 7 ? wanted.granularity : '',
  }
  return (
    <>
      <PageHead
        title="Analytics"
        tab={`${wanted.metric.label} · Analytics`}
        acts={
          <SegmentedControl
            aria-label="Period"
            data={ranges.map(({ value, label }) => ({ value, label }))}
            value={ranges.find(({ days }) => days === wanted.days)!.value}
            onChange={range => show({ ...chosen, range, granularity: '' })}
          />
        }
      />
      <TabLinks
        label="What is counted"
        to="/analytics"
        tabs={Object.entries(metrics).map(([name, { label }]) => ({
          name: label,
          search: { ...chosen, metric: name, by: '', currency: '' },
          isCurrent: name === wanted.name,
        }))}
      />
      <Filters
        filters={filtersOf(wanted)}
        chosen={shown}
        choose={(name, value) => show({ ...chosen, [name]: (name === 'compare' || name === 'by') && value === '' ? 'none' : value })}
      />
      <Loaded what="Analytics" asked={{ ...totals, refetch }}>
        {all => (
          <>
            <Totals wanted={wanted} of={of} show={currency => show({ ...chosen, currency })} />
            <div className="stack">
              <OverTime wanted={wanted} of={of} />
              {wanted.by && <Breakdown wanted={wanted} currency={of.currency} asked={groups} />}
            </div>
            {all && (
              <p className="faint after">
                Counted by the time at which payments were created, from {slotName(wanted.time_range.start_time, true, true)} on; complete
                until {exactly(all.complete_until)}.
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
