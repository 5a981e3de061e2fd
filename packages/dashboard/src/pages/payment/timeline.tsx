import { Link } from '@tanstack/react-router'
import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import type { Operation, TimelineLine } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { Icon } from '../../parts/icons'
import { Id, ObjectLink } from '../../parts/id'
import { type Asked, Loaded } from '../../parts/loaded'
import { Money } from '../../parts/money'
import { outsideAt } from '../../parts/processor'
import { StatusMark } from '../../parts/status'
import { type Family, familyOf } from '../../parts/status-families'
import { exactly, timeOfDay } from '../../parts/time'
import { useLabels } from '../../queries'
import { usePermission } from '../../session'

const Exchanges = lazy(() => import('../../parts/exchanges'))

type Kind = TimelineLine['kind']

/** The groups of lines that can be shown or hidden. Deliveries are shown with their event. */
const lanes: readonly { name: string; one: string; kinds: readonly Kind[] }[] = [
  { name: 'Requests', one: 'Request', kinds: ['request'] },
  { name: 'Decisions', one: 'Decision', kinds: ['decision'] },
  { name: 'Attempts', one: 'Attempt', kinds: ['attempt'] },
  { name: 'Operations', one: 'Operation', kinds: ['operation'] },
  { name: 'Webhooks in', one: 'Webhook', kinds: ['webhook'] },
  { name: 'Events', one: 'Event', kinds: ['event'] },
  { name: 'Deliveries', one: 'Delivery', kinds: ['delivery'] },
  { name: 'Ledger', one: 'Ledger', kinds: ['ledger'] },
  { name: 'Every change', one: 'Change', kinds: ['change'] },
]
const laneOf = (kind: Kind) => lanes.find(({ kinds }) => kinds.includes(kind))
const hiddenAtFirst = ['Every change', 'Ledger', 'Deliveries']

const readable = (text: string): string => text.replaceAll('_', ' ')

function familyOfLine(line: TimelineLine): Family {
  if (line.kind === 'request') return line.status < 400 ? 'done' : 'no'
  if (line.kind === 'attempt' || line.kind === 'operation') return line.state === 'open' ? 'way' : familyOf(line.state)
  if (line.kind === 'delivery') return familyOf(line.status)
  if (line.kind === 'event')
    return /failed|declined|lost/.test(line.event_type) ? 'no' : line.event_type.includes('processing') ? 'way' : 'done'
  return 'waits'
}

/** Shows the icon of a line: a status icon, or an icon of the kind for lines without a status. */
function Mark({ line }: { line: TimelineLine }): ReactElement {
  if (line.kind === 'decision') return <Icon name="mark" size={14} />
  if (line.kind === 'ledger') return <Icon name="scales" size={14} />
  if (line.kind === 'webhook') return <Icon name="hook" size={14} />
  return <StatusMark family={familyOfLine(line)} />
}

/**
 * Describes a routing decision: the first account, the accounts after it, and the number left out. The drawing of the
 * decision shows the rest.
 */
function Decided({ routing }: { routing: Extract<TimelineLine, { kind: 'decision' }>['routing'] }): ReactElement {
  const labelOf = useLabels()
  const name = (one: { merchant_connector_id: string; connector: string | null }) => labelOf(one.merchant_connector_id, one.connector)
  const [first, ...others] = routing.connectors
  const out = routing.left_out ?? []
  return (
    <>
      <b className="strong">{first ? name(first) : 'nobody'} first</b>
      <span className="muted">
        {routing.rule && ` by rule ${routing.rule}`}
        {others.length > 0 && `, then ${others.slice(0, 2).map(name).join(', ')}`}
        {others.length > 2 && ` and ${others.length - 2} more`}
        {out.length > 0 && (
          <span title={out.map(one => `${name(one)}: ${one.reason}`).join('\n')}>; {plural(out.length, 'account')} left out</span>
        )}
      </span>
    </>
  )
}

/** Describes an operation that nobody here began: `refund 20.00 EUR at Stripe, outside`. */
function describeOutside({ verb, state, amount, currency }: OperationLine, connector: string | undefined): ReactElement {
  return (
    <>
      <b className="strong">
        {readable(verb)} {state !== 'done' && readable(state)}
      </b>{' '}
      <Money amount={amount} currency={currency} /> <span className="c-person">{outsideAt(connector)}</span>
    </>
  )
}

function describe(line: TimelineLine, connector: string | undefined): ReactNode {
  switch (line.kind) {
    case 'request':
      return (
        <>
          <b className="strong">
            {line.method} {line.route}
          </b>{' '}
          <span className="muted">answered {line.status}</span> {line.error_code && <span className="code">{line.error_code}</span>}
        </>
      )
    case 'attempt':
    case 'operation':
      if (line.purpose === 'external') return describeOutside(line, connector)
      return (
        <>
          <b className="strong">
            {readable(line.verb)} {line.state === 'open' ? 'sent' : readable(line.state)}
          </b>{' '}
          <Money amount={line.amount} currency={line.currency} />{' '}
          <span className="muted">
            {line.state === 'open' ? 'to' : 'by'} {line.connector_label ?? line.merchant_connector_id}
          </span>{' '}
          {line.error_code && <span className="code">{line.error_code}</span>}
        </>
      )
    case 'webhook':
      return (
        <>
          <b className="strong">{readable(line.type)}</b> <span className="muted">told by {line.connector_label ?? 'the processor'}</span>
        </>
      )
    case 'event':
      return (
        <>
          <b className="strong">{line.event_type}</b> {line.type.endsWith('_outside') && <span className="muted">made outside</span>}
        </>
      )
    case 'change':
      return <b className="strong">{readable(line.type)}</b>
    case 'ledger':
      return (
        <>
          <b className="strong">{readable(line.type)}</b>{' '}
          <span className="muted">{line.lines.map(({ account, debit }) => `${debit > 0 ? 'debit' : 'credit'} ${account}`).join(', ')}</span>
        </>
      )
    case 'delivery':
      return (
        <>
          <b className="strong">{line.status}</b>{' '}
          <span className="muted">{line.status_code === null ? (line.error ?? 'not tried yet') : `answered ${line.status_code}`}</span>
        </>
      )
    case 'decision':
      return <Decided routing={line.routing} />
  }
}

type OperationLine = Extract<TimelineLine, { kind: 'attempt' | 'operation' }>
type Delivery = Extract<TimelineLine, { kind: 'delivery' }>

/** Shows the deliveries of an event: one icon for each endpoint. */
function Deliveries({ of }: { of: readonly Delivery[] }): ReactElement {
  return (
    <>
      {of.map(({ id, endpoint_id, status, status_code, error, tries }) => (
        <Link
          key={id}
          to="/developers/webhooks"
          search={{ endpoint_id }}
          className="chip-link"
          title={`${endpoint_id}: ${status}, ${plural(tries, 'try', 'tries')}${error ? `, ${error}` : ''}`}
        >
          <Icon name="hook" size={12} />
          <StatusMark family={familyOf(status)} size={12} />
          {status_code ?? status}
        </Link>
      ))}
    </>
  )
}

type LineProps = {
  payment_id: string
  line: TimelineLine
  deliveries: readonly Delivery[]
  operation: Operation | undefined
  isLast: boolean
}

/** Shows one line. The ids in it link to other pages. */
function Line({ payment_id, line, deliveries, operation, isLast }: LineProps): ReactElement {
  const maySee = usePermission()('logs:read')
  const [isOpen, setOpen] = useState(false)
  const exchanges = isLast ? (operation?.exchanges ?? 0) : 0
  const took = line.kind === 'request' ? line.latency_ms : null
  return (
    <li>
      <time dateTime={line.at} title={exactly(line.at)}>
        {timeOfDay(line.at)}
      </time>
      <span className="thread">
        <Mark line={line} />
      </span>
      <span className="muted lane">{line.kind === 'attempt' ? `Attempt ${line.attempt}` : laneOf(line.kind)?.one}</span>
      <span className="says">{describe(line, operation?.connector)}</span>
      <span className="ends">
        {line.kind === 'operation' && line.refund_id && <ObjectLink id={line.refund_id} />}
        {line.kind === 'request' && <ObjectLink id={line.id} />}
        {line.kind === 'event' && <Id id={line.id} short />}
        <Deliveries of={deliveries} />
        {exchanges > 0 && maySee && (
          <button type="button" className="chip-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name="eye" size={12} /> {exchanges === 1 ? 'exchange' : `${exchanges} exchanges`}
          </button>
        )}
        {took !== null && <span className="faint num">{took.toLocaleString('en')} ms</span>}
        {line.version !== null && <span className="tag">v{line.version}</span>}
      </span>
      {isOpen && (
        <Suspense>
          <Exchanges of="payments" object_id={payment_id} request_id={line.id} />
        </Suspense>
      )}
    </li>
  )
}

type LanesProps = { lines: readonly TimelineLine[]; hidden: readonly string[]; hide(names: readonly string[]): void }

/** Shows a button for each lane that has lines, which shows or hides them. */
function Lanes({ lines, hidden, hide }: LanesProps): ReactElement {
  const present = lanes
    .map(({ name, kinds }) => ({ name, count: lines.filter(({ kind }) => kinds.includes(kind)).length }))
    .filter(({ count }) => count > 0)
  return (
    <div className="lanes">
      {present.map(({ name, count }) => {
        const isOn = !hidden.includes(name)
        const toggle = () => hide(isOn ? [...hidden, name] : hidden.filter(one => one !== name))
        return (
          <span key={name} className={isOn ? 'chip on' : 'chip'}>
            <button type="button" aria-pressed={isOn} onClick={toggle}>
              {name} <b>{count}</b>
            </button>
          </span>
        )
      })}
    </div>
  )
}

type Props = { payment_id: string; asked: Asked<{ data: readonly TimelineLine[] }>; operations: readonly Operation[] }

/** Shows the history of a payment from the request to the ledger, the latest line first. */
export function Timeline({ payment_id, asked, operations }: Props): ReactElement {
  const [hidden, setHidden] = useState<readonly string[]>(hiddenAtFirst)
  const lines = asked.data?.data ?? []
  const shown = lines.filter(({ kind }) => {
    const lane = laneOf(kind)
    return lane !== undefined && !hidden.includes(lane.name)
  })
  const deliveries = lines.filter((line): line is Delivery => line.kind === 'delivery')
  // An operation has one line for each of its states. The exchange with the processor is shown at the last of them.
  const lastOf = new Map(shown.flatMap(line => (line.kind === 'attempt' || line.kind === 'operation' ? [[line.id, line] as const] : [])))
  return (
    <Panel title="What happened" hint="the latest first">
      <Loaded what="What happened" asked={asked} isPadded>
        {() => (
          <>
            <Lanes lines={lines} hidden={hidden} hide={setHidden} />
            <ol className="timeline">
              {shown.toReversed().map((line, at) => (
                <Line
                  // biome-ignore lint/suspicious/noArrayIndexKey: one operation has a line for each of its states
                  key={`${line.kind} ${line.id} ${at}`}
                  payment_id={payment_id}
                  line={line}
                  deliveries={line.kind === 'event' ? deliveries.filter(({ event_id }) => event_id === line.id) : []}
                  operation={operations.find(({ request_id }) => request_id === line.id)}
                  isLast={lastOf.get(line.id) === line}
                />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </Panel>
  )
}
