import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, type Customer, GET, type Mandate, type Schemas } from '../api'
import { Details } from '../parts/details'
import { Id } from '../parts/id'
import { ObjectHead, ObjectPage } from '../parts/object-page'
import { Ago, Exact } from '../parts/time'
import { usePermission } from '../session'
import { MandatesPanel, MethodsPanel, PaymentsPanel } from './customer/panels'

const Dialogs = lazy(() => import('./customer/actions'))
export type SavedMethod = Schemas['CustomerPaymentMethod']
export type AskedOfCustomer = 'edit' | 'delete' | { revoke: Mandate } | { prefer: SavedMethod } | { remove: SavedMethod }

function Head({ customer, ask }: { customer: Customer; ask(what: AskedOfCustomer): void }): ReactElement {
  const mayWrite = usePermission()('payments:write')
  return (
    <ObjectHead
      list={{ to: '/customers', name: 'Customers' }}
      title={customer.name ?? customer.customer_id}
      sub={
        <>
          {customer.email && <span>{customer.email}</span>}
          <Ago at={customer.created_at} />
          <Id id={customer.customer_id} />
        </>
      }
      acts={
        mayWrite && (
          <div className="acts">
            <Button variant="default" onClick={() => ask('delete')}>
              Delete…
            </Button>
            <Button onClick={() => ask('edit')}>Edit…</Button>
          </div>
        )
      }
    />
  )
}

type Address = Readonly<Record<string, string | null>>

function About({ customer }: { customer: Customer }): ReactElement {
  const { first_name, last_name, line1, line2, line3, zip, city, state, country } = (customer.address ?? {}) as Address
  const address = [[first_name, last_name], [line1], [line2], [line3], [zip, city], [state], [country]]
    .map(line => line.filter(Boolean).join(' '))
    .filter(Boolean)
  return (
    <aside aria-label="Details">
      <Details
        title="Customer"
        lines={[
          ['Name', customer.name],
          ['E-mail', customer.email],
          ['Phone', customer.phone && [customer.phone_country_code, customer.phone].filter(Boolean).join(' ')],
          ['Description', customer.description],
          ['Tax', customer.tax_registration_id],
          ['Address', address.length > 0 && address.join(', ')],
          ['Created', <Exact key="created" at={customer.created_at} />],
        ]}
      />
      <Details title="Metadata" lines={Object.entries(customer.metadata ?? {}).map(([name, value]) => [name, String(value)])} />
    </aside>
  )
}

export default function CustomerPage(): ReactElement {
  const { customer_id = '' } = useParams({ strict: false })
  const [dialog, setDialog] = useState<AskedOfCustomer | null>(null)
  const asked = useQuery({
    queryKey: ['customers', customer_id],
    queryFn: () => answer(GET('/customers/{customer_id}', { params: { path: { customer_id } } })),
  })
  return (
    <ObjectPage
      kind="customer"
      asked={asked}
      object={({ name }) => ({
        id: customer_id,
        name: `Customer ${customer_id}`,
        read: `/customers/${customer_id}`,
        tab: name ?? customer_id,
      })}
    >
      {customer => (
        <>
          <Head customer={customer} ask={setDialog} />
          <div className="beside">
            <div className="stack">
              <MethodsPanel customer_id={customer_id} ask={setDialog} />
              <MandatesPanel customer_id={customer_id} revoke={revoke => setDialog({ revoke })} />
              <PaymentsPanel customer_id={customer_id} />
            </div>
            <About customer={customer} />
          </div>
          <Suspense>{dialog !== null && <Dialogs customer={customer} asked={dialog} close={() => setDialog(null)} />}</Suspense>
        </>
      )}
    </ObjectPage>
  )
}
