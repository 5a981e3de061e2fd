import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { answer, GET, type Schemas } from '../interface'
import { Spark } from '../parts/chart'
import { Failed } from '../parts/failed'
import type { Chosen } from '../parts/filters'
import { Id } from '../parts/id'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { useSession } from '../session'

type Account = Schemas['AccountHealth']

const windows = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
]

/** Of the calls by which money is taken: most payments wait for those. */
const authorizing = ({ calls }: Account) => calls.find(({ verb }) => verb === 'authorize')

function Row({ account }: { account: Account }): ReactElement {
  const { success_rate, breaker, decided } = account
  const call = authorizing(account)
  const lost = account.calls.reduce((all, { unknown }) => all + unknown, 0)
  return (
    <tr>
      <td>
        <b className="strong">{account.connector_label ?? account.merchant_connector_id}</b>{' '}
        <span className="muted">{account.connector_name}</span>
      </td>
      <td>
        <Status status={breaker.state} />
        {breaker.next_try_at && (
          <span className="faint">
            {' '}
            tried <Ago at={breaker.next_try_at} />
          </span>
        )}
      </td>
      <td className="n num">{account.payments.toLocaleString('en')}</td>
      <td className="n num">
        {success_rate === null ? <span className="faint">unknown{decided > 0 && ` of ${decided}`}</span> : `${success_rate.toFixed(1)} %`}
      </td>
      <td className="wide">
        <Spark values={account.series.map(({ payments }) => payments)} />
      </td>
      <td className="n num">{call?.p50_ms ?? '–'}</td>
      <td className="n num">{call?.p95_ms ?? '–'}</td>
      <td className="n num">{lost > 0 ? <span className="c-unknown">{lost}</span> : '0'}</td>
      <td className="wide">
        <Ago at={account.last_webhook_at} />
      </td>
      <td className="wide">
        <Id id={account.merchant_connector_id} short />
      </td>
    </tr>
  )
}

const columns: readonly (readonly [name: string, className?: string])[] = [
  ['Account'],
  ['Breaker'],
  ['Payments', 'n'],
  ['Authorized', 'n'],
  ['Over time', 'wide'],
  ['p50 ms', 'n'],
  ['p95 ms', 'n'],
  ['Not answered', 'n'],
  ['Last webhook', 'wide'],
  ['Id', 'wide'],
]

export default function Connectors(): ReactElement {
  const { window = '24h' } = useSearch({ strict: false }) as Chosen
  const merchant_id = useSession().user?.merchant_id ?? ''
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ['connectors', 'health', merchant_id, window],
    queryFn: () =>
      answer(GET('/account/{merchant_id}/connectors/health', { params: { path: { merchant_id }, query: { window: window as '24h' } } })),
    placeholderData: before => before,
  })
  useEffect(() => {
    document.title = 'Connectors · Switchyard'
  }, [])
  return (
    <>
      <div className="head">
        <h1>Connectors</h1>
        <div className="acts">
          <SegmentedControl
            aria-label="Period"
            data={windows}
            value={window}
            onChange={value => void navigate({ to: '/connectors', search: { window: value } })}
          />
        </div>
      </div>
      {error && data === undefined ? (
        <Failed what="Connectors" error={error} again={() => void refetch()} />
      ) : data?.size === 0 ? (
        <div className="panel">
          <div className="blank">
            <h2>No processor yet: nothing can be paid.</h2>
            <p>POST /account/{merchant_id}/connectors adds one.</p>
          </div>
        </div>
      ) : (
        <div className="panel">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
          <section className="tw" tabIndex={0} aria-label="Connector accounts">
            <table aria-label="Connector accounts">
              <thead>
                <tr>
                  {columns.map(([name, className]) => (
                    <th key={name} scope="col" className={className}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data?.data.map(account => (
                  <Row key={account.merchant_connector_id} account={account} />
                ))}
              </tbody>
            </table>
          </section>
        </div>
      )}
    </>
  )
}
