import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { answer, GET, POST, type Schemas } from '../api'
import { percent, plural } from '../format'
import { useLiveFigures } from '../live'
import { Chart } from '../parts/chart'
import { Panel } from '../parts/details'
import type { Chosen } from '../parts/filters'
import { pageOf } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { formatAmount, Money, withCurrency } from '../parts/money'
import { StatusMark } from '../parts/status'
import { Ago, Due } from '../parts/time'
import { useLabels } from '../queries'
import { Asked } from './home/asked'

const HOUR = 3_600_000
const ranges = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
]

/** Returns the start of a period, by the day of the browser's time zone. */
function startOf(range: string): string {
  if (range === 'today') return new Date(new Date().setHours(0, 0, 0, 0)).toISOString()
  const days = range === '7d' ? 7 : 30
  return new Date(Math.floor((Date.now() - days * 24 * HOUR) / HOUR) * HOUR).toISOString()
}

/** Returns the filter of a list that has the payments of a period. */
const filterOf = (range: string): Chosen => (range === 'today' ? { start_time: startOf(range) } : { days: range === '7d' ? '7' : '30' })

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

/** Returns the amounts in one currency by the start of their hour or day. */
const amountsAt = (data: ReturnType<typeof useSeries>['data'], currency: string | undefined): Map<number, number> =>
  new Map(
    (data?.data ?? []).map(({ at, captured }) => [
      new Date(at).getTime(),
      captured?.amounts.find(one => one.currency === currency)?.amount ?? 0,
    ]),
  )

type Amounts = readonly { currency: string; amount: number }[]
type AttentionList = Schemas['AttentionList']
type Item = Schemas['AnalyticsBreakdownItem']
type Attention = Schemas['Attention']

const useFigures = (range: string, group_by: string[]) => {
  const start_time = startOf(range)
  return useQuery({
    queryKey: ['analytics', start_time, group_by],
    queryFn: () =>
      answer(
        POST('/analytics/breakdown', {
          body: { time_range: { start_time }, group_by } as Schemas['AnalyticsBreakdownRequest'],
        }),
      ),
  })
}

/** Shows the largest amount, and the others beneath it. Amounts of several currencies are never added up. */
function Amount({ amounts }: { amounts: Amounts }): ReactElement {
  const [first, ...others] = amounts
  if (first === undefined) return <p className="figure">0</p>
  return (
    <>
      <p className="figure">
        {formatAmount(first.amount, first.currency)} <i>{first.currency}</i>
      </p>
      {others.length > 0 && (
        <p className="muted">
          {others
            .slice(0, 2)
            .map(({ amount, currency }) => withCurrency(amount, currency))
            .join(' · ')}
          {others.length > 2 && ` · ${others.length - 2} more`}
        </p>
      )}
    </>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <h2>{name}</h2>
      {children}
    </div>
  )
}

function Figures({
  item,
  range,
  attention,
}: {
  item: Item | undefined
  range: string
  attention: AttentionList | undefined
}): ReactElement {
  const unknown = attention?.unknown
  const isGivenUp = attention?.data.some(({ kind }) => kind === 'payment_unresolved')
  return (
    <div className="five">
      <Figure name="Captured">
        <Amount amounts={item?.captured?.amounts ?? []} />
        <p className="muted">{plural(item?.captured?.payments ?? 0, 'payment')}</p>
      </Figure>
      <Figure name="Payments authorized">
        <p className="figure">{percent(item?.rate)}</p>
        <p className="muted">
          {(item?.authorized ?? 0).toLocaleString('en')} of {plural(item?.decided ?? 0, 'decided payment')}
        </p>
      </Figure>
      <Figure name="Saved by another attempt">
        <p className="figure">{(item?.saved_by_retry?.payments ?? 0).toLocaleString('en')}</p>
        <p className="muted">payments that one processor had refused</p>
      </Figure>
      <Figure name="Held, to be captured">
        <Amount amounts={item?.held?.amounts ?? []} />
        <p className="muted">
          <Link to="/payments" search={{ status: 'requires_capture', ...filterOf(range) }} className="link">
            {plural(item?.held?.payments ?? 0, 'payment')}
          </Link>
        </p>
      </Figure>
      <Figure name="Not certain yet">
        <p className="figure">{unknown?.operations ?? 0}</p>
        <p className="muted">
          {unknown?.next_ask_at ? (
            <>
              asked next <Due at={unknown.next_ask_at} />
            </>
          ) : (
            `nothing waits for a processor’s answer${isGivenUp ? ', but some never came' : ''}`
          )}
        </p>
      </Figure>
    </div>
  )
}

const placeOf = ({ object_kind, object_id, payment_id }: Attention): string =>
  object_kind === 'approval'
    ? '/approvals'
    : object_kind === 'payment' || object_kind === 'dispute'
      ? (pageOf(object_id) ?? `/payments/${payment_id ?? object_id}`)
      : object_kind === 'refund'
        ? `/refunds/${object_id}`
        : object_kind === 'connector_account'
          ? '/connectors'
          : object_kind === 'webhook_endpoint'
            ? `/developers/webhooks?endpoint_id=${object_id}`
            : '/developers/keys'

function NeedsPerson({ data, error, again }: { data: Schemas['AttentionList'] | undefined; error: unknown; again(): void }): ReactElement {
  return (
    <Panel title="Needs attention" hint={data && `${data.size}${data.has_more ? ' and more' : ''}`}>
      {error && data === undefined ? (
        <div className="in">
          <LoadError what="What needs attention" error={error} retry={again} />
        </div>
      ) : data?.size === 0 ? (
        <p className="blank">Nothing needs attention.</p>
      ) : (
        <ul className="needs">
          {data?.data.map(one => (
            <li key={`${one.kind} ${one.object_id}`}>
              <Link to={placeOf(one)}>
                <StatusMark family={one.severity === 'high' ? 'no' : 'person'} size={16} />
                <span className="grow">
                  <span className="strong">
                    {one.amount !== null && one.currency !== null && `${withCurrency(one.amount, one.currency)} `}
                    {one.kind.replaceAll('_', ' ')}
                  </span>
                  <span className="muted cut-block">
                    {one.message} {one.code && `(${one.code})`}
                  </span>
                </span>
                <span className="faint">
                  {one.due ? (
                    <>
                      due <Due at={one.due} />
                    </>
                  ) : (
                    <Ago at={one.since} />
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function ByAccount({ items }: { items: readonly Item[] }): ReactElement {
  const labelOf = useLabels()
  return (
    <Panel title="By processor account">
      {items.length === 0 ? (
        <p className="blank">No payment was sent to a processor in this period.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw" tabIndex={0} aria-label="By processor account, in a table">
          <table aria-label="By processor account">
            <thead>
              <tr>
                {['Account', 'Attempts', 'Attempts authorized', 'Captured', 'p50', 'p95'].map((name, at) => (
                  <th key={name} scope="col" className={at > 0 ? 'n' : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map(item => {
                const [first] = item.captured?.amounts ?? []
                return (
                  <tr key={item.key.merchant_connector_id}>
                    <td className="strong">{labelOf(item.key.merchant_connector_id, item.key.merchant_connector_id ?? 'none')}</td>
                    <td className="n num">{(item.attempts?.decided ?? 0).toLocaleString('en')}</td>
                    <td className="n num">{percent(item.attempts?.rate)}</td>
                    <td className="n">
                      {first ? <Money amount={first.amount} currency={first.currency} /> : <span className="faint">–</span>}
                      {(item.captured?.amounts.length ?? 0) > 1 && <span className="faint"> +{item.captured!.amounts.length - 1}</span>}
                    </td>
                    <td className="n num">{item.latency?.p50_ms ?? '–'} ms</td>
                    <td className="n num">{item.latency?.p95_ms ?? '–'} ms</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

function WhyDeclined({ items }: { items: readonly Item[] }): ReactElement {
  const declined = items
    .filter(({ key, attempts }) => key.error_code && (attempts?.declined ?? 0) > 0)
    .toSorted((a, b) => (b.attempts?.declined ?? 0) - (a.attempts?.declined ?? 0))
  const most = declined[0]?.attempts?.declined ?? 1
  return (
    <Panel
      title="Why attempts were declined"
      hint={declined.reduce((all, one) => all + (one.attempts?.declined ?? 0), 0).toLocaleString('en')}
    >
      {declined.length === 0 ? (
        <p className="blank">Nothing was declined.</p>
      ) : (
        <dl className="bars">
          {declined.slice(0, 8).map(({ key, attempts: { declined: count = 0 } = {} }) => (
            <div key={key.error_code}>
              <dt className="mono cut">{key.error_code}</dt>
              <dd>
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect width="100" height="6" fill="var(--line)" />
                  <rect width={(count / most) * 100} height="6" fill="var(--text-3)" />
                </svg>
                <span className="num">{count}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}

export default function Home(): ReactElement {
  const { range = 'today' } = useSearch({ strict: false }) as Chosen
  const navigate = useNavigate()
  useLiveFigures('analytics')
  const [asTable, setAsTable] = useState(false)
  const all = useFigures(range, [])
  const accounts = useFigures(range, ['merchant_connector_id'])
  const codes = useFigures(range, ['error_code'])
  const attention = useQuery({ queryKey: ['attention'], queryFn: () => answer(GET('/attention', { params: { query: { limit: 6 } } })) })
  const start_time = startOf(range)
  const byHour = range === 'today'
  const series = useSeries(start_time, byHour ? 'hour' : 'day')
  const begins = new Date(start_time).getTime()
  const weekBefore = useSeries(
    new Date(begins - WEEK).toISOString(),
    byHour ? 'hour' : 'day',
    new Date(begins - WEEK + 24 * HOUR).toISOString(),
  )
  useEffect(() => {
    document.title = 'Home · Switchyard'
  }, [])
  const [total] = all.data?.data ?? []
  const currency = total?.captured?.amounts[0]?.currency
  const [found, before] = [amountsAt(series.data, currency), amountsAt(weekBefore.data, currency)]
  const slots = slotsOf(start_time, byHour)
  const lines = [
    { name: 'Captured', is: 'now' as const, values: slots.map(at => found.get(at) ?? 0) },
    ...(byHour ? [{ name: 'A week before', is: 'before' as const, values: slots.map(at => before.get(at - WEEK) ?? 0) }] : []),
  ]
  return (
    <>
      <div className="head">
        <h1>Home</h1>
        <div className="acts">
          <SegmentedControl
            aria-label="Period"
            data={ranges}
            value={range}
            onChange={value => void navigate({ to: '/', search: { range: value === 'today' ? '' : value } })}
          />
        </div>
      </div>
      {all.error ? (
        <LoadError what="Figures" error={all.error} retry={() => void all.refetch()} />
      ) : all.data === undefined ? (
        <div className="five waits-here" aria-busy="true" />
      ) : (
        <Figures item={total} range={range} attention={attention.data} />
      )}
      <div className="two">
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
          ) : all.data === undefined ? (
            <div className="in waits-here" aria-busy="true" />
          ) : (
            <p className="blank">Nothing was captured in this period.</p>
          )}
        </Panel>
        <NeedsPerson data={attention.data} error={attention.error} again={() => void attention.refetch()} />
      </div>
      <div className="two">
        <Asked title="By processor account" query={accounts}>
          {items => <ByAccount items={items} />}
        </Asked>
        <Asked title="Why attempts were declined" query={codes}>
          {items => <WhyDeclined items={items} />}
        </Asked>
      </div>
    </>
  )
}
