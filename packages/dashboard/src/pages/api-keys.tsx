import './settings.css'
import { Button, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, DELETE, GET, POST, type Schemas } from '../api'
import { Panel } from '../parts/details'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { useReauthentication } from '../parts/reauthentication'
import { Ago, Exact } from '../parts/time'
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
const choices = Object.entries(uses).map(([value, { label }]) => ({ value, label }))
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
      <TextInput
        label="Name"
        description="What it is for"
        value={name}
        maxLength={64}
        onChange={event => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Select label="May" data={choices} value={use} onChange={value => setUse((value ?? 'all') as Use)} allowDeselect={false} />
      <Select label="Ends" data={lasting} value={lasts} onChange={value => setLasts(value ?? 'never')} allowDeselect={false} />
      {fields}
    </Confirm>
  )
}

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

function Table({ keys, revoke }: { keys: readonly Key[]; revoke: ((key: Key) => void) | null }): ReactElement {
  return (
    <div className="panel">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
      <section className="tw" tabIndex={0} aria-label="Secret keys">
        <table aria-label="Secret keys">
          <thead>
            <tr>
              {['Name', 'Begins with', 'May', 'Made by', 'Created', 'Last used', 'Ends', ''].map(name => (
                <th key={name} scope="col">
                  {name || <span className="unseen">Revoke</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keys.map(key => (
              <tr key={key.key_id}>
                <td className="strong">{key.name}</td>
                <td className="mono">{key.prefix}…</td>
                <td title={key.scopes?.join(', ')}>{mayOf(key.scopes)}</td>
                <td>{key.created_by ?? <span className="faint">not noted</span>}</td>
                <td>
                  <Ago at={key.created} />
                </td>
                <td>{key.last_used_at ? <Ago at={key.last_used_at} /> : <span className="faint">never</span>}</td>
                <td>{key.expiration === 'never' ? <span className="faint">never</span> : <Exact at={key.expiration} />}</td>
                <td className="n">
                  {revoke && (
                    <Button variant="default" size="xs" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
                      Revoke…
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** Shows the publishable key for browsers, and the first request of a server. */
function Publishable({ merchant_id }: { merchant_id: string }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['merchant', merchant_id],
    queryFn: () => answer(GET('/accounts/{merchant_id}', { params: { path: { merchant_id } } })),
  })
  return (
    <Panel title="Publishable key" hint="For browsers and apps: it confirms payments with their client_secret, and sees nothing else">
      <div className="in stack">
        {error && data === undefined ? (
          <LoadError what="The publishable key" error={error} retry={() => void refetch()} />
        ) : (
          <span className="copyable">
            <Id id={data?.publishable_key} />
          </span>
        )}
        <p className="muted">The first request of a server, with a secret key:</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
        <pre tabIndex={0}>{FIRST}</pre>
      </div>
    </Panel>
  )
}

export default function Keys(): ReactElement {
  const merchant_id = useSession().user?.merchant_id ?? ''
  const mayWrite = usePermission()('api_keys:write')
  const queries = useQueryClient()
  const [asked, setAsked] = useState<'new' | Key | null>(null)
  const [fresh, setFresh] = useState<Schemas['NewApiKey'] | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['keys', merchant_id],
    queryFn: () => answer(GET('/api_keys/{merchant_id}/list', { params: { path: { merchant_id }, query: { limit: 100 } } })),
  })
  useEffect(() => {
    document.title = 'API keys · Switchyard'
  }, [])
  const changed = () => queries.invalidateQueries({ queryKey: ['keys'] })
  const close = () => setAsked(null)
  return (
    <>
      <div className="head">
        <h1>API keys</h1>
        {mayWrite && (
          <div className="acts">
            <Button leftSection={<Icon name="plus" />} onClick={() => setAsked('new')}>
              New key
            </Button>
          </div>
        )}
      </div>
      {fresh !== null && (
        <div className="note plain spaced" role="status">
          <div className="grow">
            <p className="strong">{fresh.name}: copy it now, it is not shown again.</p>
            <Id id={fresh.api_key} />
          </div>
          <Button variant="default" onClick={() => setFresh(null)}>
            I have it
          </Button>
        </div>
      )}
      {error && data === undefined ? (
        <LoadError what="Keys" error={error} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <div className="panel">
          <div className="blank">
            <h2>No keys yet.</h2>
            <p>A server asks with a secret key in the header api-key.</p>
          </div>
        </div>
      ) : (
        <Table keys={data ?? []} revoke={mayWrite ? setAsked : null} />
      )}
      <div className="below">
        <Publishable merchant_id={merchant_id} />
      </div>
      <Suspense>
        {asked === 'new' && (
          <NewKey
            merchant_id={merchant_id}
            close={close}
            made={key => {
              setFresh(key)
              void changed()
            }}
          />
        )}
        {asked !== null && asked !== 'new' && <Revoke apiKey={asked} changed={async () => changed()} close={close} />}
      </Suspense>
    </>
  )
}
