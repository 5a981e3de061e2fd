import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { eventCatalogue } from '../../../../src/events/catalogue.ts'
import { answer, GET, POST, type Schemas } from '../api'
import { plural } from '../format'
import { usePageObject } from '../page-object'
import { Breadcrumb } from '../parts/breadcrumb'
import { Details, Panel } from '../parts/details'
import { Icon } from '../parts/icons'
import { Id, ObjectLink } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Status, StatusMark } from '../parts/status'
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
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
            <pre tabIndex={0}>{`${headersOf(request.headers)}\n\n${readable(request.body)}`}</pre>
          </div>
          <div>
            <h3>Answered</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
            <pre tabIndex={0}>
              {response.status_code === null
                ? outcome
                : `${response.status_code}\n${headersOf(response.headers)}\n\n${readable(response.body)}`}
            </pre>
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw" tabIndex={0} aria-label="Deliveries of this event">
          <table aria-label="Deliveries of this event">
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Endpoint</th>
                <th scope="col" className="n">
                  Tries
                </th>
                <th scope="col" className="n">
                  Ended
                </th>
              </tr>
            </thead>
            <tbody>
              {event.deliveries.map(({ endpoint_id, status, tries, ended_at }) => (
                <tr key={endpoint_id}>
                  <td>
                    <Status status={status} />
                  </td>
                  <td>
                    <Link to="/developers/webhooks" search={{ endpoint_id }} className="link mono">
                      {endpoint_id}
                    </Link>
                  </td>
                  <td className="n num">{tries}</td>
                  <td className="n">
                    <Exact at={ended_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
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

export default function EventPage(): ReactElement {
  const { event_id = '' } = useParams({ strict: false })
  const queries = useQueryClient()
  const [isSending, setSending] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const {
    data: event,
    error,
    refetch,
  } = useQuery({
    queryKey: ['events', event_id],
    queryFn: () => answer(GET('/events/{event_id}', { params: { path: { event_id } } })),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(({ status }) => status === 'pending') ? LOOK_EVERY_MS : false),
  })
  useEffect(() => {
    document.title = event ? `${event.event_type}, event · Switchyard` : 'Event · Switchyard'
  }, [event])
  usePageObject(event === undefined ? null : { id: event_id, name: event.event_type, read: `/events/${event_id}` })
  if (event === undefined)
    return (
      <>
        <h1 className="unseen">Event</h1>
        {error && <LoadError what="event" error={error} retry={() => void refetch()} />}
      </>
    )
  const known = eventCatalogue[event.event_type as keyof typeof eventCatalogue]
  return (
    <>
      <div className="head of-object">
        <Breadcrumb list="/developers/events" name="Events" />
        <div>
          <h1>{event.event_type}</h1>
          <div className="sub">
            {known && <span>{known.means}</span>}
            <Id id={event.event_id} />
          </div>
        </div>
      </div>
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
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
              <pre tabIndex={0}>{event.body === null ? 'It is not kept any more.' : JSON.stringify(event.body, null, 2)}</pre>
            </div>
          </Panel>
        </div>
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
      </div>
      <Suspense>
        {isSending && (
          <SendAgain
            event={event}
            close={result => {
              setSending(false)
              if (result === null) return
              setNotice(result)
              void queries.invalidateQueries({ queryKey: ['events'] })
              void queries.invalidateQueries({ queryKey: ['webhooks'] })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
