import { lazy, type ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Schemas } from '../api'
import { periods } from '../list-address'
import { none } from '../parts/cells'
import { curlOf } from '../parts/empty-state'
import { Id } from '../parts/id'
import { ListPage, type Resource } from '../parts/list-page'
import { Money } from '../parts/money'
import { StatusMark } from '../parts/status'
import { familyOf } from '../parts/status-families'
import { Ago } from '../parts/time'

const NewCustomer = lazy(() => import('./customers/new-customer'))

type Customer = Schemas['CustomerListed']
type Query = paths['/customers/list_with_count']['get']['parameters']['query']

const customers: Resource<Customer, { data: Customer[]; total_count: number }> = {
  title: 'Customers',
  path: '/customers',
  one: 'customer',
  key: 'customers',
  live: null,
  read: query => answer(GET('/customers/list_with_count', { params: { query: { ...query, expand_activity: true } as Query } })),
  rowsOf: ({ data }) => data,
  totalOf: ({ total_count }) => total_count,
  idOf: ({ customer_id }) => customer_id,
  to: ({ customer_id }) => `/customers/${encodeURIComponent(customer_id)}`,
  columns: [
    { name: 'Name', cell: customer => customer.name ?? customer.customer_id },
    { name: 'E-mail', cell: customer => customer.email ?? none },
    {
      name: 'Phone',
      wide: true,
      cell: customer => (customer.phone ? [customer.phone_country_code, customer.phone].filter(Boolean).join(' ') : none),
    },
    {
      name: 'Methods',
      right: true,
      wide: true,
      cell: ({ activity }) => (activity === undefined || activity.payment_methods === 0 ? none : activity.payment_methods),
    },
    {
      name: 'Last payment',
      right: true,
      cell: ({ activity }) =>
        activity?.last_payment ? (
          <span className="row">
            <StatusMark family={familyOf(activity.last_payment.status)} />
            <Money amount={activity.last_payment.amount} currency={activity.last_payment.currency} />
          </span>
        ) : (
          none
        ),
    },
    { name: 'Description', wide: true, cell: customer => customer.description ?? none },
    { name: 'Id', cell: customer => <Id id={customer.customer_id} short /> },
    { name: 'Created', right: true, cell: customer => <Ago at={customer.created_at} /> },
  ],
  filters: [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    { name: 'email', label: 'E-mail', kind: 'text', hint: 'the whole address' },
    { name: 'phone', label: 'Phone', kind: 'text', hint: 'the whole number' },
    { name: 'customer_id', label: 'Id', kind: 'text', hint: 'customer_id' },
  ],
  exportNeeds: 'customers:personal',
  empty: {
    title: 'No customers yet.',
    hint: 'A payment with a customer_id makes one too.',
    curl: curlOf('/customers', { customer_id: 'cus_grace', name: 'Grace Hopper', email: 'grace@example.com' }),
  },
}

export default function Customers(): ReactElement {
  return (
    <ListPage
      of={customers}
      create={{ label: 'New customer', needs: 'payments:write', dialog: (_, close) => <NewCustomer close={close} /> }}
    />
  )
}
