import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET } from '../api'
import type { Chosen } from '../list-address'
import { Id } from '../parts/id'
import { Loaded, partOf } from '../parts/loaded'
import { useTitle } from '../parts/page-head'
import { Status } from '../parts/status'
import { TabLinks } from '../parts/tabs'
import { type Account, useAccountHealth, useMerchant } from '../queries'
import { usePermission } from '../session'
import { CredentialsTab } from './connector/credentials'
import type { AccountDialog } from './connector/dialogs'
import { HealthTab } from './connector/health'
import { MethodsTab } from './connector/methods'
import { WebhookTab } from './connector/webhook'

const Dialogs = lazy(() => import('./connector/dialogs'))

const tabs = [
  { tab: 'health', name: 'Health' },
  { tab: 'methods', name: 'Payment methods' },
  { tab: 'credentials', name: 'Credentials' },
  { tab: 'webhook', name: 'Webhook' },
] as const

type HeadProps = { account: Account | undefined; name: string; connector: string | undefined; breaker: string | undefined }

function Head({ account, name, connector, breaker }: HeadProps): ReactElement {
  const mayWrite = usePermission()('connectors:write')
  const [asked, setAsked] = useState<AccountDialog | null>(null)
  const why = mayWrite ? undefined : 'Your role does not change connector accounts.'
  return (
    <>
      <div className="head">
        <div>
          <h1>{name}</h1>
          <div className="sub">
            <span>{connector}</span>
            {account?.disabled ? <Status status="disabled" pill /> : breaker && <Status status={breaker} pill />}
            {account && <span>{account.connector_type === 'payout_processor' ? 'pays out' : 'takes payments'}</span>}
            <Id id={account?.merchant_connector_id} />
          </div>
        </div>
        {account && (
          <div className="acts">
            <Button variant="default" disabled={!mayWrite} title={why} onClick={() => setAsked('delete')}>
              Delete…
            </Button>
            <Button variant="default" disabled={!mayWrite} title={why} onClick={() => setAsked('enable')}>
              {account.disabled ? 'Enable…' : 'Disable…'}
            </Button>
          </div>
        )}
      </div>
      <Suspense>{asked !== null && <Dialogs asked={asked} account={account!} close={() => setAsked(null)} />}</Suspense>
    </>
  )
}

export default function ConnectorAccount(): ReactElement {
  const { merchant_connector_id = '' } = useParams({ strict: false })
  const { window = '24h', tab: wanted } = useSearch({ strict: false }) as Chosen
  const merchant_id = useMerchant()
  const mayRead = usePermission()('connectors:read')
  const asked = useQuery({
    queryKey: ['connectors', 'account', merchant_connector_id],
    enabled: mayRead,
    queryFn: () => {
      const params = { path: { merchant_id, merchant_connector_id } }
      return answer(GET('/account/{merchant_id}/connectors/{merchant_connector_id}', { params }))
    },
  })
  const account = asked.data
  const healthAsked = partOf(
    useAccountHealth(window),
    ({ data }) => data.find(one => one.merchant_connector_id === merchant_connector_id) ?? null,
  )
  const health = healthAsked.data
  const name = account?.connector_label ?? health?.connector_label ?? merchant_connector_id
  useTitle(name)
  // Tabs that show settings are hidden from roles that may not read them.
  const shown = tabs.filter(({ tab }) => tab === 'health' || mayRead)
  const tab = shown.find(one => one.tab === wanted)?.tab ?? 'health'
  return (
    <Loaded what="connector account" asked={asked}>
      {() => (
        <>
          <Head
            account={account}
            name={name}
            connector={account?.connector_name ?? health?.connector_name}
            breaker={health?.breaker.state}
          />
          <TabLinks
            label="Parts of the account"
            to={`/connectors/${merchant_connector_id}`}
            tabs={shown.map(one => ({ name: one.name, search: { tab: one.tab }, isCurrent: one.tab === tab }))}
          />
          {tab === 'health' && <HealthTab asked={healthAsked} window={window} merchant_connector_id={merchant_connector_id} />}
          {account && tab === 'methods' && <MethodsTab key={merchant_connector_id} account={account} />}
          {account && tab === 'credentials' && <CredentialsTab key={merchant_connector_id} account={account} />}
          {account && tab === 'webhook' && <WebhookTab account={account} lastAt={health?.last_webhook_at ?? null} />}
        </>
      )}
    </Loaded>
  )
}
