import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../api'
import { none } from '../parts/cells'
import { Details, Panel } from '../parts/details'
import { Id, ObjectLink } from '../parts/id'
import { ObjectHead, ObjectPage } from '../parts/object-page'
import { Table } from '../parts/table'
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
        <Table
          title="What it wrote"
          rows={events}
          keyOf={({ event_id }) => event_id}
          columns={[
            {
              name: 'What',
              cell: ({ type, kind }) => (
                <>
                  {type.replaceAll('_', ' ')} <span className="muted">{kind}</span>
                </>
              ),
            },
            { name: 'Object', cell: ({ object_id }) => <ObjectLink id={object_id} /> },
            {
              name: 'Event',
              cell: ({ event_type, event_id }) =>
                event_type ? (
                  <Link to="/developers/events/$event_id" params={{ event_id }} className="link">
                    {event_type}
                  </Link>
                ) : (
                  <span className="faint">no event</span>
                ),
            },
            { name: 'Delivery', cell: one => (one.event_type ? <Arrived is={one.is_delivery_successful} /> : none) },
            { name: 'Version', right: true, cell: ({ version }) => <span className="tag">v{version}</span> },
          ]}
        />
      )}
    </Panel>
  )
}

function About({ log }: { log: Schemas['RequestLogDetail'] }): ReactElement {
  return (
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
  )
}

export default function LogPage(): ReactElement {
  const { log_id = '' } = useParams({ strict: false })
  const asked = useQuery({
    queryKey: ['logs', log_id],
    queryFn: () => answer(GET('/logs/{log_id}', { params: { path: { log_id } } })),
  })
  return (
    <ObjectPage
      kind="request"
      asked={asked}
      object={({ method, route, status }) => ({
        id: log_id,
        name: `${method} ${route}`,
        read: `/logs/${log_id}`,
        tab: `${method} ${route}, ${status}`,
      })}
    >
      {log => (
        <>
          <ObjectHead
            list={{ to: '/developers/logs', name: 'Request log' }}
            title={`${log.method} ${log.route}`}
            sub={
              <>
                <span>answered {log.status}</span>
                <span className="num">{log.latency_ms} ms</span>
                <Id id={log.log_id} />
              </>
            }
          />
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
            <About log={log} />
          </div>
        </>
      )}
    </ObjectPage>
  )
}
