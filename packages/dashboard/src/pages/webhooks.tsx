import { plural } from '../format'
import './settings.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, GET, type Schemas } from '../api'
import { Panel } from '../parts/details'
import type { Chosen } from '../parts/filters'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { StatusMark } from '../parts/status'
import { Ago } from '../parts/time'
import { usePermission } from '../session'
import { Deliveries } from './webhooks/deliveries'
import { DeliveryAttempts } from './webhooks/delivery-attempts'
import { EndpointPanel } from './webhooks/endpoint'
import { Listeners } from './webhooks/listeners'

const EndpointForm = lazy(() => import('./webhooks/endpoint-form'))

type Endpoint = Schemas['WebhookEndpoint']

const FIRST = `curl ${location.origin}/webhook_endpoints -H "api-key: snd_…" -H "content-type: application/json" \\
  -d '{"url": "https://shop.example/hooks"}'`

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

type OneProps = { endpoint: Endpoint; chosen: Chosen; made(secret: string): void }

/** Shows the chosen endpoint: its settings, its deliveries, and the attempts of one event. */
function One({ endpoint, chosen, made }: OneProps): ReactElement {
  const { endpoint_id } = endpoint
  const { data: health } = useQuery({
    queryKey: ['webhooks', endpoint_id, 'health'],
    queryFn: () => answer(GET('/webhook_endpoints/{endpoint_id}/health', { params: { path: { endpoint_id } } })),
  })
  return (
    <>
      <EndpointPanel endpoint={endpoint} waiting={health?.waiting} made={made} />
      <Deliveries endpoint={endpoint} chosen={chosen} health={health} />
      {chosen.event_id && <DeliveryAttempts key={chosen.event_id} event_id={chosen.event_id} endpoint_id={endpoint_id} />}
    </>
  )
}

export default function Webhooks(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const may = usePermission()
  // An endpoint receives customers' personal data.
  const mayWrite = may('webhooks:write') && may('customers:personal')
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
        <LoadError what="Endpoints" error={error} retry={() => void refetch()} />
      ) : endpoints?.length === 0 ? (
        <div className="stack">
          <div className="panel">
            <div className="blank">
              <h2>No webhook endpoint yet.</h2>
              <p>An endpoint receives every event, signed.</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
              <pre tabIndex={0}>{FIRST}</pre>
            </div>
          </div>
          <Listeners />
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
          <Listeners />
          {endpoint && <One key={endpoint.endpoint_id} endpoint={endpoint} chosen={chosen} made={setSecret} />}
        </div>
      )}
      <Suspense>{isAdding && <EndpointForm endpoint={null} close={() => setAdding(false)} made={setSecret} />}</Suspense>
    </>
  )
}
