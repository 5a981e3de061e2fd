import type { ReactElement } from 'react'
import { eventCatalogue } from '../../../../src/base/event-types.ts'
import { answer, POST, type Schemas } from '../api'
import { type Chosen, choicesOf, LIMIT } from '../list-address'
import { Id, ObjectLink } from '../parts/id'
import { ListPage, type Resource } from '../parts/list-page'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { userOfTab } from '../session'

/**
 * Shows whether all endpoints have received the event, as the interface reports; null if there is no endpoint for it.
 */
export function Arrived({ is }: { is: boolean | null }): ReactElement {
  if (is === null) return <span className="faint">no endpoint</span>
  return is ? <Status status="delivered" /> : <Status status="not delivered" family="person" />
}

/**
 * Returns the request for an address of this page. A search by object returns the whole history of the object, and
 * accepts no other filter.
 */
const bodyOf = ({ event_types, is_delivered, object_id, offset }: Chosen): Schemas['SearchEventsRequest'] =>
  object_id
    ? { object_id }
    : {
        ...{ limit: LIMIT, offset: Number(offset ?? 0) },
        ...(event_types && { event_types: event_types.split(',') }),
        ...(is_delivered && { is_delivered: is_delivered === 'true' }),
      }

const events: Resource<Schemas['EventList']['events'][number], Schemas['EventList']> = {
  title: 'Events',
  path: '/developers/events',
  one: 'event',
  key: 'events',
  live: 'everything',
  read: (_, chosen) => {
    const params = { path: { merchant_id: userOfTab()?.merchant_id ?? '' } }
    return answer(POST('/events/{merchant_id}', { params, body: bodyOf(chosen) }))
  },
  rowsOf: found => found.events,
  totalOf: ({ total_count }) => total_count,
  isByOffset: true,
  isLast: ({ object_id }) => Boolean(object_id),
  chosenWith: ({ object_id: _, ...others }, name, value) => (name === 'object_id' ? { object_id: value } : { ...others, [name]: value }),
  idOf: ({ event_id }) => event_id,
  to: ({ event_id }) => `/developers/events/${event_id}`,
  columns: [
    { name: 'Event', cell: event => event.event_type },
    { name: 'Object', cell: event => <ObjectLink id={event.object_id} /> },
    { name: 'Delivery', cell: event => <Arrived is={event.is_delivery_successful} /> },
    { name: 'Id', wide: true, cell: event => <Id id={event.event_id} short /> },
    { name: 'When', right: true, cell: event => <Ago at={event.created} /> },
  ],
  filters: [
    { name: 'event_types', label: 'Type', kind: 'any of', choices: choicesOf(Object.keys(eventCatalogue)) },
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
  ],
  empty: { title: 'Nothing has happened in the last 90 days.', hint: 'A payment makes the first event.' },
}

export default function Events(): ReactElement {
  return <ListPage of={events} />
}
