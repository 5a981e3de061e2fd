import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, GET } from '../../api'
import { none } from '../../parts/cells'
import { Loaded } from '../../parts/loaded'
import { Money, withCurrency } from '../../parts/money'
import { Table } from '../../parts/table'
import { dayInWords } from '../../parts/time'
import { kindOfLine } from '../reconciliation/causes'

function Lines({ payment_id }: { payment_id: string }): ReactElement {
  const asked = useQuery({
    queryKey: ['reconciliation', 'payment', payment_id],
    queryFn: () => answer(GET('/reconciliation/payments/{payment_id}', { params: { path: { payment_id } } })),
  })
  return (
    <Loaded what="The settlement" asked={asked} isPadded>
      {found =>
        found === undefined ? (
          <div className="in" aria-busy="true" />
        ) : found.lines.length === 0 ? (
          <p className="in muted">No report has it yet.</p>
        ) : (
          <>
            {found.settled.map(({ currency, fee, net }) => (
              <p key={currency} className="in tight">
                {withCurrency(net, currency)} came to your balance; {withCurrency(fee, currency)} was kept as fees.
              </p>
            ))}
            <Table
              isPaired
              title="Settlement lines of this payment"
              rows={found.lines.map((line, n) => ({ ...line, n }))}
              keyOf={({ n }) => String(n)}
              columns={[
                { name: 'Kind', cell: ({ type, posted }) => `${kindOfLine(type)}${posted ? '' : ', differs'}` },
                { name: 'Amount', right: true, cell: ({ gross, currency }) => <Money amount={gross} currency={currency} /> },
                { name: 'Fee', right: true, cell: ({ fee, currency }) => <Money amount={fee} currency={currency} /> },
                { name: 'Settled', right: true, cell: ({ net, currency }) => <Money amount={net} currency={currency} /> },
                { name: 'Payout', wide: true, cell: ({ batch }) => batch ?? none },
                { name: 'Day', right: true, look: 'num', cell: ({ booked_at }) => (booked_at ? dayInWords(booked_at) : none) },
              ]}
            />
          </>
        )
      }
    </Loaded>
  )
}

/** Shows, when it is opened, what processors' reports have settled of a payment, and the fees that were kept. */
export function Settlement({ payment_id }: { payment_id: string }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="fold-bar" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>How it was settled</summary>
      {isOpen && <Lines payment_id={payment_id} />}
    </details>
  )
}
