import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { eventCatalogue } from '../../../../src/events/catalogue.ts'
import { answer, POST, type Schemas } from '../api'
import { plural } from '../format'
import { useLiveList } from '../live'
import { EmptyState } from '../parts/empty-state'
import { type Chosen, type Filter, Filters, useChosen } from '../parts/filters'
import { Id, ObjectLink } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Pagination } from '../parts/pagination'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { useSession } from '../session'

type Listed = Schemas['EventList']['events'][number]

const LIMIT = 50

const filters: readonly Filter[] = [
  {
    name: 'event_types',
    label: 'Type',
    kind: 'any of',
    choices: Object.keys(eventCatalogue).map(value => ({ value, label: value })),
  },
  {
    name: 'is_delivered',
    label: 'Arrived',
    kind: 'one of',
    choices: [
      { value: 'true', label: 'everywhere' },
      { value: 'false', label: 'not everywhere' },
    ],
  },
  { name: 'object_id', label: 'Object', kind: 'text', hint: 'pay_…' },
]

/**
 * Shows whether all endpoints have received the event, as the interface reports; null if there is no endpoint for it.
 */
export function Arrived({ is }: { is: boolean | null }): ReactElement {
  if (is === null) return <span className="faint">no endpoint</span>
  return is ? <Status status="delivered" /> : <Status status="not delivered" family="person" />
}

const columns: readonly Column<Listed>[] = [
  { name: 'Event', cell: event => event.event_type },
  { name: 'Object', cell: event => <ObjectLink id={event.object_id} /> },
  { name: 'Delivery', cell: event => <Arrived is={event.is_delivery_successful} /> },
  { name: 'Id', wide: true, cell: event => <Id id={event.event_id} short /> },
  { name: 'When', right: true, cell: event => <Ago at={event.created} /> },
]

/**
 * Returns the request for an address of this page. A search by object returns the whole history of the object, and
 * accepts no other filter.
 */
function bodyOf({ event_types, is_delivered, object_id, offset }: Chosen): Schemas['SearchEventsRequest'] {
  const page = { limit: LIMIT, offset: Number(offset ?? 0) }
  if (object_id) return { object_id }
  return {
    ...page,
    ...(event_types && { event_types: event_types.split(',') }),
    ...(is_delivered && { is_delivered: is_delivered === 'true' }),
  }
}

export default function Events(): ReactElement {
  const chosen = useChosen()
  const navigate = useNavigate()
  const merchant_id = useSession().user?.merchant_id ?? ''
  const { offset = '0', ...rest } = chosen
  const { data, rows, newer, error, isPlaceholderData, refetch } = useLiveList({
    of: 'everything',
    key: ['events', 'list', chosen],
    ask: () => answer(POST('/events/{merchant_id}', { params: { path: { merchant_id } }, body: bodyOf(chosen) })),
    rowsOf: found => found.events,
    idOf: event => event.event_id,
    isFirst: offset === '0',
  })
  useEffect(() => {
    document.title = 'Events · Switchyard'
  }, [])
  const show = (search: Chosen) => void navigate({ to: '/developers/events', search })
  const choose = (name: string, value: string) => {
    const { object_id: _, ...others } = rest
    show(name === 'object_id' ? { object_id: value } : { ...others, [name]: value })
  }
  const at = Number(offset)
  const total = data?.total_count ?? 0
  const isFiltered = Object.values(rest).some(Boolean)
  return (
    <>
      <div className="head">
        <h1>Events</h1>
      </div>
      <Filters filters={filters} chosen={chosen} choose={choose} every />
      <List
        of="Events"
        columns={columns}
        rows={rows}
        newer={newer}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={event => event.event_id}
        to={event => `/developers/events/${event.event_id}`}
        empty={
          <EmptyState
            clear={isFiltered ? () => show({}) : null}
            title="Nothing has happened in the last 90 days."
            hint="A payment makes the first event."
          />
        }
        foot={
          data && (
            <Pagination
              newer={at > 0 ? () => show({ ...rest, offset: at > LIMIT ? String(at - LIMIT) : '' }) : null}
              older={at + data.events.length < total && !rest.object_id ? () => show({ ...rest, offset: String(at + LIMIT) }) : null}
              text={plural(total, 'event')}
            />
          )
        }
      />
    </>
  )
}
