import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, POST } from '../../api'
import { Chart } from '../../parts/chart'
import { Panel } from '../../parts/details'
import { formatAmount } from '../../parts/money'
import { HOUR, startOf } from './period'

/**
 * Returns the start of each hour of the day, or of each day from `start` until now, as the service counts them: whole
 * hours, days in UTC.
 */
function slotsOf(start: string, byHour: boolean): number[] {
  const step = byHour ? HOUR : 24 * HOUR
  const first = Math.floor(new Date(start).getTime() / step) * step
  const count = byHour ? 24 : Math.max(1, Math.floor((Date.now() - first) / step) + 1)
  return Array.from({ length: count }, (_, i) => first + i * step)
}

const WEEK = 7 * 24 * HOUR

/** Queries the captured amounts for each hour or day from `start_time` until `end_time`, or until now. */
const useSeries = (start_time: string, granularity: 'hour' | 'day', end_time?: string) =>
  useQuery({
    queryKey: ['analytics', 'series', start_time, end_time],
    queryFn: () =>
      answer(
        POST('/analytics/series', {
          body: { time_range: { start_time, ...(end_time !== undefined && { end_time }) }, granularity, metrics: ['captured'] },
        }),
      ),
  })

const amountsAt = (data: ReturnType<typeof useSeries>['data'], currency: string | undefined): Map<number, number> =>
  new Map(
    (data?.data ?? []).map(({ at, captured }) => [
      new Date(at).getTime(),
      captured?.amounts.find(one => one.currency === currency)?.amount ?? 0,
    ]),
  )

type Props = { range: string; currency: string | undefined; isLoaded: boolean }

/** Shows what was captured over time, in the currency with the largest amount; today beside the same day last week. */
export function CapturedPanel({ range, currency, isLoaded }: Props): ReactElement {
  const [asTable, setAsTable] = useState(false)
  const start_time = startOf(range)
  const byHour = range === 'today'
  const granularity = byHour ? 'hour' : 'day'
  const begins = new Date(start_time).getTime() - WEEK
  const series = useSeries(start_time, granularity)
  const weekBefore = useSeries(new Date(begins).toISOString(), granularity, new Date(begins + 24 * HOUR).toISOString())
  const [found, before] = [amountsAt(series.data, currency), amountsAt(weekBefore.data, currency)]
  const slots = slotsOf(start_time, byHour)
  const lines = [
    { name: 'Captured', is: 'now' as const, values: slots.map(at => found.get(at) ?? 0) },
    ...(byHour ? [{ name: 'A week before', is: 'before' as const, values: slots.map(at => before.get(at - WEEK) ?? 0) }] : []),
  ]
  return (
    <Panel
      title={byHour ? 'Captured per hour' : 'Captured per day'}
      hint={currency}
      acts={
        <Button variant="default" size="xs" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
    >
      {currency ? (
        <Chart
          what={`Captured in ${currency}`}
          at={slots.map(at => new Date(at).toISOString())}
          byHour={byHour}
          lines={lines}
          draw="columns"
          format={amount => formatAmount(Math.round(amount), currency)}
          missing="unknown"
          asTable={asTable}
        />
      ) : isLoaded ? (
        <p className="blank">Nothing was captured in this period.</p>
      ) : (
        <div className="in waits-here" aria-busy="true" />
      )}
    </Panel>
  )
}
