import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactElement, useState } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Payment } from '../api'
import { type ListAddress, LONGEST_PERIOD, periods } from '../list-address'
import { none } from '../parts/cells'
import { curlOf } from '../parts/empty-state'
import { Id } from '../parts/id'
import { ListPage, type Resource } from '../parts/list-page'
import { Money, withCurrency } from '../parts/money'
import { Note } from '../parts/note'
import { SampleData } from '../parts/sample-data'
import { Status } from '../parts/status'
import { countOf, useStatusCounts } from '../parts/status-counts'
import { Ago, Exact } from '../parts/time'
import { paidWith } from '../summaries'
import { WentTo } from './payments/went-to'

const NewLink = lazy(() => import('./payments/new-link'))

type Query = paths['/payments/list']['get']['parameters']['query']

/** Says that there are matching payments outside of the chosen period. */
function Elsewhere({ address: { filters } }: { address: ListAddress }): ReactElement | null {
  const { days, status = '' } = filters
  const isShort = days !== undefined && days !== '' && days !== LONGEST_PERIOD
  const counts = useStatusCounts('payments', { ...filters, days: LONGEST_PERIOD })
  const many = isShort ? (countOf(counts, status) ?? 0) : 0
  return many > 0 ? <p>{`There are ${many.toLocaleString('en')} in the last ${LONGEST_PERIOD} days.`}</p> : null
}

const payments: Resource<Payment, { data: unknown[] }> = {
  title: 'Payments',
  path: '/payments',
  one: 'payment',
  key: 'payments',
  live: 'payments',
  read: query => answer(GET('/payments/list', { params: { query: { ...query, expand_attempts: true } as Query } })),
  rowsOf: ({ data }) => data as Payment[],
  idOf: ({ payment_id }) => payment_id,
  to: ({ payment_id }) => `/payments/${payment_id}`,
  columns: [
    { name: 'Amount', right: true, cell: payment => <Money amount={payment.amount} currency={payment.currency} /> },
    { name: 'Status', cell: payment => <Status status={payment.status} /> },
    { name: 'Went to', cell: payment => <WentTo payment={payment} /> },
    { name: 'Paid with', cell: payment => paidWith(payment) ?? none },
    {
      name: 'Customer',
      wide: true,
      cell: payment => payment.customer?.name ?? payment.customer_id ?? <span className="faint">Guest</span>,
    },
    { name: 'Order', wide: true, cell: payment => payment.merchant_order_reference_id ?? none },
    { name: 'Id', wide: true, cell: payment => <Id id={payment.payment_id} short /> },
    { name: 'Created', right: true, cell: payment => <Ago at={payment.created} /> },
  ],
  filters: [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    { name: 'status', label: 'Status', kind: 'any of', choices: 'status' },
    { name: 'connector', label: 'Processor', kind: 'any of', choices: 'connector' },
    { name: 'merchant_connector_id', label: 'Account', kind: 'any of', choices: 'account' },
    { name: 'currency', label: 'Currency', kind: 'any of', choices: 'currency' },
    { name: 'payment_method', label: 'Method', kind: 'any of', choices: 'payment_method' },
    { name: 'card_network', label: 'Network', kind: 'any of', choices: 'card_network' },
    { name: 'error_code', label: 'Code of the decline', kind: 'text', hint: 'card_declined' },
    { name: 'customer_id', label: 'Customer', kind: 'text', hint: 'customer_id' },
    { name: 'customer_email', label: 'E-mail', kind: 'text', hint: 'their address now' },
    { name: 'merchant_order_reference_id', label: 'Order', kind: 'text', hint: 'your order number' },
  ],
  tabs: {
    filter: 'status',
    counted: 'payments',
    tabs: [
      ...['succeeded', 'requires_capture', 'processing', 'requires_customer_action', 'failed'].map(status => ({
        name: status,
        values: status,
      })),
      { name: 'Needs attention', values: 'requires_merchant_action,conflicted,review' },
    ],
  },
  exportNeeds: 'customers:personal',
  empty: {
    title: 'No payments yet.',
    hint: 'This makes one; card 4242 4242 4242 4242 is approved.',
    curl: curlOf('/payments', {
      ...{ amount: 24900, currency: 'EUR', confirm: true, payment_method: 'card' },
      payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' } },
    }),
    action: <SampleData />,
    elsewhere: address => <Elsewhere address={address} />,
  },
}

/** Shows the payment link that was just created, for sending it to the payer. */
function Linked({ payment, done }: { payment: Payment; done(): void }): ReactElement {
  return (
    <Note
      family="plain"
      role="status"
      isSpaced
      act={
        <>
          <Link to="/payments/$payment_id" params={{ payment_id: payment.payment_id }} className="link">
            The payment
          </Link>
          <Button variant="default" onClick={done}>
            I have it
          </Button>
        </>
      }
    >
      <p className="strong">
        A link to pay {withCurrency(payment.amount, payment.currency)}, until <Exact at={payment.expires_on} />.
      </p>
      <Id id={payment.payment_link?.link} />
    </Note>
  )
}

export default function Payments(): ReactElement {
  const [linked, setLinked] = useState<Payment | null>(null)
  return (
    <ListPage
      of={payments}
      note={linked !== null && <Linked payment={linked} done={() => setLinked(null)} />}
      create={{
        label: 'Payment link',
        needs: 'payments:write',
        dialog: (rows, close) => <NewLink currency={rows[0]?.currency ?? 'EUR'} made={setLinked} close={close} />,
      }}
    />
  )
}
