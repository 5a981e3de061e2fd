import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import type { Chosen } from '../list-address'
import { Panel } from '../parts/details'
import { EmptyState } from '../parts/empty-state'
import { Icon } from '../parts/icons'
import { Loaded } from '../parts/loaded'
import { ShownOnce } from '../parts/note'
import { PageHead } from '../parts/page-head'
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

type EndpointsProps = { endpoints: readonly Endpoint[] | undefined; chosen: Chosen; made(secret: string): void }

function Endpoints({ endpoints, chosen, made }: EndpointsProps): ReactElement {
  const endpoint = endpoints?.find(({ endpoint_id }) => endpoint_id === chosen.endpoint_id) ?? endpoints?.[0]
  return (
    <div className="stack">
      {endpoints?.length === 0 ? (
        <div className="panel">
          <EmptyState clear={null} title="No webhook endpoint yet." hint="An endpoint receives every event, signed." curl={FIRST} />
        </div>
      ) : (
        <Panel title="Endpoints" hint={endpoints && String(endpoints.length)}>
          <ul className="needs">
            {endpoints?.map(one => (
              <EndpointRow key={one.endpoint_id} endpoint={one} isChosen={one === endpoint} />
            ))}
          </ul>
        </Panel>
      )}
      <Listeners />
      {endpoint && <One key={endpoint.endpoint_id} endpoint={endpoint} chosen={chosen} made={made} />}
    </div>
  )
}

export default function Webhooks(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const may = usePermission()
  // An endpoint receives customers' personal data.
  const mayWrite = may('webhooks:write') && may('customers:personal')
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const asked = useQuery({ queryKey: ['webhooks'], queryFn: () => answer(GET('/webhook_endpoints')) })
  return (
    <>
      <PageHead
        title="Webhooks"
        acts={
          mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
              New endpoint
            </Button>
          )
        }
      />
      {secret !== null && (
        <ShownOnce
          text="The secret that its events are signed with: copy it now, it is not shown again."
          secret={secret}
          close={() => setSecret(null)}
        />
      )}
      <Loaded what="Endpoints" asked={asked}>
        {page => <Endpoints endpoints={page?.data as Endpoint[] | undefined} chosen={chosen} made={setSecret} />}
      </Loaded>
      <Suspense>{isAdding && <EndpointForm endpoint={null} close={() => setAdding(false)} made={setSecret} />}</Suspense>
    </>
  )
}
