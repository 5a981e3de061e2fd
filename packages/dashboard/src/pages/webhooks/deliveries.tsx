import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { type Chosen, Filters } from '../../parts/filters'
import { ObjectLink } from '../../parts/id'
import { LoadError } from '../../parts/load-error'
import { Pagination } from '../../parts/pagination'
import { Status } from '../../parts/status'
import { Ago, Due } from '../../parts/time'
import { usePermission } from '../../session'

const Replay = lazy(() => import('./replay'))

type Delivery = Schemas['Delivery']
type Props = { endpoint: Schemas['WebhookEndpoint']; chosen: Chosen; health: Schemas['WebhookEndpointHealth'] | undefined }

const LIMIT = 50

/** Lists the deliveries to an endpoint, sent and waiting. Each links to its attempts. */
export function Deliveries({ endpoint, chosen, health }: Props): ReactElement {
  const { endpoint_id } = endpoint
  const navigate = useNavigate()
  const queries = useQueryClient()
  const may = usePermission()
  const [isReplaying, setReplaying] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
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
      {notice !== null && (
        <p className="note plain" role="status">
          {notice}
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
          <LoadError what="Deliveries" error={error} retry={() => void refetch()} />
        </div>
      ) : rows?.length === 0 ? (
        <p className="blank">Nothing was sent to it{status ? ' that is so' : ' yet'}.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw" tabIndex={0} aria-label="Deliveries of this endpoint">
          <table aria-label="Deliveries of this endpoint">
            <thead>
              <tr>
                {['Status', 'Event', 'Object', 'Answer', 'DeliveryAttempts', 'Next', 'When'].map((name, at) => (
                  <th key={name} scope="col" className={at > 3 ? 'n' : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows?.map(one => (
                <tr key={one.event_id} aria-current={one.event_id === chosen.event_id ? 'true' : undefined}>
                  <td>
                    <Status status={one.status} />
                  </td>
                  <td>
                    <Link
                      to="/developers/webhooks"
                      search={{ ...chosen, endpoint_id, event_id: one.event_id }}
                      resetScroll={false}
                      className="row-link link"
                    >
                      {one.event_type ?? one.type}
                    </Link>
                  </td>
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
                  <td className="n num">
                    {one.tries} of {one.most_tries}
                  </td>
                  <td className="n">
                    <Due at={one.next_try_at} />
                  </td>
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
        <Pagination
          older={rows.length === LIMIT ? () => show({ status: status ?? '', starting_after: rows.at(-1)!.event_id }) : null}
          newer={starting_after ? () => show({ status: status ?? '' }) : null}
          text={plural(rows.length, 'delivery', 'deliveries')}
        />
      )}
      <Suspense>
        {isReplaying && (
          <Replay
            endpoint={endpoint}
            close={queued => {
              setReplaying(false)
              if (queued === null) return
              setNotice(`${plural(queued, 'event')} will be sent again.`)
              void queries.invalidateQueries({ queryKey: ['webhooks', endpoint_id] })
            }}
          />
        )}
      </Suspense>
    </Panel>
  )
}
