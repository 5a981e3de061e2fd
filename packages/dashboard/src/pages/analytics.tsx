import { Button, SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactElement, useEffect, useState } from 'react'
import { Chart, type Line, slotName } from '../parts/chart'
import { saveCsv } from '../parts/csv'
import { Panel } from '../parts/details'
import { type Chosen, type Filter, Filters } from '../parts/filters'
import { LoadError } from '../parts/load-error'
import { formatAmount } from '../parts/money'
import { exactly } from '../parts/time'
import { useAccountIds, useChoices, useLabels } from '../queries'
import { Breakdown } from './analytics/breakdown'
import { change, facets, facetsOf, inFigures, type Metric, metrics, missing } from './analytics/metrics'
import { comparisons, ranges, slotsOf, useAnalytics, valuesAt, type Wanted, wantedOf } from './analytics/query'

/** Returns the filters that a metric accepts, by the interface's own names. */
function useFilters({ name, days, filters }: Wanted): Filter[] {
  const { data } = useChoices()
  const labelOf = useLabels()
  const fitting = facetsOf(name)
  const plain = (values: readonly string[] = []) => values.map(value => ({ value, label: value }))
  const choices: Partial<Record<string, { value: string; label: string }[]>> = {
    merchant_connector_id: useAccountIds().map(id => ({ value: id, label: labelOf(id, null) })),
    connector: plain(Object.keys(data?.connector ?? {})),
    payment_method: plain(data?.payment_method as string[] | undefined),
    card_network: plain(data?.card_network),
    currency: plain(data?.currency),
  }
  return [
    { name: 'by', label: 'By', kind: 'one of', choices: fitting.map(facet => ({ value: facet.name, label: facet.label.toLowerCase() })) },
    { name: 'compare', label: 'Compare with', kind: 'one of', choices: [...comparisons, { value: 'none', label: 'nothing' }] },
    ...(days <= 7
      ? [
          {
            name: 'granularity',
            label: 'In',
            kind: 'one of' as const,
            choices: [
              { value: 'hour', label: 'hours' },
              { value: 'day', label: 'days' },
            ],
          },
        ]
      : []),
    ...facets
      .filter(facet => fitting.includes(facet) || filters[facet.name])
      .filter(facet => !facet.name.endsWith('_code') || filters[facet.name])
      .map((facet): Filter => {
        const own = choices[facet.name]
        return own
          ? { name: facet.name, label: facet.label, kind: 'any of', choices: own }
          : { name: facet.name, label: facet.label, kind: 'text', hint: facet.name }
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
      {series.error && series.data === undefined ? (
        <div className="in">
          <LoadError what="Analytics" error={series.error} retry={() => void series.refetch()} />
        </div>
      ) : isEmpty ? (
        <p className="blank">{nothing}</p>
      ) : series.data === undefined ? (
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
      )}
    </Panel>
  )
}

export default function Analytics(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const navigate = useNavigate()
  const wanted = wantedOf(chosen)
  const of = useAnalytics(wanted, chosen.currency?.includes(',') ? undefined : chosen.currency)
  const filters = useFilters(wanted)
  const { totals, series, groups } = of
  // Every query that failed is repeated.
  const again = () => {
    for (const one of [totals, series, groups]) if (one.isError) void one.refetch()
  }
  useEffect(() => {
    document.title = `${wanted.metric.label} · Analytics · Switchyard`
  }, [wanted.metric.label])
  const show = (search: Chosen) => void navigate({ to: '/analytics', search })
  const shown = {
    ...chosen,
    ...(wanted.by && { by: wanted.by }),
    compare: wanted.compare ?? 'none',
    granularity: wanted.days <= 7 ? wanted.granularity : '',
  }
  return (
    <>
      <div className="head">
        <h1>Analytics</h1>
        <div className="acts">
          <SegmentedControl
            aria-label="Period"
            data={ranges.map(({ value, label }) => ({ value, label }))}
            value={ranges.find(({ days }) => days === wanted.days)!.value}
            onChange={range => show({ ...chosen, range, granularity: '' })}
          />
        </div>
      </div>
      <nav className="tabs" aria-label="What is counted">
        {Object.entries(metrics).map(([name, { label }]) => (
          <Link
            key={name}
            to="/analytics"
            search={{ ...chosen, metric: name, by: '', currency: '' }}
            aria-current={name === wanted.name ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Filters
        filters={filters}
        chosen={shown}
        choose={(name, value) => show({ ...chosen, [name]: (name === 'compare' || name === 'by') && value === '' ? 'none' : value })}
      />
      {totals.error && totals.data === undefined ? (
        <LoadError what="Analytics" error={totals.error} retry={again} />
      ) : (
        <>
          <Totals wanted={wanted} of={of} show={currency => show({ ...chosen, currency })} />
          <div className="stack">
            <OverTime wanted={wanted} of={of} />
            {wanted.by && (
              <Breakdown
                wanted={wanted}
                currency={of.currency}
                cells={groups.data?.data}
                compared={groups.data?.compared?.data}
                error={groups.error}
                isStale={groups.isPlaceholderData}
                again={() => void groups.refetch()}
              />
            )}
          </div>
          {totals.data && (
            <p className="faint after">
              Counted by the time at which payments were created, from {slotName(wanted.time_range.start_time, true, true)} on; complete
              until {exactly(totals.data.complete_until)}.
            </p>
          )}
        </>
      )}
    </>
  )
}
