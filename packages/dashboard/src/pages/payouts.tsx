import { lazy, type ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Payout } from '../api'
import { periods } from '../list-address'
import { AccountName, none } from '../parts/cells'
import { curlOf } from '../parts/empty-state'
import { Id } from '../parts/id'
import { ListPage, type Resource } from '../parts/list-page'
import { Money } from '../parts/money'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { familyOfPayout, paidTo, payeeOf } from '../summaries'

const NewPayout = lazy(() => import('./payouts/new-payout'))

type Query = paths['/payouts/list']['get']['parameters']['query']

const payouts: Resource<Payout, { data: unknown[] }> = {
  title: 'Payouts',
  path: '/payouts',
  one: 'payout',
  key: 'payouts',
  live: 'payouts',
  read: query => answer(GET('/payouts/list', { params: { query: query as Query } })),
  rowsOf: ({ data }) => data as Payout[],
  idOf: ({ payout_id }) => payout_id,
  to: ({ payout_id }) => `/payouts/${payout_id}`,
  columns: [
    { name: 'Amount', right: true, cell: payout => <Money amount={payout.amount} currency={payout.currency} /> },
    { name: 'Status', cell: payout => <Status status={payout.status} family={familyOfPayout(payout)} /> },
    { name: 'Paid to', cell: payout => paidTo(payout) ?? <span className="faint">not said yet</span> },
    { name: 'Recipient', cell: payout => payeeOf(payout) ?? payout.customer_id ?? none },
    { name: 'Account', wide: true, cell: payout => (payout.connector ? <AccountName of={payout} /> : none) },
    { name: 'Order', wide: true, cell: payout => payout.merchant_order_reference_id ?? none },
    { name: 'Id', wide: true, cell: payout => <Id id={payout.payout_id} short /> },
    { name: 'Created', right: true, cell: payout => <Ago at={payout.created} /> },
  ],
  filters: [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    { name: 'status', label: 'Status', kind: 'any of', choices: 'payout status' },
    { name: 'connector', label: 'Processor', kind: 'any of', choices: 'payout connector' },
    { name: 'currency', label: 'Currency', kind: 'any of', choices: 'payout currency' },
    { name: 'payout_method', label: 'Method', kind: 'any of', choices: 'payout_method' },
    { name: 'customer_id', label: 'Customer', kind: 'text', hint: 'customer_id' },
    { name: 'merchant_order_reference_id', label: 'Order', kind: 'text', hint: 'your order number' },
  ],
  tabs: {
    filter: 'status',
    counted: 'payouts',
    tabs: ['requires_fulfillment', 'pending', 'initiated', 'success', 'failed'].map(status => ({ name: status, values: status })),
  },
  exportNeeds: 'customers:personal',
  empty: {
    title: 'No payouts yet.',
    hint: 'This makes one, which waits to be fulfilled. It needs a connector account of the type payout_processor.',
    curl: curlOf('/payouts/create', {
      ...{ amount: 9900, currency: 'EUR', confirm: true, payout_type: 'bank' },
      payout_method_data: { bank: { iban: 'DE89370400440532013000', account_holder_name: 'Ada Byron' } },
    }),
  },
}

export default function Payouts(): ReactElement {
  return (
    <ListPage
      of={payouts}
      create={{
        label: 'New payout',
        needs: 'payouts:write',
        dialog: (rows, close) => <NewPayout currency={rows[0]?.currency ?? 'EUR'} close={close} />,
      }}
    />
  )
}
