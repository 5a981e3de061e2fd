import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, DELETE, Failure, POST, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { StatusMark } from '../../parts/status'
import { SubmitError, useSubmit } from '../../parts/submit'
import { Ago } from '../../parts/time'
import { usePermission } from '../../session'
import { DeliveryAttempt, type Try } from './delivery-attempts'
import EndpointForm from './endpoint-form'

const Confirm = lazy(() => import('../../parts/confirm'))

type Endpoint = Schemas['WebhookEndpoint']
type AskProps = { endpoint: Endpoint; close(): void }

function Rotate({ endpoint, close, made }: AskProps & { made(secret: string): void }): ReactElement {
  return (
    <Confirm
      title="Rotate the secret?"
      act="Rotate the secret"
      acting="Rotating…"
      keep="Keep the secret"
      close={close}
      consequence={
        <p>
          <b className="strong">The new secret is shown once, after this.</b> The one before signs beside it for a day, so that a receiver
          can change over without missing an event.
        </p>
      }
      send={async key => {
        const params = { path: { endpoint_id: endpoint.endpoint_id }, header: { 'Idempotency-Key': key } }
        made((await answer(POST('/webhook_endpoints/{endpoint_id}/rotate_secret', { params, body: {} }))).secret)
      }}
    />
  )
}

function Delete({ endpoint, close }: AskProps): ReactElement {
  const queries = useQueryClient()
  return (
    <Confirm
      title="Delete the endpoint?"
      act="Delete the endpoint"
      acting="Deleting…"
      keep="Keep the endpoint"
      close={close}
      consequence={
        <p>
          <b className="strong">No further event is sent to {endpoint.url},</b> and what waits for it is given up.
        </p>
      }
      send={async () => {
        await answer(DELETE('/webhook_endpoints/{endpoint_id}', { params: { path: { endpoint_id: endpoint.endpoint_id } } }))
        await queries.invalidateQueries({ queryKey: ['webhooks'] })
      }}
    />
  )
}

function Trouble({ endpoint, waiting }: { endpoint: Endpoint; waiting: number | undefined }): ReactElement | null {
  const { enabled, disabled_at, disabled_reason, failing_since } = endpoint
  if (enabled && disabled_at === null && failing_since === null) return null
  return (
    <div className="note person" role="status">
      <StatusMark family="person" size={16} />
      <div className="grow">
        <p className="strong">
          {disabled_at !== null ? (
            <>
              Disabled <Ago at={disabled_at} />: {disabled_reason ?? 'nothing arrived there any more'}.
            </>
          ) : !enabled ? (
            'Switched off: nothing is sent there.'
          ) : (
            <>
              Nothing has arrived since <Ago at={failing_since} />.
            </>
          )}
        </p>
        <p>
          {disabled_at !== null || !enabled
            ? 'Enable it under Edit…, then replay what it missed.'
            : `${waiting ?? 0} wait, those of one object in their order; all of it can be replayed.`}
        </p>
      </div>
    </div>
  )
}

/** Asks an owner to look at an endpoint whose maker may not have been allowed to see what it receives. */
function Review({ endpoint: { endpoint_id, url } }: { endpoint: Endpoint }): ReactElement {
  const may = usePermission()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<Failure | null>(null)
  const mayConfirm = may('webhooks:write') && may('customers:personal')
  const confirm = async () => {
    try {
      await answer(POST('/webhook_endpoints/{endpoint_id}', { params: { path: { endpoint_id } }, body: { url } }))
      await queries.invalidateQueries({ queryKey: ['webhooks'] })
    } catch (why) {
      setFailure(why instanceof Failure ? why : new Failure(0, 'offline', String(why)))
    }
  }
  return (
    <div className="note person" role="status">
      <StatusMark family="person" size={16} />
      <div className="grow">
        <p className="strong">Does this address belong to you?</p>
        <p>It receives names and addresses of customers, and is older than the rule that its maker must be allowed to see them.</p>
        <SubmitError failure={failure} />
      </div>
      {mayConfirm && (
        <Button variant="default" size="xs" onClick={() => void confirm()}>
          Yes, keep it
        </Button>
      )}
    </div>
  )
}

type Props = { endpoint: Endpoint; waiting: number | undefined; made(secret: string): void }

export function EndpointPanel({ endpoint, waiting, made }: Props): ReactElement {
  const may = usePermission()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'delete' | null>(null)
  const [tested, setTested] = useState<Try | null>(null)
  const { endpoint_id, event_types, url, description } = endpoint
  const testing = useSubmit(async key => {
    const params = { path: { endpoint_id }, header: { 'Idempotency-Key': key } }
    setTested(await answer(POST('/webhook_endpoints/{endpoint_id}/test', { params, body: {} })))
    await queries.invalidateQueries({ queryKey: ['webhooks', endpoint_id] })
  })
  const close = () => setAsked(null)
  const why = may('webhooks:write') ? undefined : 'Your role does not change webhook endpoints.'
  const act = (name: string, ask: 'edit' | 'rotate' | 'delete') => (
    <Button variant="default" size="xs" disabled={why !== undefined} title={why} onClick={() => setAsked(ask)}>
      {name}
    </Button>
  )
  return (
    <Panel
      title="Endpoint"
      acts={
        <>
          <Button
            variant="default"
            size="xs"
            disabled={!may('webhooks:replay') || testing.isBusy}
            title={may('webhooks:replay') ? undefined : 'Your role does not send webhooks.'}
            onClick={() => void testing.go()}
          >
            {testing.isBusy ? 'Sending…' : 'Send a test'}
          </Button>
          {act('Edit…', 'edit')}
          {act('Rotate secret…', 'rotate')}
          {!endpoint.of_profile && act('Delete…', 'delete')}
        </>
      }
    >
      <div className="in stack">
        {endpoint.needs_review && <Review endpoint={endpoint} />}
        <Trouble endpoint={endpoint} waiting={waiting} />
        <dl className="kv">
          <div>
            <dt>Address</dt>
            <dd className="mono">{url}</dd>
          </div>
          {description !== null && (
            <div>
              <dt>Description</dt>
              <dd>{description}</dd>
            </div>
          )}
          <div>
            <dt>Events</dt>
            <dd>{event_types === null ? 'all' : event_types.join(', ')}</dd>
          </div>
        </dl>
        <SubmitError failure={testing.failure} />
        {tested && (
          <section aria-label="Test">
            <p className="strong" role="status">
              {tested.is_delivery_successful ? 'The test arrived.' : 'The test did not arrive.'}
            </p>
            <DeliveryAttempt of={tested} />
          </section>
        )}
      </div>
      <Suspense>
        {asked === 'edit' && <EndpointForm endpoint={endpoint} made={made} close={close} />}
        {asked === 'rotate' && <Rotate endpoint={endpoint} made={made} close={close} />}
        {asked === 'delete' && <Delete endpoint={endpoint} close={close} />}
      </Suspense>
    </Panel>
  )
}
