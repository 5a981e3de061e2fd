import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { Event, Operation } from '../../api'
import { Icon } from '../../parts/icons'
import { type Asked, partOf } from '../../parts/loaded'
import { Money } from '../../parts/money'
import { outsideAt } from '../../parts/processor'
import { Status } from '../../parts/status'
import { TablePanel } from '../../parts/table'
import { Ago } from '../../parts/time'
import { usePermission } from '../../session'

const Exchanges = lazy(() => import('../../parts/exchanges'))

/** Lists the requests to processors for a payout, oldest first. */
export function OperationsPanel({
  payout_id,
  operations,
}: {
  payout_id: string
  operations: Asked<{ data: readonly Operation[] }>
}): ReactElement {
  const mayReadLogs = usePermission()('logs:read')
  const [open, setOpen] = useState<string | null>(null)
  return (
    <TablePanel
      isStacked
      title="Operations"
      one="request"
      asked={partOf(operations, ({ data }) => data)}
      none={<p className="in muted">Nothing was sent to a processor.</p>}
      keyOf={({ request_id }) => request_id}
      beneath={({ request_id }) =>
        open === request_id && (
          <Suspense>
            <Exchanges of="payouts" object_id={payout_id} request_id={request_id} />
          </Suspense>
        )
      }
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
        {
          name: 'By',
          wide: true,
          cell: ({ by, purpose, connector }) => (purpose === 'external' ? outsideAt(connector) : (by ?? 'the service')),
        },
        {
          name: 'Answer',
          right: true,
          wide: true,
          cell: ({ latency_ms }) => (latency_ms === null ? <span className="faint">–</span> : `${latency_ms} ms`),
        },
        { name: 'Sent', right: true, cell: ({ sent_at }) => <Ago at={sent_at} /> },
        {
          name: '',
          right: true,
          cell: ({ request_id, exchanges }) =>
            exchanges > 0 &&
            mayReadLogs && (
              <button
                type="button"
                className="chip-link"
                aria-expanded={open === request_id}
                onClick={() => setOpen(open === request_id ? null : request_id)}
              >
                <Icon name="eye" size={12} /> {exchanges === 1 ? 'exchange' : `${exchanges} exchanges`}
              </button>
            ),
        },
      ]}
    />
  )
}

export const EventsPanel = ({ events }: { events: Asked<{ data: readonly Event[] }> }): ReactElement => (
  <TablePanel
    isStacked
    title="Events"
    one="change"
    asked={partOf(events, ({ data }) => data)}
    none={<p className="in muted">Nothing has happened yet.</p>}
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
