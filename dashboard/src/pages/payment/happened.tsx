import { Link } from '@tanstack/react-router'
import { type ReactElement, type ReactNode, useState } from 'react'
import type { TimelineLine } from '../../facts'
import { Panel } from '../../parts/details'
import { Failed } from '../../parts/failed'
import { Money } from '../../parts/money'
import { type Family, familyOf, StatusMark } from '../../parts/status'
import { exactly, timeOfDay } from '../../parts/time'

type Kind = TimelineLine['kind']

/** What can be shown or left out; a decision has a drawing of its own. */
const lanes: readonly { name: string; one: string; kinds: readonly Kind[] }[] = [
  { name: 'Requests', one: 'Request', kinds: ['request'] },
  { name: 'Attempts', one: 'Attempt', kinds: ['attempt'] },
  { name: 'Operations', one: 'Operation', kinds: ['operation'] },
  { name: 'Webhooks in', one: 'Webhook', kinds: ['webhook'] },
  { name: 'Events', one: 'Event', kinds: ['event'] },
  { name: 'Deliveries', one: 'Delivery', kinds: ['delivery'] },
  { name: 'Ledger', one: 'Ledger', kinds: ['ledger'] },
  { name: 'Every change', one: 'Change', kinds: ['change'] },
]
const laneOf = (kind: Kind) => lanes.find(({ kinds }) => kinds.includes(kind))
const hiddenAtFirst = ['Every change', 'Ledger']

const words = (text: string): string => text.replaceAll('_', ' ')

function familyOfLine(line: TimelineLine): Family {
  if (line.kind === 'request') return line.status < 400 ? 'done' : 'no'
  if (line.kind === 'attempt' || line.kind === 'operation') return line.state === 'open' ? 'way' : familyOf(line.state)
  if (line.kind === 'delivery') return familyOf(line.status)
  if (line.kind === 'event')
    return /failed|declined|lost/.test(line.event_type) ? 'no' : line.event_type.includes('processing') ? 'way' : 'done'
  if (line.kind === 'ledger') return 'done'
  return 'waits'
}

/** A sentence with the words of the interface. */
function says(line: TimelineLine): ReactNode {
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
      return (
        <>
          <b className="strong">
            {words(line.verb)} {line.state === 'open' ? 'sent' : words(line.state)}
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
          <b className="strong">{words(line.type)}</b> <span className="muted">told by {line.connector_label ?? 'the processor'}</span>
        </>
      )
    case 'event':
      return <b className="strong">{line.event_type}</b>
    case 'change':
      return <b className="strong">{words(line.type)}</b>
    case 'ledger':
      return (
        <>
          <b className="strong">{words(line.type)}</b>{' '}
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
      return <b className="strong">decided</b>
  }
}

function Line({ line }: { line: TimelineLine }): ReactElement {
  const took = line.kind === 'request' || line.kind === 'delivery' ? line.latency_ms : null
  const refund = line.kind === 'operation' ? line.refund_id : null
  return (
    <li>
      <time dateTime={line.at} title={exactly(line.at)}>
        {timeOfDay(line.at)}
      </time>
      <StatusMark family={familyOfLine(line)} />
      <span className="muted lane">{line.kind === 'attempt' ? `Attempt ${line.attempt}` : laneOf(line.kind)?.one}</span>
      <span className="says">{says(line)}</span>
      <span className="ends">
        {refund && (
          <Link to="/refunds/$refund_id" params={{ refund_id: refund }} className="link">
            refund
          </Link>
        )}
        {took !== null && took !== undefined && <span className="faint num">{took} ms</span>}
        {line.version !== null && <span className="tag">v{line.version}</span>}
      </span>
    </li>
  )
}

type Props = { lines: readonly TimelineLine[] | undefined; error: unknown; again(): void }

/** What happened, the latest first, from the request to the ledger. */
export function Happened({ lines, error, again }: Props): ReactElement {
  const [hidden, setHidden] = useState<readonly string[]>(hiddenAtFirst)
  const present = lanes
    .map(lane => ({ ...lane, count: lines?.filter(({ kind }) => lane.kinds.includes(kind)).length ?? 0 }))
    .filter(({ count }) => count > 0)
  const shown = (lines ?? []).filter(({ kind }) => {
    const lane = laneOf(kind)
    return lane !== undefined && !hidden.includes(lane.name)
  })
  return (
    <Panel title="What happened" hint="the latest first">
      {error && lines === undefined ? (
        <div className="in">
          <Failed what="What happened" error={error} again={again} />
        </div>
      ) : (
        <>
          <div className="lanes">
            {present.map(({ name, count }) => {
              const isOn = !hidden.includes(name)
              const toggle = () => setHidden(isOn ? [...hidden, name] : hidden.filter(one => one !== name))
              return (
                <span key={name} className={isOn ? 'chip on' : 'chip'}>
                  <button type="button" aria-pressed={isOn} onClick={toggle}>
                    {name} <b>{count}</b>
                  </button>
                </span>
              )
            })}
          </div>
          <ol className="happened">
            {shown.toReversed().map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one operation has a line for each of its states
              <Line key={`${line.kind} ${line.id} ${at}`} line={line} />
            ))}
          </ol>
        </>
      )}
    </Panel>
  )
}
