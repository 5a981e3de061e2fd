import type { ReactElement } from 'react'
import type { Operation } from '../../facts'
import type { Event } from '../../interface'
import { Money } from '../../parts/money'
import { type Asked, Rows } from '../../parts/rows'
import { Status } from '../../parts/status'
import { Ago } from '../../parts/time'

/** What was asked of processors, oldest first. */
export const OperationsPanel = ({ operations }: { operations: Asked<Operation> }): ReactElement => (
  <Rows
    title="Operations"
    one="request"
    asked={operations}
    none="Nothing was sent to a processor."
    keyOf={({ request_id }) => request_id}
    columns={[
      { name: 'Verb', cell: ({ verb }) => verb.replaceAll('_', ' ') },
      {
        name: 'State',
        cell: ({ state, error_code }) => (
          <span className="row">
            <Status status={state} />
            {error_code && <span className="code">{error_code}</span>}
          </span>
        ),
      },
      { name: 'Amount', right: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
      { name: 'Account', wide: true, cell: ({ connector_label, connector }) => connector_label ?? connector },
      { name: 'By', wide: true, cell: ({ by }) => by ?? 'the service' },
      {
        name: 'Answer',
        right: true,
        wide: true,
        cell: ({ latency_ms }) => (latency_ms === null ? <span className="faint">–</span> : `${latency_ms} ms`),
      },
      { name: 'Sent', right: true, cell: ({ sent_at }) => <Ago at={sent_at} /> },
    ]}
  />
)

/** What merchants were told of it. */
export const EventsPanel = ({ events }: { events: Asked<Event> }): ReactElement => (
  <Rows
    title="Events"
    one="change"
    asked={events}
    none="Nothing has happened yet."
    keyOf={({ event_id }) => event_id}
    columns={[
      { name: 'What happened', cell: ({ type }) => type.replaceAll('_', ' ') },
      { name: 'Event', cell: ({ event_type }) => event_type ?? <span className="faint">only recorded</span> },
      {
        name: 'Delivery',
        wide: true,
        cell: ({ event_type, is_delivery_successful }) =>
          event_type === null ? null : typeof is_delivery_successful === 'boolean' ? (
            <Status status={is_delivery_successful ? 'delivered' : 'pending'} />
          ) : (
            <span className="faint">nobody is subscribed</span>
          ),
      },
      { name: 'By', wide: true, cell: ({ by }) => by ?? 'the service' },
      { name: 'When', right: true, cell: ({ created }) => <Ago at={created} /> },
    ]}
  />
)
