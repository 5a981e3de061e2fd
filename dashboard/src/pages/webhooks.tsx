import { Button, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { plural } from '../facts'
import { answer, GET, POST, type Schemas } from '../interface'
import { Panel } from '../parts/details'
import { Failed } from '../parts/failed'
import { type Chosen, Filters } from '../parts/filters'
import { Icon } from '../parts/icons'
import { Id, ObjectLink } from '../parts/id'
import { Pages } from '../parts/list'
import { Status, StatusMark } from '../parts/status'
import { Ago } from '../parts/time'
import { useMay } from '../session'

const Confirm = lazy(() => import('../parts/confirm'))

type Endpoint = Schemas['WebhookEndpoint']
type Delivery = Schemas['Delivery']

const LIMIT = 50
const FIRST = `curl ${location.origin}/webhook_endpoints -H "api-key: snd_…" -H "content-type: application/json" \\
  -d '{"url": "https://shop.example/hooks"}'`
const HOUR = 3_600_000
const spans = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '72', label: 'the last 3 days' },
]

/** Sends again what an endpoint should have had, in the order in which it happened. */
function Replay({ endpoint, close }: { endpoint: Endpoint; close(queued: number | null): void }): ReactElement {
  const [hours, setHours] = useState('1')
  const [which, setWhich] = useState('failed')
  const label = spans.find(({ value }) => value === hours)!.label
  return (
    <Confirm
      title="Send events again?"
      act={`Replay ${label}`}
      acting="Queueing…"
      keep="Not now"
      close={() => close(null)}
      consequence={
        <p>
          <b className="strong">No money moves.</b> {which === 'failed' ? 'What did not arrive' : 'Everything'} of {label} goes to{' '}
          {endpoint.url} again, each object's events in their order. A receiver that goes by event ids does nothing twice.
        </p>
      }
      send={async key => {
        const params = { path: { endpoint_id: endpoint.endpoint_id }, header: { 'Idempotency-Key': key } }
        const created_after = new Date(Date.now() - Number(hours) * HOUR).toISOString()
        const body = { created_after, only_failed: which === 'failed' }
        close((await answer(POST('/webhook_endpoints/{endpoint_id}/replay', { params, body }))).queued)
      }}
    >
      <Select label="Since" data={spans} value={hours} onChange={value => setHours(value ?? '1')} allowDeselect={false} />
      <Select
        label="Which"
        data={[
          { value: 'failed', label: 'What did not arrive' },
          { value: 'all', label: 'Everything' },
        ]}
        value={which}
        onChange={value => setWhich(value ?? 'failed')}
        allowDeselect={false}
      />
    </Confirm>
  )
}

function NewEndpoint({ made, close }: { made(secret: string): void; close(): void }): ReactElement {
  const [url, setUrl] = useState('')
  return (
    <Confirm
      title="A new endpoint?"
      act="Add the endpoint"
      acting="Adding…"
      keep="Not now"
      close={close}
      consequence={
        URL.canParse(url) ? <p>Every event from now on is sent to {url}, signed with a secret that is shown once, after this.</p> : null
      }
      send={async key => {
        made((await answer(POST('/webhook_endpoints', { params: { header: { 'Idempotency-Key': key } }, body: { url } }))).secret)
      }}
    >
      <TextInput label="Address" description="https://…" value={url} onChange={event => setUrl(event.currentTarget.value)} data-autofocus />
    </Confirm>
  )
}

const healthOf = ({ enabled, disabled_at, failing_since }: Endpoint): string =>
  !enabled || disabled_at ? 'disabled' : failing_since ? 'failing' : 'delivered'

function EndpointRow({ endpoint, isChosen }: { endpoint: Endpoint; isChosen: boolean }): ReactElement {
  const health = healthOf(endpoint)
  return (
    <li>
      <Link to="/developers/webhooks" search={{ endpoint_id: endpoint.endpoint_id }} aria-current={isChosen ? 'true' : undefined}>
        <StatusMark family={health === 'delivered' ? 'done' : health === 'failing' ? 'person' : 'ended'} size={16} />
        <span className="grow">
          <span className="strong break">{endpoint.url}</span>
          <span className="muted cut-block">
            {endpoint.event_types ? plural(endpoint.event_types.length, 'kind of event', 'kinds of events') : 'every event'}
            {endpoint.of_profile && ', of the profile'}
            {endpoint.failing_since && (
              <>
                , failing since <Ago at={endpoint.failing_since} />
              </>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}

function Deliveries({ endpoint, chosen }: { endpoint: Endpoint; chosen: Chosen }): ReactElement {
  const { endpoint_id } = endpoint
  const navigate = useNavigate()
  const queries = useQueryClient()
  const may = useMay()
  const [isReplaying, setReplaying] = useState(false)
  const [said, setSaid] = useState<string | null>(null)
  const { status, starting_after } = chosen
  const path = { endpoint_id }
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', endpoint_id, 'deliveries', status, starting_after],
    queryFn: () =>
      answer(
        GET('/webhook_endpoints/{endpoint_id}/deliveries', {
          params: { path, query: { status: status as 'dead' | undefined, starting_after, limit: LIMIT } },
        }),
      ),
    placeholderData: before => before,
  })
  const { data: health } = useQuery({
    queryKey: ['webhooks', endpoint_id, 'health'],
    queryFn: () => answer(GET('/webhook_endpoints/{endpoint_id}/health', { params: { path } })),
  })
  const show = (search: Chosen) => void navigate({ to: '/developers/webhooks', search: { endpoint_id, ...search } })
  const rows = data?.data as Delivery[] | undefined
  return (
    <Panel
      title="Deliveries"
      hint={health && `${health.delivered} of ${health.tried} arrived in ${health.window}, ${health.waiting} wait, ${health.dead} given up`}
      acts={
        may('webhooks:replay') && (
          <Button variant="default" size="xs" onClick={() => setReplaying(true)}>
            Replay…
          </Button>
        )
      }
    >
      {said !== null && (
        <p className="note plain" role="status">
          {said}
        </p>
      )}
      <div className="in tight">
        <Filters
          filters={[
            {
              name: 'status',
              label: 'Status',
              kind: 'one of',
              choices: ['pending', 'delivered', 'dead'].map(value => ({ value, label: value })),
            },
          ]}
          chosen={chosen}
          choose={(_, value) => show({ status: value })}
        />
      </div>
      {error && data === undefined ? (
        <div className="in">
          <Failed what="Deliveries" error={error} again={() => void refetch()} />
        </div>
      ) : rows?.length === 0 ? (
        <p className="blank">Nothing was sent to it{status ? ' that is so' : ' yet'}.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw" tabIndex={0} aria-label="Deliveries of this endpoint">
          <table aria-label="Deliveries of this endpoint">
            <thead>
              <tr>
                {['Status', 'Event', 'Object', 'Answer', 'Tries', 'When'].map((name, at) => (
                  <th key={name} scope="col" className={at > 3 ? 'n' : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows?.map(one => (
                <tr key={one.event_id}>
                  <td>
                    <Status status={one.status} />
                  </td>
                  <td>{one.event_type ?? one.type}</td>
                  <td className="mono">
                    <ObjectLink id={one.object_id} />
                  </td>
                  <td>
                    {one.last ? (
                      <span className="muted">
                        {one.last.status_code ?? one.last.error} {one.last.latency_ms !== null && `in ${one.last.latency_ms} ms`}
                      </span>
                    ) : (
                      <span className="faint">–</span>
                    )}
                  </td>
                  <td className="n num">{one.tries}</td>
                  <td className="n">
                    <Ago at={one.created} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Pages
          older={rows.length === LIMIT ? () => show({ status: status ?? '', starting_after: rows.at(-1)!.event_id }) : null}
          newer={starting_after ? () => show({ status: status ?? '' }) : null}
          says={plural(rows.length, 'delivery', 'deliveries')}
        />
      )}
      <Suspense>
        {isReplaying && (
          <Replay
            endpoint={endpoint}
            close={queued => {
              setReplaying(false)
              if (queued === null) return
              setSaid(`${plural(queued, 'event')} will be sent again.`)
              void queries.invalidateQueries({ queryKey: ['webhooks', endpoint_id] })
            }}
          />
        )}
      </Suspense>
    </Panel>
  )
}

export default function Webhooks(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const mayWrite = useMay()('webhooks:write')
  const queries = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({ queryKey: ['webhooks'], queryFn: () => answer(GET('/webhook_endpoints')) })
  useEffect(() => {
    document.title = 'Webhooks · Switchyard'
  }, [])
  const endpoints = data?.data as Endpoint[] | undefined
  const endpoint = endpoints?.find(({ endpoint_id }) => endpoint_id === chosen.endpoint_id) ?? endpoints?.[0]
  return (
    <>
      <div className="head">
        <h1>Webhooks</h1>
        {mayWrite && (
          <div className="acts">
            <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
              New endpoint
            </Button>
          </div>
        )}
      </div>
      {secret !== null && (
        <div className="note plain spaced" role="status">
          <div className="grow">
            <p className="strong">The secret that its events are signed with: copy it now, it is not shown again.</p>
            <Id id={secret} />
          </div>
          <Button variant="default" onClick={() => setSecret(null)}>
            I have it
          </Button>
        </div>
      )}
      {error && data === undefined ? (
        <Failed what="Endpoints" error={error} again={() => void refetch()} />
      ) : endpoints?.length === 0 ? (
        <div className="panel">
          <div className="blank">
            <h2>Nobody is told of events yet.</h2>
            <p>An endpoint of yours is sent every event, signed.</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
            <pre tabIndex={0}>{FIRST}</pre>
          </div>
        </div>
      ) : (
        <div className="stack">
          <Panel title="Endpoints" hint={endpoints && String(endpoints.length)}>
            <ul className="needs">
              {endpoints?.map(one => (
                <EndpointRow key={one.endpoint_id} endpoint={one} isChosen={one === endpoint} />
              ))}
            </ul>
          </Panel>
          {endpoint && <Deliveries key={endpoint.endpoint_id} endpoint={endpoint} chosen={chosen} />}
        </div>
      )}
      <Suspense>
        {isAdding && (
          <NewEndpoint
            close={() => setAdding(false)}
            made={value => {
              setSecret(value)
              void queries.invalidateQueries({ queryKey: ['webhooks'] })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
