import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { plural } from '../../format'
import { type Chosen, choicesOf, LIMIT } from '../../list-address'
import { none } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { type Filter, Filters } from '../../parts/filters'
import { ObjectLink } from '../../parts/id'
import { Loaded, partOf } from '../../parts/loaded'
import { Pagination } from '../../parts/pagination'
import { Status } from '../../parts/status'
import { Table } from '../../parts/table'
import { Ago, Due } from '../../parts/time'
import { usePermission } from '../../session'

const Replay = lazy(() => import('./replay'))

type Delivery = Schemas['Delivery']
type Props = { endpoint: Schemas['WebhookEndpoint']; chosen: Chosen; health: Schemas['WebhookEndpointHealth'] | undefined }

const filters: readonly Filter[] = [
  { name: 'status', label: 'Status', kind: 'one of', choices: choicesOf(['pending', 'delivered', 'dead']) },
]

type TableProps = { rows: readonly Delivery[] | undefined; chosen: Chosen; endpoint_id: string }

function DeliveryTable({ rows, chosen, endpoint_id }: TableProps): ReactElement {
  return (
    <Table
      title="Deliveries of this endpoint"
      rows={rows}
      keyOf={({ event_id }) => event_id}
      isCurrent={({ event_id }) => event_id === chosen.event_id}
      columns={[
        { name: 'Status', cell: ({ status }) => <Status status={status} /> },
        {
          name: 'Event',
          cell: ({ event_id, event_type, type }) => (
            <Link to="/developers/webhooks" search={{ ...chosen, endpoint_id, event_id }} resetScroll={false} className="row-link link">
              {event_type ?? type}
            </Link>
          ),
        },
        { name: 'Object', look: 'mono', cell: ({ object_id }) => <ObjectLink id={object_id} /> },
        { name: 'Answer', cell: ({ last }) => (last ? <LastAnswer of={last} /> : none) },
        { name: 'Tries', right: true, look: 'num', cell: ({ tries, most_tries }) => `${tries} of ${most_tries}` },
        { name: 'Next', right: true, cell: ({ next_try_at }) => <Due at={next_try_at} /> },
        { name: 'When', right: true, cell: ({ created }) => <Ago at={created} /> },
      ]}
    />
  )
}

function LastAnswer({ of: { status_code, error, latency_ms } }: { of: NonNullable<Delivery['last']> }): ReactElement {
  return (
    <span className="muted">
      {status_code ?? error} {latency_ms !== null && `in ${latency_ms} ms`}
    </span>
  )
}

/** Shows a button that opens the dialog for a replay, and how many events were queued. */
function useReplay({ endpoint }: Pick<Props, 'endpoint'>): { button: ReactElement | null; dialog: ReactElement } {
  const queries = useQueryClient()
  const may = usePermission()('webhooks:replay')
  const [isOpen, setOpen] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const closed = (queued: number | null) => {
    setOpen(false)
    if (queued === null) return
    setNotice(`${plural(queued, 'event')} will be sent again.`)
    void queries.invalidateQueries({ queryKey: ['webhooks', endpoint.endpoint_id] })
  }
  return {
    button: may ? (
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        Replay…
      </Button>
    ) : null,
    dialog: (
      <>
        {notice !== null && (
          <p className="note plain" role="status">
            {notice}
          </p>
        )}
        <Suspense>{isOpen && <Replay endpoint={endpoint} close={closed} />}</Suspense>
      </>
    ),
  }
}

/** Lists the deliveries to an endpoint, sent and waiting. Each links to its attempts. */
export function Deliveries({ endpoint, chosen, health }: Props): ReactElement {
  const { endpoint_id } = endpoint
  const navigate = useNavigate()
  const { button, dialog } = useReplay({ endpoint })
  const { status = '', starting_after } = chosen
  const asked = useQuery({
    queryKey: ['webhooks', endpoint_id, 'deliveries', status, starting_after],
    queryFn: () => {
      const query = { ...(status && { status: status as 'dead' }), starting_after, limit: LIMIT }
      return answer(GET('/webhook_endpoints/{endpoint_id}/deliveries', { params: { path: { endpoint_id }, query } }))
    },
    placeholderData: before => before,
  })
  const show = (search: Chosen) => void navigate({ to: '/developers/webhooks', search: { endpoint_id, ...search } })
  return (
    <Panel
      title="Deliveries"
      hint={health && `${health.delivered} of ${health.tried} arrived in ${health.window}, ${health.waiting} wait, ${health.dead} given up`}
      acts={button}
    >
      {dialog}
      <div className="in tight">
        <Filters filters={filters} chosen={chosen} choose={(_, value) => show({ status: value })} />
      </div>
      <Loaded what="Deliveries" asked={partOf(asked, ({ data }) => data as Delivery[])} isPadded>
        {rows =>
          rows?.length === 0 ? (
            <p className="blank">Nothing was sent to it{status ? ' that is so' : ' yet'}.</p>
          ) : (
            <>
              <DeliveryTable rows={rows} chosen={chosen} endpoint_id={endpoint_id} />
              {rows && (
                <Pagination
                  older={rows.length === LIMIT ? () => show({ status, starting_after: rows.at(-1)!.event_id }) : null}
                  newer={starting_after ? () => show({ status }) : null}
                  text={plural(rows.length, 'delivery', 'deliveries')}
                />
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
