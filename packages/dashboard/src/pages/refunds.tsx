import type { ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Refund } from '../api'
import { choicesOf, periods } from '../list-address'
import { AccountName, MadeBy, none } from '../parts/cells'
import { curlOf } from '../parts/empty-state'
import { Id, ObjectLink } from '../parts/id'
import { ListPage, type Resource } from '../parts/list-page'
import { Money } from '../parts/money'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'

type Query = paths['/refunds/list']['get']['parameters']['query']

const statuses = ['succeeded', 'pending', 'failed', 'review']

const refunds: Resource<Refund, { data: Refund[] }> = {
  title: 'Refunds',
  path: '/refunds',
  one: 'refund',
  key: 'refunds',
  live: 'refunds',
  read: query => answer(GET('/refunds/list', { params: { query: query as Query } })),
  rowsOf: ({ data }) => data,
  idOf: ({ refund_id }) => refund_id,
  to: ({ refund_id }) => `/refunds/${refund_id}`,
  columns: [
    { name: 'Amount', right: true, cell: refund => <Money amount={refund.amount} currency={refund.currency} /> },
    { name: 'Status', cell: refund => <Status status={refund.status} /> },
    { name: 'Payment', cell: refund => <ObjectLink id={refund.payment_id} page="/payments/" /> },
    { name: 'Account', cell: refund => <AccountName of={refund} /> },
    { name: 'Made', wide: true, cell: refund => <MadeBy of={refund} /> },
    { name: 'Reason', wide: true, cell: refund => refund.reason ?? none },
    { name: 'Id', wide: true, cell: refund => <Id id={refund.refund_id} short /> },
    { name: 'Created', right: true, cell: refund => <Ago at={refund.created_at} /> },
  ],
  filters: [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    { name: 'refund_status', label: 'Status', kind: 'any of', choices: choicesOf(statuses) },
    { name: 'connector', label: 'Processor', kind: 'any of', choices: 'connector' },
    { name: 'currency', label: 'Currency', kind: 'any of', choices: 'currency' },
    { name: 'payment_id', label: 'Payment', kind: 'text', hint: 'pay_…' },
  ],
  tabs: { filter: 'refund_status', counted: 'refunds', tabs: statuses.map(status => ({ name: status, values: status })) },
  exportNeeds: 'payments:read',
  empty: {
    title: 'No refunds yet.',
    hint: 'A refund begins on the page of its payment.',
    curl: curlOf('/refunds', { payment_id: 'pay_…', amount: 5000 }),
  },
}

export default function Refunds(): ReactElement {
  return <ListPage of={refunds} />
}
