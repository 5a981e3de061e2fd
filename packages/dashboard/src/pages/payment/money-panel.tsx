import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Operation, Payment, Refund, TimelineLine } from '../../api'
import { plural } from '../../format'
import { MadeBy, none } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { Money, withCurrency } from '../../parts/money'
import { Status, StatusMark } from '../../parts/status'
import { Table } from '../../parts/table'
import { Ago, Due } from '../../parts/time'
import { usePermission } from '../../session'
import { isUncertain, sumsOf, uncertainOf } from '../../summaries'
import { Contradicted, isContradicted, MovedOutside } from './outside'
import { Settlement } from './settlement'
import { WhyFailed } from './why-failed'

type Part = { name: 'kept' | 'uncertain' | 'returned' | 'disputed' | 'held'; amount: number; label: string }

const fills: Record<Part['name'], string> = {
  kept: 'var(--done-fill)',
  disputed: 'var(--person-fill)',
  uncertain: 'url(#hatch)',
  returned: 'var(--rest-fill)',
  held: 'var(--held)',
}

/** Shows a bar with a part for each amount. Every part is wide enough to be visible. */
function Bar({ parts }: { parts: readonly Part[] }): ReactElement | null {
  const there = parts.filter(({ amount }) => amount > 0)
  const total = there.reduce((all, { amount }) => all + amount, 0)
  if (total === 0) return null
  const widths = there.map(({ amount }) => Math.max(8, (amount / total) * 1000))
  const wide = widths.reduce((all, width) => all + width, 0)
  let at = 0
  return (
    <svg
      className="money-bar"
      viewBox={`0 0 ${wide} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={there.map(({ label }) => label).join('; ')}
    >
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" fill="var(--bg)" />
          <rect width="3" height="6" fill="var(--unknown-fill)" />
        </pattern>
      </defs>
      {there.map(({ name }, i) => {
        const x = at
        at += widths[i]!
        return <rect key={name} fill={fills[name]} x={x} width={Math.max(0, widths[i]! - (i < there.length - 1 ? 3 : 0))} height="10" />
      })}
    </svg>
  )
}

type LedgerLine = Extract<TimelineLine, { kind: 'ledger' }>

function Proof({ lines }: { lines: readonly TimelineLine[] }): ReactElement | null {
  const entries = lines.filter((line): line is LedgerLine => line.kind === 'ledger')
  if (entries.length === 0) return null
  const off = entries.flatMap(entry => entry.lines).reduce((all, { debit, credit }) => all + BigInt(debit) - BigInt(credit), 0n)
  const currency = entries[0]!.currency
  return (
    <span className="row">
      <StatusMark family={off === 0n ? 'done' : 'person'} />
      <span className="muted">
        {off === 0n
          ? `Ledger: ${plural(entries.length, 'entry', 'entries')}, balanced`
          : `Ledger differs by ${withCurrency(off < 0n ? -off : off, currency)}`}
      </span>
    </span>
  )
}

type Uncertain = { payment: Payment; operation: Operation | undefined; sync(): void }

/**
 * Shows a note about operations with an uncertain result. The note is shown above the actions, so that the user reads
 * it before starting another one.
 */
function NotCertain({ payment, operation, sync }: Uncertain): ReactElement | null {
  const open = (payment.refunds ?? []).find(one => isUncertain(one as Refund))
  if (operation === undefined && open === undefined) return null
  const amount = withCurrency(operation?.amount ?? open!.amount, payment.currency)
  const isRefund = operation === undefined || operation.verb === 'refund'
  const needsPerson = operation?.state === 'conflicted' || operation?.state === 'unresolved'
  const who = operation?.connector_label ?? payment.connector
  return (
    <div className={needsPerson ? 'note person' : 'note unknown'}>
      <StatusMark family={needsPerson ? 'person' : 'unknown'} size={16} />
      <div className="grow">
        <p className="strong">
          {isRefund ? `A refund of ${amount}` : `Whether ${amount} was taken (${operation.verb})`} is not certain yet. Unknown is not
          failed.
        </p>
        <p>
          {operation?.why ?? `${who} has not said clearly what became of it.`} The money may have moved, so nothing is sent again
          {isRefund ? ` and ${amount} stay reserved` : ''}.{' '}
          {operation?.ask_at ? (
            <>
              {who} was asked {plural(operation.asked, 'time')}, and is asked next <Due at={operation.ask_at} />.
            </>
          ) : needsPerson ? (
            'It has to be settled by a person.'
          ) : (
            'The processor is asked with growing pauses for seven days.'
          )}
        </p>
      </div>
      <Button variant="default" onClick={sync}>
        Ask now
      </Button>
    </div>
  )
}

function RefundsOf({ payment }: { payment: Payment }): ReactElement | null {
  const refunds = (payment.refunds ?? []) as Refund[]
  if (refunds.length === 0) return null
  const isAnyOutside = refunds.some(({ origin }) => origin === 'external')
  return (
    <Table
      title="Refunds of this payment"
      rows={refunds}
      keyOf={({ refund_id }) => refund_id}
      columns={[
        {
          name: 'Refund',
          cell: ({ refund_id, amount, currency }) => (
            <Link to="/refunds/$refund_id" params={{ refund_id }} className="link">
              <Money amount={amount} currency={currency} />
            </Link>
          ),
        },
        { name: 'Status', cell: ({ status }) => <Status status={status} /> },
        ...(isAnyOutside ? [{ name: 'Made', cell: (refund: Refund) => <MadeBy of={refund} /> }] : []),
        { name: 'Reason', wide: true, cell: ({ reason }) => reason ?? none },
        { name: 'Created', right: true, cell: ({ created_at }) => <Ago at={created_at} /> },
      ]}
    />
  )
}

type Props = { payment: Payment; lines: readonly TimelineLine[] | undefined; operations: readonly Operation[]; sync(): void }

export function MoneyPanel({ payment, lines, operations, sync }: Props): ReactElement {
  const operation = uncertainOf(operations)
  const may = usePermission()
  const [mayWrite, mayReadLedger] = [may('payments:write'), may('ledger:read')]
  const { currency } = payment
  const { captured, returned, uncertain, disputed, left } = sumsOf(payment)
  const held = payment.amount_capturable ?? 0
  const of = (amount: number) => withCurrency(amount, currency)
  const parts: Part[] = [
    {
      name: 'kept',
      amount: Math.max(0, captured - returned - uncertain - disputed),
      label: `${of(captured - returned - uncertain - disputed)} kept`,
    },
    { name: 'disputed', amount: disputed, label: `${of(disputed)} disputed` },
    { name: 'uncertain', amount: uncertain, label: `${of(uncertain)} not certain` },
    { name: 'returned', amount: returned, label: `${of(returned)} refunded` },
    { name: 'held', amount: held, label: `${of(held)} held, to be captured` },
  ]
  const figures = [
    { name: 'Captured', amount: captured },
    ...(held > 0 ? [{ name: 'Left to capture', amount: held }] : []),
    ...(returned > 0 ? [{ name: 'Refunded', amount: returned }] : []),
    ...(uncertain > 0 ? [{ name: 'Refund, not certain', amount: uncertain, isUncertain: true }] : []),
    ...(disputed > 0 ? [{ name: 'Disputed', amount: disputed }] : []),
    ...(captured > 0 ? [{ name: 'Left to refund', amount: left }] : []),
  ]
  return (
    <Panel title="Money" hint={<span className="wide">what is certain, and what is not</span>} acts={<Proof lines={lines ?? []} />}>
      <div className="in">
        <dl className="figures">
          {figures.map(({ name, amount, ...more }) => (
            <div key={name} className={'isUncertain' in more ? 'unknown-figure' : undefined}>
              <dt>{name}</dt>
              <dd>
                <Money amount={amount} currency={currency} large />
              </dd>
            </div>
          ))}
        </dl>
        <Bar parts={parts} />
        <NotCertain payment={payment} operation={operation} sync={sync} />
        <MovedOutside operations={operations} />
        {isContradicted(payment) ? (
          <Contradicted payment={payment} sync={mayWrite ? sync : null} />
        ) : (
          <WhyFailed payment={payment} operations={operations} />
        )}
      </div>
      <RefundsOf payment={payment} />
      {captured > 0 && mayReadLedger && <Settlement payment_id={payment.payment_id} />}
    </Panel>
  )
}
