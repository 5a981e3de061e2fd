import { Button, SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense } from 'react'
import type { Schemas } from '../api'
import type { Chosen } from '../list-address'
import { Lost } from '../parts/cells'
import { Spark } from '../parts/chart'
import { EmptyState } from '../parts/empty-state'
import { Id } from '../parts/id'
import { Loaded } from '../parts/loaded'
import { PageHead } from '../parts/page-head'
import { Status } from '../parts/status'
import { Table } from '../parts/table'
import { Ago, Due } from '../parts/time'
import { healthWindows, useAccountHealth, useAccounts, useCatalogue, useMerchant } from '../queries'
import { usePermission } from '../session'
import { Catalogue } from './connectors/catalogue'

const NewAccount = lazy(() => import('./connectors/new-account'))

type Account = Schemas['AccountHealth']

function Breaker({ of: { state, next_try_at } }: { of: Account['breaker'] }): ReactElement {
  return (
    <>
      <Status status={state} />
      {next_try_at && (
        <span className="faint">
          {' '}
          tried <Due at={next_try_at} />
        </span>
      )}
    </>
  )
}

/** Returns the account's calls of the verb `authorize`, which most payments wait for. */
const authorizing = ({ calls }: Account) => calls.find(({ verb }) => verb === 'authorize')

function Accounts({ accounts }: { accounts: readonly Account[] | undefined }): ReactElement {
  const { data: listed } = useAccounts()
  const disabled = new Set(listed?.filter(one => one.disabled).map(one => one.merchant_connector_id))
  return (
    <div className="panel">
      <Table
        title="Connector accounts"
        rows={accounts}
        keyOf={({ merchant_connector_id }) => merchant_connector_id}
        columns={[
          {
            name: 'Account',
            cell: ({ merchant_connector_id, connector_label, connector_name }) => (
              <>
                <Link to="/connectors/$merchant_connector_id" params={{ merchant_connector_id }} className="row-link strong">
                  {connector_label ?? merchant_connector_id}
                </Link>{' '}
                <span className="muted">{connector_name}</span>{' '}
                {disabled.has(merchant_connector_id) && <span className="tag">disabled</span>}
              </>
            ),
          },
          { name: 'Breaker', cell: ({ breaker }) => <Breaker of={breaker} /> },
          { name: 'Attempts', right: true, look: 'num', cell: ({ payments }) => payments.toLocaleString('en') },
          {
            name: 'Attempts authorized',
            right: true,
            look: 'num',
            cell: ({ success_rate, decided }) =>
              success_rate === null ? (
                <span className="faint">unknown{decided > 0 && ` of ${decided}`}</span>
              ) : (
                `${success_rate.toFixed(1)} %`
              ),
          },
          { name: 'Over time', wide: true, cell: ({ series }) => <Spark values={series.map(({ payments }) => payments)} /> },
          { name: 'p50 ms', right: true, look: 'num', cell: account => authorizing(account)?.p50_ms ?? '–' },
          { name: 'p95 ms', right: true, look: 'num', cell: account => authorizing(account)?.p95_ms ?? '–' },
          {
            name: 'Not answered',
            right: true,
            look: 'num',
            cell: ({ calls }) => <Lost count={calls.reduce((all, { unknown }) => all + unknown, 0)} />,
          },
          { name: 'Last webhook', wide: true, cell: ({ last_webhook_at }) => <Ago at={last_webhook_at} /> },
          { name: 'Id', wide: true, cell: ({ merchant_connector_id }) => <Id id={merchant_connector_id} short /> },
        ]}
      />
    </div>
  )
}

const first = (merchant_id: string): string =>
  `curl ${location.origin}/account/${merchant_id}/connectors -H "api-key: snd_…" -H "content-type: application/json" \\
  -d '{"connector_type": "payment_processor", "connector_name": "phonypay", "connector_account_details": {"auth_type": "HeaderKey", "api_key": "sandbox_shop"}}'`

export default function Connectors(): ReactElement {
  const { window = '24h', add } = useSearch({ strict: false }) as Chosen
  const merchant_id = useMerchant()
  const navigate = useNavigate()
  const mayAdd = usePermission()('connectors:write')
  const { data: catalogue } = useCatalogue()
  const asked = useAccountHealth(window)
  const entry = mayAdd ? catalogue?.find(({ name, also_called }) => name === add || also_called.includes(add ?? '')) : undefined
  return (
    <>
      <PageHead
        title="Connectors"
        acts={
          <>
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
          </>
        }
      />
      <div className={entry ? 'with-form' : 'stack'}>
        <div className="stack">
          <Loaded what="Connectors" asked={asked}>
            {page =>
              page?.size === 0 ? (
                <div className="panel">
                  <EmptyState
                    clear={null}
                    title="No processor yet: nothing can be paid."
                    hint={mayAdd ? 'Choose one of the catalogue; phonypay is the sandbox.' : 'Owners and admins can add one.'}
                    curl={first(merchant_id)}
                  />
                </div>
              ) : (
                <Accounts accounts={page?.data} />
              )
            }
          </Loaded>
          {mayAdd && <Catalogue chosen={entry?.name} window={window} />}
        </div>
        <Suspense>{entry && <NewAccount key={entry.name} entry={entry} window={window} />}</Suspense>
      </div>
    </>
  )
}
