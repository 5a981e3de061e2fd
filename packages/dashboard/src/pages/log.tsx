import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { answer, GET, type Schemas } from '../api'
import { usePageObject } from '../page-object'
import { Breadcrumb } from '../parts/breadcrumb'
import { Details, Panel } from '../parts/details'
import { Id, ObjectLink } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Exact } from '../parts/time'
import { Arrived } from './events'

type Wrote = Schemas['RequestLogEvent']

/** Lists the changes that a request made, and the webhook events about them. */
function WhatItWrote({ events }: { events: readonly Wrote[] }): ReactElement {
  return (
    <Panel title="What it wrote" hint={String(events.length)}>
      {events.length === 0 ? (
        <p className="blank">Nothing was changed.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw" tabIndex={0} aria-label="What it wrote, in a table">
          <table aria-label="What it wrote">
            <thead>
              <tr>
                {['What', 'Object', 'Event', 'Delivery'].map(name => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col" className="n">
                  Version
                </th>
              </tr>
            </thead>
            <tbody>
              {events.map(one => (
                <tr key={one.event_id}>
                  <td>
                    {one.type.replaceAll('_', ' ')} <span className="muted">{one.kind}</span>
                  </td>
                  <td>
                    <ObjectLink id={one.object_id} />
                  </td>
                  <td>
                    {one.event_type ? (
                      <Link to="/developers/events/$event_id" params={{ event_id: one.event_id }} className="link">
                        {one.event_type}
                      </Link>
                    ) : (
                      <span className="faint">no event</span>
                    )}
                  </td>
                  <td>{one.event_type ? <Arrived is={one.is_delivery_successful} /> : <span className="faint">–</span>}</td>
                  <td className="n">
                    <span className="tag">v{one.version}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

export default function LogPage(): ReactElement {
  const { log_id = '' } = useParams({ strict: false })
  const {
    data: log,
    error,
    refetch,
  } = useQuery({
    queryKey: ['logs', log_id],
    queryFn: () => answer(GET('/logs/{log_id}', { params: { path: { log_id } } })),
  })
  useEffect(() => {
    document.title = log ? `${log.method} ${log.route}, ${log.status} · Switchyard` : 'Request · Switchyard'
  }, [log])
  usePageObject(log === undefined ? null : { id: log_id, name: `${log.method} ${log.route}`, read: `/logs/${log_id}` })
  if (log === undefined)
    return (
      <>
        <h1 className="unseen">Request</h1>
        {error && <LoadError what="request" error={error} retry={() => void refetch()} />}
      </>
    )
  return (
    <>
      <div className="head of-object">
        <Breadcrumb list="/developers/logs" name="Request log" />
        <div>
          <h1>
            {log.method} {log.route}
          </h1>
          <div className="sub">
            <span>answered {log.status}</span>
            <span className="num">{log.latency_ms} ms</span>
            <Id id={log.log_id} />
          </div>
        </div>
      </div>
      <div className="beside">
        <div className="stack">
          {log.error_code && (
            <div className="note no">
              <div className="grow">
                <p>
                  <span className="code">{log.error_code}</span> {log.error_field && <span className="code">{log.error_field}</span>}
                </p>
                <p>{log.error_message}</p>
              </div>
            </div>
          )}
          <WhatItWrote events={log.events} />
          <Panel title="Members of the body" hint="names only; values are kept nowhere">
            <div className="in row-wrap">
              {log.members.length === 0 ? (
                <span className="faint">none</span>
              ) : (
                (log.members as string[]).map(name => (
                  <span key={name} className="code">
                    {name}
                  </span>
                ))
              )}
            </div>
          </Panel>
        </div>
        <aside aria-label="Details">
          <Details
            title="Request"
            lines={[
              [
                'Path',
                <span key="path" className="mono">
                  {log.path}
                </span>,
              ],
              ['Object', log.object_id && <ObjectLink key="object" id={log.object_id} whole />],
              ['Request id', <Id key="request" id={log.request_id} />],
              ['By', log.by],
              ['Address', log.address],
              ['Client', log.user_agent],
              ['When', <Exact key="when" at={log.created} />],
            ]}
          />
        </aside>
      </div>
    </>
  )
}
