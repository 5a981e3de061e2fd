import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { LoadError } from '../../parts/load-error'
import { Status } from '../../parts/status'
import { Ago, Exact } from '../../parts/time'
import { healthWindows, useMerchant } from '../../queries'

type Health = Schemas['AccountHealth']

/**
 * Returns the health of one account. It is part of the report on all accounts, which the list of accounts uses too.
 */
export function useHealth(merchant_connector_id: string, window: string) {
  const merchant_id = useMerchant()
  const { data, error, refetch } = useQuery({
    queryKey: ['connectors', 'health', merchant_id, window],
    queryFn: () =>
      answer(GET('/account/{merchant_id}/connectors/health', { params: { path: { merchant_id }, query: { window: window as '24h' } } })),
    placeholderData: before => before,
  })
  return {
    of: data?.data.find(one => one.merchant_connector_id === merchant_connector_id),
    isLoaded: data !== undefined,
    error,
    again: () => void refetch(),
    window,
  }
}

const rateOf = ({ success_rate, decided }: Pick<Health, 'success_rate' | 'decided'>): string =>
  success_rate === null ? `unknown, of ${decided}` : `${success_rate.toFixed(1)} % of ${decided}`

function Bars({ series }: { series: Health['series'] }): ReactElement {
  const most = Math.max(1, ...series.map(({ payments }) => payments))
  const width = 720 / Math.max(1, series.length)
  return (
    <svg
      className="bars-over-time"
      viewBox="0 0 720 120"
      preserveAspectRatio="none"
      role="img"
      aria-label="Attempts over time; the table says each"
    >
      <path d="M0 119.5H720" stroke="var(--line-2)" />
      {series.map(({ at, payments, success_rate }, n) => {
        const height = (payments / most) * 112
        const good = success_rate === null ? 1 : success_rate / 100
        return (
          <g key={at}>
            <rect x={n * width + 1} width={Math.max(1, width - 2)} y={119 - height} height={height} fill="var(--rest-fill)" />
            <rect x={n * width + 1} width={Math.max(1, width - 2)} y={119 - height * good} height={height * good} fill="var(--way-fill)" />
          </g>
        )
      })}
    </svg>
  )
}

function Series({ series }: { series: Health['series'] }): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
    <section className="tw" tabIndex={0} aria-label="Attempts over time">
      <table aria-label="Attempts over time">
        <thead>
          <tr>
            {['From', 'Attempts', 'Attempts authorized', 'p95 ms'].map((name, at) => (
              <th key={name} scope="col" className={at > 0 ? 'n' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(one => (
            <tr key={one.at}>
              <td>
                <Exact at={one.at} />
              </td>
              <td className="n num">{one.payments}</td>
              <td className="n num">{one.success_rate === null ? 'unknown' : `${one.success_rate.toFixed(1)} %`}</td>
              <td className="n num">{one.p95_ms ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Calls({ calls }: { calls: Health['calls'] }): ReactElement {
  return (
    <Panel title="Calls" hint="What the processor was asked, and how long it took">
      {calls.length === 0 ? (
        <p className="blank">It was not asked anything in this time.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw" tabIndex={0} aria-label="Calls by verb">
          <table aria-label="Calls by verb">
            <thead>
              <tr>
                {['Verb', 'Calls', 'p50 ms', 'p95 ms', 'Not answered', 'Not sent'].map((name, at) => (
                  <th key={name} scope="col" className={at > 0 ? 'n' : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {calls.map(one => (
                <tr key={one.verb}>
                  <td className="strong">{one.verb}</td>
                  <td className="n num">{one.count}</td>
                  <td className="n num">{one.p50_ms ?? '–'}</td>
                  <td className="n num">{one.p95_ms ?? '–'}</td>
                  <td className="n num">{one.unknown > 0 ? <span className="c-unknown">{one.unknown}</span> : 0}</td>
                  <td className="n num">{one.not_sent}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

type Props = ReturnType<typeof useHealth> & { merchant_connector_id: string }

/** Shows the health of an account over time: attempts, the authorized share, answer times, and the circuit breaker. */
export function HealthTab({ of, isLoaded, error, again, window, merchant_connector_id }: Props): ReactElement | null {
  const navigate = useNavigate()
  const [asTable, setAsTable] = useState(false)
  if (error && !isLoaded) return <LoadError what="Health" error={error} retry={again} />
  if (of === undefined) return isLoaded ? <p className="blank">No such connector account here. It may be of another merchant.</p> : null
  const figures = [
    ['Attempts', of.payments.toLocaleString('en')],
    ['Attempts authorized', rateOf(of)],
    ['Breaker', <Status key="breaker" status={of.breaker.state} />],
    ['Since', <Ago key="since" at={of.breaker.since} />],
    ['Last webhook', <Ago key="webhook" at={of.last_webhook_at} />],
  ] as const
  return (
    <div className="stack">
      <Panel
        title="Over time"
        hint="Blue: authorized"
        acts={
          <>
            <SegmentedControl
              size="xs"
              aria-label="Shown as"
              data={['Chart', 'Table']}
              value={asTable ? 'Table' : 'Chart'}
              onChange={value => setAsTable(value === 'Table')}
            />
            <SegmentedControl
              size="xs"
              aria-label="Period"
              data={healthWindows}
              value={window}
              onChange={value =>
                void navigate({ to: '/connectors/$merchant_connector_id', params: { merchant_connector_id }, search: { window: value } })
              }
            />
          </>
        }
      >
        <div className="in">
          <dl className="figures">
            {figures.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        {asTable ? (
          <Series series={of.series} />
        ) : (
          <div className="in">
            <Bars series={of.series} />
          </div>
        )}
      </Panel>
      <Calls calls={of.calls} />
    </div>
  )
}
