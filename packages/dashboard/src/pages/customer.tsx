import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, type Customer, GET, type Mandate, type Schemas } from '../api'
import { usePageObject } from '../page-object'
import { Breadcrumb } from '../parts/breadcrumb'
import { Details } from '../parts/details'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Ago, Exact } from '../parts/time'
import { usePermission } from '../session'
import { MandatesPanel, MethodsPanel, PaymentsPanel } from './customer/panels'

const Dialogs = lazy(() => import('./customer/actions'))
export type SavedMethod = Schemas['CustomerPaymentMethod']
export type AskedOfCustomer = 'edit' | 'delete' | { revoke: Mandate } | { prefer: SavedMethod } | { remove: SavedMethod }

function Head({ customer, ask }: { customer: Customer; ask(what: AskedOfCustomer): void }): ReactElement {
  const mayWrite = usePermission()('payments:write')
  return (
    <div className="head of-object">
      <Breadcrumb list="/customers" name="Customers" />
      <div>
        <h1>{customer.name ?? customer.customer_id}</h1>
        <div className="sub">
          {customer.email && <span>{customer.email}</span>}
          <Ago at={customer.created_at} />
          <Id id={customer.customer_id} />
        </div>
      </div>
      {mayWrite && (
        <div className="acts">
          <Button variant="default" onClick={() => ask('delete')}>
            Delete…
          </Button>
          <Button onClick={() => ask('edit')}>Edit…</Button>
        </div>
      )}
    </div>
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
  const [asked, setAsked] = useState<AskedOfCustomer | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['customers', customer_id],
    queryFn: () => answer(GET('/customers/{customer_id}', { params: { path: { customer_id } } })),
  })
  useEffect(() => {
    document.title = data ? `${data.name ?? data.customer_id} · Switchyard` : 'Customer · Switchyard'
  }, [data])
  usePageObject(data === undefined ? null : { id: customer_id, name: `Customer ${customer_id}`, read: `/customers/${customer_id}` })
  if (data === undefined)
    return (
      <>
        <h1 className="unseen">Customer</h1>
        {error && <LoadError what="customer" error={error} retry={() => void refetch()} />}
      </>
    )
  return (
    <>
      <Head customer={data} ask={setAsked} />
      <div className="beside">
        <div className="stack">
          <MethodsPanel customer_id={customer_id} ask={setAsked} />
          <MandatesPanel customer_id={customer_id} revoke={revoke => setAsked({ revoke })} />
          <PaymentsPanel customer_id={customer_id} />
        </div>
        <About customer={data} />
      </div>
      {asked !== null && (
        <Suspense>
          <Dialogs customer={data} asked={asked} close={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}
