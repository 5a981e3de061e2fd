import { healthWindows, useAccounts, useCatalogue } from '../queries'
import './settings.css'
import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect } from 'react'
import { answer, GET, type Schemas } from '../api'
import { Spark } from '../parts/chart'
import type { Chosen } from '../parts/filters'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Status } from '../parts/status'
import { Ago, Due } from '../parts/time'
import { usePermission, useSession } from '../session'
import { Catalogue } from './connectors/catalogue'

const NewAccount = lazy(() => import('./connectors/new-account'))

type Account = Schemas['AccountHealth']

/** Returns the account's calls of the verb `authorize`, which most payments wait for. */
const authorizing = ({ calls }: Account) => calls.find(({ verb }) => verb === 'authorize')

function Row({ account, isDisabled }: { account: Account; isDisabled: boolean }): ReactElement {
  const { success_rate, breaker, decided } = account
  const call = authorizing(account)
  const lost = account.calls.reduce((all, { unknown }) => all + unknown, 0)
  return (
    <tr>
      <td>
        <Link
          to="/connectors/$merchant_connector_id"
          params={{ merchant_connector_id: account.merchant_connector_id }}
          className="row-link strong"
        >
          {account.connector_label ?? account.merchant_connector_id}
        </Link>{' '}
        <span className="muted">{account.connector_name}</span> {isDisabled && <span className="tag">disabled</span>}
      </td>
      <td>
        <Status status={breaker.state} />
        {breaker.next_try_at && (
          <span className="faint">
            {' '}
            tried <Due at={breaker.next_try_at} />
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
  ['Attempts', 'n'],
  ['Attempts authorized', 'n'],
  ['Over time', 'wide'],
  ['p50 ms', 'n'],
  ['p95 ms', 'n'],
  ['Not answered', 'n'],
  ['Last webhook', 'wide'],
  ['Id', 'wide'],
]

function Accounts({ accounts }: { accounts: readonly Account[] | undefined }): ReactElement {
  const { data: listed } = useAccounts()
  const disabled = new Set(listed?.filter(one => one.disabled).map(one => one.merchant_connector_id))
  return (
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
            {accounts?.map(account => (
              <Row key={account.merchant_connector_id} account={account} isDisabled={disabled.has(account.merchant_connector_id)} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

const first = (merchant_id: string): string =>
  `curl ${location.origin}/account/${merchant_id}/connectors -H "api-key: snd_…" -H "content-type: application/json" \\
  -d '{"connector_type": "payment_processor", "connector_name": "phonypay", "connector_account_details": {"auth_type": "HeaderKey", "api_key": "sandbox_shop"}}'`

export default function Connectors(): ReactElement {
  const { window = '24h', add } = useSearch({ strict: false }) as Chosen
  const merchant_id = useSession().user?.merchant_id ?? ''
  const navigate = useNavigate()
  const mayAdd = usePermission()('connectors:write')
  const { data: catalogue } = useCatalogue()
  const { data, error, refetch } = useQuery({
    queryKey: ['connectors', 'health', merchant_id, window],
    queryFn: () =>
      answer(GET('/account/{merchant_id}/connectors/health', { params: { path: { merchant_id }, query: { window: window as '24h' } } })),
    placeholderData: before => before,
  })
  useEffect(() => {
    document.title = 'Connectors · Switchyard'
  }, [])
  const entry = mayAdd ? catalogue?.find(({ name, also_called }) => name === add || also_called.includes(add ?? '')) : undefined
  return (
    <>
      <div className="head">
        <h1>Connectors</h1>
        <div className="acts">
          <SegmentedControl
            aria-label="Period"
            data={healthWindows}
            value={window}
            onChange={value => void navigate({ to: '/connectors', search: { window: value } })}
          />
          <Link to="/routing" search={{ tab: 'fallback' }} className="link">
            Fallback order
          </Link>
          {!mayAdd && (
            <Button disabled title="Your role does not change connector accounts.">
              Add an account
            </Button>
          )}
        </div>
      </div>
      <div className={entry ? 'with-form' : 'stack'}>
        <div className="stack">
          {error && data === undefined ? (
            <LoadError what="Connectors" error={error} retry={() => void refetch()} />
          ) : data?.size === 0 ? (
            <div className="panel">
              <div className="blank">
                <h2>No processor yet: nothing can be paid.</h2>
                <p>{mayAdd ? 'Choose one of the catalogue; phonypay is the sandbox.' : 'Owners and admins can add one.'}</p>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
                <pre tabIndex={0}>{first(merchant_id)}</pre>
              </div>
            </div>
          ) : (
            <Accounts accounts={data?.data} />
          )}
          {mayAdd && <Catalogue chosen={entry?.name} window={window} />}
        </div>
        <Suspense>{entry && <NewAccount key={entry.name} entry={entry} window={window} />}</Suspense>
      </div>
    </>
  )
}
