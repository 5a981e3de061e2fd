import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, type Customer, DELETE, type Mandate, POST } from '../../interface'
import Confirm from '../../parts/confirm'
import { useMay } from '../../session'
import type { AskedOfCustomer } from '../customer'
import { CustomerFields, changesOf, type Typed } from '../customers/fields'
import { cardOfMandate } from './panels'

type Props = { customer: Customer; close(): void }

function EditIt({ customer, close }: Props): ReactElement {
  const queries = useQueryClient()
  const isMasked = !useMay()('customers:personal')
  const [typed, setTyped] = useState<Typed>({})
  const changes = changesOf(typed, customer)
  const { customer_id } = customer
  return (
    <Confirm
      title="Edit this customer?"
      act="Save"
      acting="Saving…"
      keep="Leave it as it is"
      close={close}
      consequence={
        Object.keys(changes).length === 0 ? null : (
          <p>
            <b className="strong">No money moves.</b> Payments that are made from now on have what is new; earlier ones keep what they had.
          </p>
        )
      }
      send={async key => {
        const params = { path: { customer_id }, header: { 'Idempotency-Key': key } }
        await answer(POST('/customers/{customer_id}', { params, body: changes }))
        await queries.invalidateQueries({ queryKey: ['customers'] })
      }}
    >
      <CustomerFields before={customer} isMasked={isMasked} typed={typed} change={setTyped} />
    </Confirm>
  )
}

function DeleteIt({ customer, close }: Props): ReactElement {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { customer_id } = customer
  return (
    <Confirm
      title={`Delete ${customer.name ?? customer_id}?`}
      act="Delete the customer"
      acting="Deleting…"
      keep="Keep the customer"
      close={close}
      consequence={
        <p>
          <b className="strong">Name, e-mail, phone, addresses and saved payment methods are erased, for good.</b> No money moves: payments
          stay, under {customer_id}, and can be refunded. Nothing can be charged any more without the customer. While a mandate is active,
          the customer cannot be deleted.
        </p>
      }
      send={async () => {
        await answer(DELETE('/customers/{customer_id}', { params: { path: { customer_id } } }))
        queries.removeQueries({ queryKey: ['customers', customer_id] })
        await queries.invalidateQueries({ queryKey: ['customers', 'list'] })
        void navigate({ to: '/customers' })
      }}
    />
  )
}

function RevokeIt({ mandate, close }: { mandate: Mandate; close(): void }): ReactElement {
  const queries = useQueryClient()
  const { mandate_id } = mandate
  return (
    <Confirm
      title="Revoke this mandate?"
      act="Revoke the mandate"
      acting="Revoking…"
      keep="Keep the mandate"
      close={close}
      consequence={
        <p>
          <b className="strong">Nothing can be charged to {cardOfMandate(mandate)} by it any more.</b> No money moves: payments in progress
          continue. It cannot be undone; the customer would have to agree anew.
        </p>
      }
      send={async key => {
        await answer(POST('/mandates/revoke/{mandate_id}', { params: { path: { mandate_id }, header: { 'Idempotency-Key': key } } }))
        await queries.invalidateQueries({ queryKey: ['mandates'] })
      }}
    />
  )
}

/** What a person asks of a customer. Loaded when something is asked. */
export default function CustomerActions({ asked, ...props }: Props & { asked: AskedOfCustomer }): ReactElement {
  if (asked === 'edit') return <EditIt {...props} />
  if (asked === 'delete') return <DeleteIt {...props} />
  return <RevokeIt mandate={asked.revoke} close={props.close} />
}
