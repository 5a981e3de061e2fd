import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, type Customer, DELETE, type Mandate, POST } from '../../api'
import Confirm from '../../parts/confirm'
import { usePermission } from '../../session'
import type { AskedOfCustomer, SavedMethod } from '../customer'
import { CustomerFields, changesOf, type Typed } from '../customers/fields'
import { cardOfMandate, savedAs } from './panels'

type Props = { customer: Customer; close(): void }

function EditIt({ customer, close }: Props): ReactElement {
  const queries = useQueryClient()
  const isMasked = !usePermission()('customers:personal')
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

function PreferIt({ customer, saved, close }: Props & { saved: SavedMethod }): ReactElement {
  const queries = useQueryClient()
  const { customer_id } = customer
  return (
    <Confirm
      title="Make this the default?"
      act="Make it the default"
      acting="Changing…"
      keep="Leave it as it is"
      close={close}
      consequence={
        <p>
          <b className="strong">No money moves.</b> Checkouts offer {savedAs(saved)} first, and what charges the customer’s default charges
          it from now on. Mandates go on charging what they name.
        </p>
      }
      send={async key => {
        const params = { path: { customer_id, payment_method_id: saved.payment_method_id }, header: { 'Idempotency-Key': key } }
        await answer(POST('/customers/{customer_id}/payment_methods/{payment_method_id}/default', { params }))
        await queries.invalidateQueries({ queryKey: ['customers'] })
      }}
    />
  )
}

function RemoveIt({ saved, close }: { saved: SavedMethod; close(): void }): ReactElement {
  const queries = useQueryClient()
  const { payment_method_id, default_payment_method_set } = saved
  return (
    <Confirm
      title={`Remove ${savedAs(saved)}?`}
      act="Remove it"
      acting="Removing…"
      keep="Keep it"
      close={close}
      consequence={
        <p>
          <b className="strong">{savedAs(saved)} is erased, for good, and mandates that charge it end.</b> No money moves: payments that
          were made with it stay, and can be refunded. {default_payment_method_set && 'The customer has no default then. '}To pay with it
          again the customer enters it anew.
        </p>
      }
      send={async () => {
        await answer(DELETE('/payment_methods/{payment_method_id}', { params: { path: { payment_method_id } } }))
        await Promise.all([['customers'], ['mandates']].map(queryKey => queries.invalidateQueries({ queryKey })))
      }}
    />
  )
}

/** Shows the dialog of the chosen action on a customer. The module is loaded when the first action is chosen. */
export default function CustomerActions({ asked, ...props }: Props & { asked: AskedOfCustomer }): ReactElement {
  if (asked === 'edit') return <EditIt {...props} />
  if (asked === 'delete') return <DeleteIt {...props} />
  if ('prefer' in asked) return <PreferIt saved={asked.prefer} {...props} />
  if ('remove' in asked) return <RemoveIt saved={asked.remove} close={props.close} />
  return <RevokeIt mandate={asked.revoke} close={props.close} />
}
