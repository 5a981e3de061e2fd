import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import { curlOf, EmptyState } from '../parts/empty-state'
import { Export } from '../parts/export'
import { type Filter, Filters } from '../parts/filters'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Money } from '../parts/money'
import { CursorPagination } from '../parts/pagination'
import { StatusMark } from '../parts/status'
import { familyOf } from '../parts/status-families'
import { Ago } from '../parts/time'
import { usePermission } from '../session'
import { LIMIT, periods, questionOf, useView } from '../views'

const NewCustomer = lazy(() => import('./customers/new-customer'))

type Customer = Schemas['CustomerListed']
type Query = paths['/customers/list_with_count']['get']['parameters']['query']

const filters: readonly Filter[] = [
  { name: 'days', label: 'Created', kind: 'one of', choices: periods },
  { name: 'email', label: 'E-mail', kind: 'text', hint: 'the whole address' },
  { name: 'phone', label: 'Phone', kind: 'text', hint: 'the whole number' },
  { name: 'customer_id', label: 'Id', kind: 'text', hint: 'customer_id' },
]

const none = <span className="faint">–</span>
const columns: Column<Customer>[] = [
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
]

const FIRST = { customer_id: 'cus_grace', name: 'Grace Hopper', email: 'grace@example.com' }

export default function Customers(): ReactElement {
  const view = useView('/customers', 'Customers')
  const mayWrite = usePermission()('payments:write')
  const [isAsking, setAsking] = useState(false)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['customers', 'list', view.chosen],
    queryFn: () =>
      answer(
        GET('/customers/list_with_count', {
          params: { query: { ...questionOf(view.chosen), limit: LIMIT, expand_activity: true } as Query },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const rows = data?.data
  return (
    <>
      <div className="head">
        <h1>Customers</h1>
        <div className="acts">
          <Export path="/customers/export" view={view} needs="customers:personal" />
          {mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setAsking(true)}>
              New customer
            </Button>
          )}
        </div>
      </div>
      <Filters filters={filters} chosen={view.chosen} choose={view.choose} every />
      <List
        of="Customers"
        columns={columns}
        rows={rows}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={customer => customer.customer_id}
        to={customer => `/customers/${encodeURIComponent(customer.customer_id)}`}
        empty={
          <EmptyState
            clear={view.isFiltered ? () => view.show({}) : null}
            title="No customers yet."
            hint="A payment with a customer_id makes one too."
            curl={curlOf('/customers', FIRST)}
          />
        }
        foot={
          data && <CursorPagination ids={data.data.map(row => row.customer_id)} view={view} text={plural(data.total_count, 'customer')} />
        }
      />
      {isAsking && (
        <Suspense>
          <NewCustomer close={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
