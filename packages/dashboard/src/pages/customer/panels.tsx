import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { answer, GET, type Mandate, type Payment } from '../../api'
import { none } from '../../parts/cells'
import { partOf } from '../../parts/loaded'
import { Money, withCurrency } from '../../parts/money'
import { Status } from '../../parts/status'
import { TablePanel } from '../../parts/table'
import { Ago } from '../../parts/time'
import { usePermission } from '../../session'
import { paidWith } from '../../summaries'
import type { AskedOfCustomer, SavedMethod } from '../customer'

/** Describes a saved payment method: `Visa •••• 4242`, or the method by the interface's own name. */
export const savedAs = ({ card, payment_method, payment_method_type }: SavedMethod): string =>
  card?.last4_digits ? `${card.card_network ?? 'Card'} •••• ${card.last4_digits}` : (payment_method_type ?? payment_method)

export function MethodsPanel({ customer_id, ask }: { customer_id: string; ask(what: AskedOfCustomer): void }): ReactElement {
  const mayWrite = usePermission()('payments:write')
  const asked = useQuery({
    queryKey: ['customers', customer_id, 'methods'],
    queryFn: () => answer(GET('/customers/{customer_id}/payment_methods', { params: { path: { customer_id } } })),
  })
  return (
    <TablePanel
      isStacked
      title="Saved payment methods"
      one="method"
      asked={partOf(asked, data => data.customer_payment_methods)}
      none={<p className="in muted">Nothing is saved to pay with again.</p>}
      keyOf={({ payment_method_id }) => payment_method_id}
      columns={[
        {
          name: 'Method',
          cell: saved => (
            <span className="row">
              {savedAs(saved)} {saved.default_payment_method_set && <span className="tag">default</span>}
            </span>
          ),
        },
        { name: 'Expiry', cell: ({ card }) => (card?.expiry_month ? `${card.expiry_month}/${String(card.expiry_year).slice(-2)}` : none) },
        { name: 'Holder', wide: true, cell: ({ card }) => card?.card_holder_name ?? none },
        { name: 'For', wide: true, cell: ({ payout_method_data }) => (payout_method_data ? 'payouts' : 'payments') },
        { name: 'Last used', right: true, cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
        ...(mayWrite
          ? [
              {
                name: '',
                right: true,
                cell: (saved: SavedMethod) => (
                  <span className="acts">
                    {!saved.default_payment_method_set && !saved.payout_method_data && (
                      <Button
                        variant="default"
                        size="xs"
                        onClick={() => ask({ prefer: saved })}
                        aria-label={`Make default: ${savedAs(saved)}`}
                      >
                        Make default…
                      </Button>
                    )}
                    <Button variant="default" size="xs" onClick={() => ask({ remove: saved })} aria-label={`Remove ${savedAs(saved)}`}>
                      Remove…
                    </Button>
                  </span>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

/** Describes the payment method that a mandate charges. */
export const cardOfMandate = ({ card, payment_method_type, payment_method }: Mandate): string =>
  card?.last4_digits ? `${card.card_network ?? 'Card'} •••• ${card.last4_digits}` : (payment_method_type ?? payment_method)

/** Describes the limit of a mandate: `up to 100.00 USD, repeatedly`. */
function limitOf({ mandate_type }: Mandate): string {
  const [name, limit] = Object.entries((mandate_type ?? {}) as Record<string, { amount?: number; currency?: string } | null>)[0] ?? []
  const often = name === 'single_use' ? 'once' : 'repeatedly'
  return limit?.amount !== undefined && limit.currency ? `up to ${withCurrency(limit.amount, limit.currency)}, ${often}` : often
}

const MOST = 100

export function MandatesPanel({ customer_id, revoke }: { customer_id: string; revoke(mandate: Mandate): void }): ReactElement {
  const mayWrite = usePermission()('payments:write')
  const asked = useQuery({
    queryKey: ['mandates', customer_id],
    queryFn: () => answer(GET('/mandates/list', { params: { query: { customer_id, limit: MOST } } })),
  })
  return (
    <TablePanel
      isStacked
      title="Mandates"
      one="mandate"
      asked={asked}
      none={<p className="in muted">Nothing may be charged without the customer.</p>}
      keyOf={({ mandate_id }) => mandate_id}
      columns={[
        { name: 'Charges', cell: cardOfMandate },
        { name: 'Limit', cell: limitOf },
        { name: 'Status', cell: ({ status }) => <Status status={status} /> },
        { name: 'Created', right: true, wide: true, cell: ({ created }) => <Ago at={created} /> },
        {
          name: '',
          right: true,
          cell: mandate =>
            mayWrite &&
            mandate.status === 'active' && (
              <Button variant="default" size="xs" onClick={() => revoke(mandate)}>
                Revoke…
              </Button>
            ),
        },
      ]}
    />
  )
}

const FEW = 10

export function PaymentsPanel({ customer_id }: { customer_id: string }): ReactElement {
  const asked = useQuery({
    queryKey: ['payments', 'of customer', customer_id],
    queryFn: () => answer(GET('/payments/list', { params: { query: { customer_id, limit: FEW } } })),
  })
  return (
    <TablePanel
      isStacked
      title="Payments"
      one="of the latest"
      many="of the latest"
      asked={partOf(asked, ({ data }) => data as Payment[])}
      none={<p className="in muted">No payments yet.</p>}
      acts={
        <Link to="/payments" search={{ customer_id }} className="link">
          All payments
        </Link>
      }
      keyOf={({ payment_id }) => payment_id}
      columns={[
        {
          name: 'Amount',
          right: true,
          cell: ({ payment_id, amount, currency }) => (
            <Link to="/payments/$payment_id" params={{ payment_id }} className="link">
              <Money amount={amount} currency={currency} />
            </Link>
          ),
        },
        { name: 'Status', cell: ({ status }) => <Status status={status} /> },
        { name: 'Paid with', wide: true, cell: payment => paidWith(payment) ?? none },
        { name: 'Order', wide: true, cell: payment => payment.merchant_order_reference_id ?? none },
        { name: 'Created', right: true, cell: ({ created }) => <Ago at={created} /> },
      ]}
    />
  )
}
