import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { eventCatalogue } from '../../../../src/base/event-types.ts'
import { answer, GET, POST, type Schemas } from '../api'
import { plural } from '../format'
import { Details, Panel } from '../parts/details'
import { Icon } from '../parts/icons'
import { Id, ObjectLink } from '../parts/id'
import { ObjectHead, ObjectPage } from '../parts/object-page'
import { Code } from '../parts/scrollable'
import { Status, StatusMark } from '../parts/status'
import { Table } from '../parts/table'
import { Exact, exactly, timeOfDay } from '../parts/time'
import { usePermission, useSession } from '../session'
import { useListeners } from './webhooks/listeners'

const Confirm = lazy(() => import('../parts/confirm'))

type Detail = Schemas['EventDetail']
type Try = Detail['attempts'][number]

/** The time between two reads of an event while a delivery is under way. */
const LOOK_EVERY_MS = 3_000

/** Formats a body as indented JSON; a body that is not JSON stays as it is. */
function readable(body: string | null): string {
  if (body === null || body === '') return 'nothing'
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const headersOf = (headers: readonly string[][] | null): string => (headers ?? []).map(pair => pair.join(': ')).join('\n')

/** Shows one delivery attempt: the request and its response. */
function OneTry({ one, number }: { one: Try; number: number }): ReactElement {
  const { response, request } = one
  const outcome = response.status_code === null ? (response.error_message ?? 'no answer') : `answered ${response.status_code}`
  return (
    <li>
      <details>
        <summary>
          <StatusMark family={one.is_delivery_successful ? 'done' : 'no'} />
          <span className="num" title={exactly(one.created)}>
            {timeOfDay(one.created)}
          </span>
          <b className="strong">Try {number}</b> <span>{outcome}</span> <span className="faint num">{one.latency_ms} ms</span>{' '}
          {one.listener && (
            <span>
              listener {one.listener.name} on {one.listener.machine}
            </span>
          )}{' '}
          <span className="muted break">{one.url}</span>
        </summary>
        <div className="both">
          <div>
            <h3>Sent</h3>
            <Code>{`${headersOf(request.headers)}\n\n${readable(request.body)}`}</Code>
          </div>
          <div>
            <h3>Answered</h3>
            <Code>
              {response.status_code === null
                ? outcome
                : `${response.status_code}\n${headersOf(response.headers)}\n\n${readable(response.body)}`}
            </Code>
          </div>
        </div>
      </details>
    </li>
  )
}

function Deliveries({ event, again }: { event: Detail; again(): void }): ReactElement {
  const mayReplay = usePermission()('webhooks:replay')
  const listeners = useListeners()
  return (
    <Panel
      title="Deliveries"
      hint={String(event.deliveries.length)}
      acts={
        mayReplay &&
        event.deliveries.length + listeners.length > 0 && (
          <Button variant="default" size="xs" leftSection={<Icon name="again" size={12} />} onClick={again}>
            Send again…
          </Button>
        )
      }
    >
      {event.deliveries.length === 0 ? (
        <p className="blank">No endpoint listens to this event.</p>
      ) : (
        <Table
          title="Deliveries of this event"
          rows={event.deliveries}
          keyOf={({ endpoint_id }) => endpoint_id}
          columns={[
            { name: 'Status', cell: ({ status }) => <Status status={status} /> },
            {
              name: 'Endpoint',
              cell: ({ endpoint_id }) => (
                <Link to="/developers/webhooks" search={{ endpoint_id }} className="link mono">
                  {endpoint_id}
                </Link>
              ),
            },
            { name: 'Tries', right: true, look: 'num', cell: ({ tries }) => tries },
            { name: 'Ended', right: true, cell: ({ ended_at }) => <Exact at={ended_at} /> },
          ]}
        />
      )}
      {event.attempts.length > 0 && (
        <ol className="tries" aria-label="Tries">
          {event.attempts.map((one, at) => (
            <OneTry key={one.event_id} one={one} number={at + 1} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** Shows a dialog that sends the same event once more. Receivers recognize the event by its id. */
function SendAgain({ event, close }: { event: Detail; close(notice: string | null): void }): ReactElement {
  const merchant_id = useSession().user?.merchant_id ?? ''
  const missing = event.deliveries.filter(({ status }) => status !== 'delivered').length
  const listeners = useListeners().length
  const to = [
    ...(missing > 0 ? [plural(missing, 'endpoint that has not had it', 'endpoints that have not had it')] : []),
    ...(missing === 0 && event.deliveries.length > 0 ? ['every endpoint once more'] : []),
    ...(listeners > 0 ? [plural(listeners, 'listener', 'listeners')] : []),
  ]
  return (
    <Confirm
      title="Send this event again?"
      act="Send it now"
      acting="Sending…"
      keep="Not now"
      close={() => close(null)}
      consequence={
        <p>
          <b className="strong">No money moves.</b> The same payload goes to {to.join(' and ')}. A receiver that skips event ids it knows
          processes nothing twice.
        </p>
      }
      send={async key => {
        const params = { path: { merchant_id, event_id: event.event_id }, header: { 'Idempotency-Key': key } }
        const { is_delivery_successful, response } = await answer(POST('/events/{merchant_id}/{event_id}/retry', { params }))
        close(
          is_delivery_successful
            ? `It has arrived: answered ${response.status_code}.`
            : `It has not arrived: ${response.status_code === null ? (response.error_message ?? 'no answer') : `answered ${response.status_code}`}.`,
        )
      }}
    />
  )
}

function About({ event }: { event: Detail }): ReactElement {
  return (
    <aside aria-label="Details">
      <Details
        title="Event"
        lines={[
          ['Object', <ObjectLink key="object" id={event.object_id} whole />],
          ['Type', event.type],
          ['Class', event.event_class],
          ['Sequence', event.sequence],
          ['Version', `v${event.version}`],
          ['Profile', event.profile_id && <Id key="profile" id={event.profile_id} />],
          ['When', <Exact key="when" at={event.created} />],
          [
            'More',
            <Link key="more" to="/developers/events" search={{ object_id: event.object_id }} className="link">
              All events of this object
            </Link>,
          ],
        ]}
      />
    </aside>
  )
}

export default function EventPage(): ReactElement {
  const { event_id = '' } = useParams({ strict: false })
  const queries = useQueryClient()
  const [isSending, setSending] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const asked = useQuery({
    queryKey: ['events', event_id],
    queryFn: () => answer(GET('/events/{event_id}', { params: { path: { event_id } } })),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(({ status }) => status === 'pending') ? LOOK_EVERY_MS : false),
  })
  const closed = (result: string | null) => {
    setSending(false)
    if (result === null) return
    setNotice(result)
    for (const name of ['events', 'webhooks']) void queries.invalidateQueries({ queryKey: [name] })
  }
  return (
    <ObjectPage
      kind="event"
      asked={asked}
      object={({ event_type }) => ({ id: event_id, name: event_type, read: `/events/${event_id}`, tab: `${event_type}, event` })}
    >
      {event => (
        <>
          <ObjectHead
            list={{ to: '/developers/events', name: 'Events' }}
            title={event.event_type}
            sub={
              <>
                {event.event_type in eventCatalogue && <span>{eventCatalogue[event.event_type as keyof typeof eventCatalogue].means}</span>}
                <Id id={event.event_id} />
              </>
            }
          />
          {notice !== null && (
            <p className="note plain spaced" role="status">
              {notice}
            </p>
          )}
          <div className="beside">
            <div className="stack">
              <Deliveries event={event} again={() => setSending(true)} />
              <Panel title="Payload" hint="what is sent to endpoints">
                <div className="in">
                  <Code>{event.body === null ? 'It is not kept any more.' : JSON.stringify(event.body, null, 2)}</Code>
                </div>
              </Panel>
            </div>
            <About event={event} />
          </div>
          <Suspense>{isSending && <SendAgain event={event} close={closed} />}</Suspense>
        </>
      )}
    </ObjectPage>
  )
}
