import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import type { Event, Payment } from '../../interface'
import { answer, GET } from '../../interface'
import { Panel } from '../../parts/details'
import { Failed } from '../../parts/failed'
import { Id } from '../../parts/id'
import { type Family, familyOf, StatusMark } from '../../parts/status'
import { exactly, timeOfDay } from '../../parts/time'

/** The family of what a change was about: by the status it led to, else by its own name. */
function familyOfEvent({ type, set }: Event): Family {
  const status = (set as { status?: unknown } | null)?.status
  if (type.includes('unknown')) return 'unknown'
  if (/declined|failed|refused/.test(type)) return 'no'
  return typeof status === 'string' ? familyOf(status) : type === 'created' ? 'waits' : 'way'
}

const wordsOf = (type: string): string => type.replaceAll('_', ' ')

function Line({ event }: { event: Event }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const status = (event.set as { status?: unknown } | null)?.status
  return (
    <li>
      <time dateTime={event.created} title={exactly(event.created)}>
        {timeOfDay(event.created)}
      </time>
      <StatusMark family={familyOfEvent(event)} />
      <span className="muted lane">{event.object_id.split('_')[0] === 'ref' ? 'Refund' : 'Payment'}</span>
      <span className="says">
        <b className="strong">{wordsOf(event.type)}</b> {typeof status === 'string' && <span className="muted">now {status}</span>}
        {event.event_type && <span className="tag">{event.event_type}</span>}
      </span>
      <span className="ends">
        <span className="faint wide">{event.by?.split(' ')[0]}</span>
        <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          v{event.version}
        </Button>
      </span>
      {isOpen && (
        <div className="stack change">
          <Id id={event.event_id} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
          <pre tabIndex={0}>{`was ${JSON.stringify(event.was, null, 2)}\nset ${JSON.stringify(event.set, null, 2)}`}</pre>
        </div>
      )}
    </li>
  )
}

/** What happened, the latest first; `Every change` adds what merchants are not told of. */
export function Happened({ payment }: { payment: Payment }): ReactElement {
  const [isAll, setAll] = useState(false)
  const { payment_id } = payment
  const { data, error, refetch } = useQuery({
    queryKey: ['events', payment_id, payment.updated],
    queryFn: () => answer(GET('/events', { params: { query: { object_id: payment_id } } })),
    placeholderData: before => before,
  })
  const events = ((data?.data ?? []) as Event[]).toReversed()
  const shown = isAll ? events : events.filter(({ event_type, type }) => event_type !== null || type === 'created')
  return (
    <Panel
      title="What happened"
      hint="the latest first"
      acts={
        <Button variant="default" size="xs" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Only what is announced' : `Every change (${events.length})`}
        </Button>
      }
    >
      {error && data === undefined ? (
        <div className="in">
          <Failed what="Events" error={error} again={() => void refetch()} />
        </div>
      ) : (
        <ol className="happened">
          {shown.map(event => (
            <Line key={event.event_id} event={event} />
          ))}
        </ol>
      )}
    </Panel>
  )
}
