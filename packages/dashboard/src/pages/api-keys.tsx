import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, DELETE, GET, POST, type Schemas } from '../api'
import { Panel } from '../parts/details'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { Choice, TextField } from '../parts/inputs'
import { Loaded } from '../parts/loaded'
import { ShownOnce } from '../parts/note'
import { PageHead } from '../parts/page-head'
import { useReauthentication } from '../parts/reauthentication'
import { Code } from '../parts/scrollable'
import { Table } from '../parts/table'
import { Ago, Exact } from '../parts/time'
import { useMerchant } from '../queries'
import { type Permission, usePermission, useSession } from '../session'

const Confirm = lazy(() => import('../parts/confirm'))

type Key = Schemas['ApiKey']

const FIRST = `curl ${location.origin}/payments -H "api-key: snd_…" -H "content-type: application/json" \\
  -d '{"amount": 24900, "currency": "EUR"}'`
const lasting = [
  { value: 'never', label: 'No end' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
]
const DAY = 86_400_000

/**
 * The choices of permissions for a new key, each a part of the permissions of the user who creates it. `all` is all of
 * them.
 */
const uses = {
  all: { label: 'All that you may do', has: () => true },
  payments: {
    label: 'Payments: create, capture, refund and see them',
    has: (one: Permission) => ['payments:read', 'payments:write', 'customers:personal'].includes(one),
  },
  reading: { label: 'See only', has: (one: Permission) => one.endsWith(':read') && one !== 'api_keys:read' },
} as const
type Use = keyof typeof uses
const choices = (Object.keys(uses) as Use[]).map(value => ({ value, label: uses[value].label }))
type Scopes = Exclude<Permission, 'deployment'>[]

/** Shows a dialog that creates a key. The key is shown only once. */
function NewKey({ merchant_id, made, close }: { merchant_id: string; made(key: Schemas['NewApiKey']): void; close(): void }): ReactElement {
  const [name, setName] = useState('')
  const [lasts, setLasts] = useState('never')
  const [use, setUse] = useState<Use>('all')
  const { fields, prove } = useReauthentication()
  const own = useSession().user?.permissions ?? []
  const scopes = own.filter((one): one is Scopes[number] => one !== 'deployment' && uses[use].has(one))
  const moves = use === 'all' ? own.includes('payments:write') || own.includes('payouts:write') : scopes.includes('payments:write')
  return (
    <Confirm
      title="A new secret key?"
      act="Make the key"
      acting="Making…"
      keep="Not now"
      close={close}
      consequence={
        name.trim() === '' ? null : (
          <p>
            <b className="strong">
              Anybody who has it can {moves ? 'move money' : 'see payments and settings'} of {merchant_id}.
            </b>{' '}
            It is shown once, after this.
          </p>
        )
      }
      send={async key => {
        const expiration = lasts === 'never' ? 'never' : new Date(Date.now() + Number(lasts) * DAY).toISOString()
        const params = { path: { merchant_id }, header: { 'Idempotency-Key': key } }
        const ask = { name: name.trim(), expiration, ...(use !== 'all' && { scopes }) }
        made(await prove(proof => answer(POST('/api_keys/{merchant_id}', { params, body: { ...ask, ...proof } }))))
      }}
    >
      <TextField label="Name" hint="What it is for" value={name} maxLength={64} change={setName} data-autofocus />
      <Choice label="May" data={choices} value={use} change={setUse} />
      <Choice label="Ends" data={lasting} value={lasts} change={setLasts} />
      {fields}
    </Confirm>
  )
}

const never = <span className="faint">never</span>

/** Describes the permissions of a key in a few words. The full list is shown on hover. */
const mayOf = (scopes: readonly string[] | null): string =>
  scopes === null ? 'everything' : scopes.length <= 2 ? scopes.join(', ') : `${scopes.length} of the permissions`

function Revoke({ apiKey, changed, close }: { apiKey: Key; changed(): Promise<void>; close(): void }): ReactElement {
  const { merchant_id, key_id } = apiKey
  return (
    <Confirm
      title={`Revoke ${apiKey.name}?`}
      act="Revoke the key"
      acting="Revoking…"
      keep="Keep the key"
      close={close}
      consequence={
        <p>
          <b className="strong">Everything that uses {apiKey.prefix}… is refused at once.</b> It cannot be undone.{' '}
          {apiKey.last_used_at ? (
            <>
              It was last used <Ago at={apiKey.last_used_at} />.
            </>
          ) : (
            'It was never used.'
          )}
        </p>
      }
      send={async () => {
        await answer(DELETE('/api_keys/{merchant_id}/{key_id}', { params: { path: { merchant_id, key_id } } }))
        await changed()
      }}
    />
  )
}

function KeyTable({ keys, revoke }: { keys: readonly Key[]; revoke: ((key: Key) => void) | null }): ReactElement {
  return (
    <div className="panel">
      <Table
        title="Secret keys"
        rows={keys}
        keyOf={({ key_id }) => key_id}
        actions="Revoke"
        columns={[
          { name: 'Name', look: 'strong', cell: key => key.name },
          { name: 'Begins with', look: 'mono', cell: key => `${key.prefix}…` },
          { name: 'May', hint: key => key.scopes?.join(', '), cell: key => mayOf(key.scopes) },
          { name: 'Made by', cell: key => key.created_by ?? <span className="faint">not noted</span> },
          { name: 'Created', cell: key => <Ago at={key.created} /> },
          { name: 'Last used', cell: key => (key.last_used_at ? <Ago at={key.last_used_at} /> : never) },
          { name: 'Ends', cell: key => (key.expiration === 'never' ? never : <Exact at={key.expiration} />) },
          {
            name: '',
            right: true,
            cell: key =>
              revoke && (
                <Button variant="default" size="xs" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
                  Revoke…
                </Button>
              ),
          },
        ]}
      />
    </div>
  )
}

/** Shows the publishable key for browsers, and the first request of a server. */
function Publishable({ merchant_id }: { merchant_id: string }): ReactElement {
  const asked = useQuery({
    queryKey: ['merchant', merchant_id],
    queryFn: () => answer(GET('/accounts/{merchant_id}', { params: { path: { merchant_id } } })),
  })
  return (
    <Panel title="Publishable key" hint="For browsers and apps: it confirms payments with their client_secret, and sees nothing else">
      <div className="in stack">
        <Loaded what="The publishable key" asked={asked}>
          {account => (
            <span className="copyable">
              <Id id={account?.publishable_key} />
            </span>
          )}
        </Loaded>
        <p className="muted">The first request of a server, with a secret key:</p>
        <Code>{FIRST}</Code>
      </div>
    </Panel>
  )
}

export default function Keys(): ReactElement {
  const merchant_id = useMerchant()
  const mayWrite = usePermission()('api_keys:write')
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<'new' | Key | null>(null)
  const [fresh, setFresh] = useState<Schemas['NewApiKey'] | null>(null)
  const asked = useQuery({
    queryKey: ['keys', merchant_id],
    queryFn: () => answer(GET('/api_keys/{merchant_id}/list', { params: { path: { merchant_id }, query: { limit: 100 } } })),
  })
  const changed = () => queries.invalidateQueries({ queryKey: ['keys'] })
  const close = () => setDialog(null)
  return (
    <>
      <PageHead
        title="API keys"
        acts={
          mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setDialog('new')}>
              New key
            </Button>
          )
        }
      />
      {fresh !== null && (
        <ShownOnce text={`${fresh.name}: copy it now, it is not shown again.`} secret={fresh.api_key} close={() => setFresh(null)} />
      )}
      <Loaded what="Keys" asked={asked}>
        {keys =>
          keys?.length === 0 ? (
            <div className="panel">
              <div className="blank">
                <h2>No keys yet.</h2>
                <p>A server asks with a secret key in the header api-key.</p>
              </div>
            </div>
          ) : (
            <KeyTable keys={keys ?? []} revoke={mayWrite ? setDialog : null} />
          )
        }
      </Loaded>
      <div className="below">
        <Publishable merchant_id={merchant_id} />
      </div>
      <Suspense>
        {dialog === 'new' && (
          <NewKey
            merchant_id={merchant_id}
            close={close}
            made={key => {
              setFresh(key)
              void changed()
            }}
          />
        )}
        {dialog !== null && dialog !== 'new' && <Revoke apiKey={dialog} changed={changed} close={close} />}
      </Suspense>
    </>
  )
}
