import { type Account, useAccountChanged, useMerchant } from '../queries'
import './settings.css'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, DELETE, GET, POST } from '../api'
import type { Chosen } from '../parts/filters'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Status } from '../parts/status'
import { usePermission } from '../session'
import { CredentialsTab } from './connector/credentials'
import { HealthTab, useHealth } from './connector/health'
import { MethodsTab } from './connector/methods'
import { WebhookTab } from './connector/webhook'

const Confirm = lazy(() => import('../parts/confirm'))

const tabs = [
  { tab: 'health', name: 'Health' },
  { tab: 'methods', name: 'Payment methods' },
  { tab: 'credentials', name: 'Credentials' },
  { tab: 'webhook', name: 'Webhook' },
] as const

type AskProps = { account: Account; close(): void }

function Standing({ account, close }: AskProps): ReactElement {
  const merchant_id = useMerchant()
  const changed = useAccountChanged()
  const { merchant_connector_id, disabled, status } = account
  const name = account.connector_label ?? merchant_connector_id
  return (
    <Confirm
      title={disabled ? `Enable ${name}?` : `Disable ${name}?`}
      act={disabled ? 'Enable the account' : 'Disable the account'}
      acting={disabled ? 'Enabling…' : 'Disabling…'}
      keep="Leave it as it is"
      close={close}
      consequence={
        disabled ? (
          <p>
            <b className="strong">New payments can go to {name} again,</b> as rules and the fallback order say.
          </p>
        ) : (
          <p>
            <b className="strong">No new payment goes to {name}.</b> What was begun there goes on: captures, refunds, disputes and webhooks.
          </p>
        )
      }
      send={async key => {
        const params = { path: { merchant_id, merchant_connector_id }, header: { 'Idempotency-Key': key } }
        const body = {
          connector_type: account.connector_type as 'payment_processor',
          disabled: !disabled,
          ...(disabled && status === 'inactive' && { status: 'active' as const }),
        }
        await answer(POST('/account/{merchant_id}/connectors/{merchant_connector_id}', { params, body }))
        await changed()
      }}
    />
  )
}

function Delete({ account, close }: AskProps): ReactElement {
  const merchant_id = useMerchant()
  const changed = useAccountChanged()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { merchant_connector_id } = account
  const name = account.connector_label ?? merchant_connector_id
  return (
    <Confirm
      title={`Delete ${name}?`}
      act="Delete the account"
      acting="Deleting…"
      keep="Keep the account"
      close={close}
      consequence={
        typed === name ? (
          <p>
            <b className="strong">{name} is gone for new payments, and this cannot be undone.</b> Payments that were made there can still be
            captured and refunded. It is refused while an operation is unfinished there.
          </p>
        ) : null
      }
      send={async () => {
        await answer(
          DELETE('/account/{merchant_id}/connectors/{merchant_connector_id}', { params: { path: { merchant_id, merchant_connector_id } } }),
        )
        await navigate({ to: '/connectors' })
        await changed()
      }}
    >
      <TextInput
        label={`Type ${name} to delete it`}
        value={typed}
        autoComplete="off"
        onChange={event => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </Confirm>
  )
}

type HeadProps = { account: Account | undefined; name: string; connector: string | undefined; breaker: string | undefined }

function Head({ account, name, connector, breaker }: HeadProps): ReactElement {
  const mayWrite = usePermission()('connectors:write')
  const [asked, setAsked] = useState<'standing' | 'delete' | null>(null)
  const close = () => setAsked(null)
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
            <Button variant="default" disabled={!mayWrite} title={why} onClick={() => setAsked('standing')}>
              {account.disabled ? 'Enable…' : 'Disable…'}
            </Button>
          </div>
        )}
      </div>
      <Suspense>
        {asked === 'standing' && <Standing account={account!} close={close} />}
        {asked === 'delete' && <Delete account={account!} close={close} />}
      </Suspense>
    </>
  )
}

export default function ConnectorAccount(): ReactElement {
  const { merchant_connector_id = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false }) as Chosen
  const merchant_id = useMerchant()
  const mayRead = usePermission()('connectors:read')
  const {
    data: account,
    error,
    refetch,
  } = useQuery({
    queryKey: ['connectors', 'account', merchant_connector_id],
    enabled: mayRead,
    queryFn: () =>
      answer(
        GET('/account/{merchant_id}/connectors/{merchant_connector_id}', { params: { path: { merchant_id, merchant_connector_id } } }),
      ),
  })
  const health = useHealth(merchant_connector_id, search.window ?? '24h')
  const name = account?.connector_label ?? health.of?.connector_label ?? merchant_connector_id
  useEffect(() => {
    document.title = `${name} · Switchyard`
  }, [name])
  if (error && account === undefined) return <LoadError what="connector account" error={error} retry={() => void refetch()} />
  // Tabs that show settings are hidden from roles that may not read them.
  const shown = tabs.filter(({ tab }) => tab === 'health' || mayRead)
  const tab = shown.find(one => one.tab === search.tab)?.tab ?? 'health'
  return (
    <>
      <Head
        account={account}
        name={name}
        connector={account?.connector_name ?? health.of?.connector_name}
        breaker={health.of?.breaker.state}
      />
      <nav className="tabs" aria-label="Parts of the account">
        {shown.map(one => (
          <Link
            key={one.tab}
            to="/connectors/$merchant_connector_id"
            params={{ merchant_connector_id }}
            search={{ tab: one.tab }}
            activeOptions={{ exact: true }}
            aria-current={one.tab === tab ? 'page' : undefined}
          >
            {one.name}
          </Link>
        ))}
      </nav>
      {tab === 'health' && <HealthTab {...health} merchant_connector_id={merchant_connector_id} />}
      {account && tab === 'methods' && <MethodsTab key={merchant_connector_id} account={account} />}
      {account && tab === 'credentials' && <CredentialsTab key={merchant_connector_id} account={account} />}
      {account && tab === 'webhook' && <WebhookTab account={account} lastAt={health.of?.last_webhook_at ?? null} />}
    </>
  )
}
