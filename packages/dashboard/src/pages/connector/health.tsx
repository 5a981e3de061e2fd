import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import type { Schemas } from '../../api'
import { Lost } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { type Asked, Loaded } from '../../parts/loaded'
import { Status } from '../../parts/status'
import { Table } from '../../parts/table'
import { Ago, Exact } from '../../parts/time'
import { healthWindows } from '../../queries'

type Health = Schemas['AccountHealth']

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
    <Table
      title="Attempts over time"
      rows={series}
      keyOf={({ at }) => at}
      columns={[
        { name: 'From', cell: ({ at }) => <Exact at={at} /> },
        { name: 'Attempts', right: true, look: 'num', cell: ({ payments }) => payments },
        {
          name: 'Attempts authorized',
          right: true,
          look: 'num',
          cell: ({ success_rate }) => (success_rate === null ? 'unknown' : `${success_rate.toFixed(1)} %`),
        },
        { name: 'p95 ms', right: true, look: 'num', cell: ({ p95_ms }) => p95_ms ?? '–' },
      ]}
    />
  )
}

function Calls({ calls }: { calls: Health['calls'] }): ReactElement {
  return (
    <Panel title="Calls" hint="What the processor was asked, and how long it took">
      {calls.length === 0 ? (
        <p className="blank">It was not asked anything in this time.</p>
      ) : (
        <Table
          title="Calls by verb"
          rows={calls}
          keyOf={({ verb }) => verb}
          columns={[
            { name: 'Verb', look: 'strong', cell: ({ verb }) => verb },
            { name: 'Calls', right: true, look: 'num', cell: ({ count }) => count },
            { name: 'p50 ms', right: true, look: 'num', cell: ({ p50_ms }) => p50_ms ?? '–' },
            { name: 'p95 ms', right: true, look: 'num', cell: ({ p95_ms }) => p95_ms ?? '–' },
            { name: 'Not answered', right: true, look: 'num', cell: ({ unknown }) => <Lost count={unknown} /> },
            { name: 'Not sent', right: true, look: 'num', cell: ({ not_sent }) => not_sent },
          ]}
        />
      )}
    </Panel>
  )
}

type Props = { asked: Asked<Health | null>; window: string; merchant_connector_id: string }

/** Shows the health of an account over time: attempts, the authorized share, answer times, and the circuit breaker. */
export function HealthTab({ asked, ...at }: Props): ReactElement {
  return (
    <Loaded what="Health" asked={asked}>
      {health =>
        health === null ? (
          <p className="blank">No such connector account here. It may be of another merchant.</p>
        ) : (
          health && <HealthOf of={health} {...at} />
        )
      }
    </Loaded>
  )
}

function HealthOf({ of, window, merchant_connector_id }: Omit<Props, 'asked'> & { of: Health }): ReactElement {
  const navigate = useNavigate()
  const [asTable, setAsTable] = useState(false)
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
