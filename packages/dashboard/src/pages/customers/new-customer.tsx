import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, POST } from '../../api'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { CustomerFields, changesOf, type Typed } from './fields'

/** Shows a dialog that creates a customer. */
export default function NewCustomer({ close }: { close(): void }): ReactElement {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [customer_id, setId] = useState('')
  const [typed, setTyped] = useState<Typed>({})
  const details = changesOf(typed, null)
  const isFilled = customer_id.trim() !== '' || Object.keys(details).length > 0
  return (
    <Confirm
      title="A new customer?"
      act="Make the customer"
      acting="Making…"
      keep="Not now"
      close={close}
      consequence={
        isFilled ? (
          <p>
            <b className="strong">No money moves.</b> What is said of a person is kept encrypted, and erased with the customer. If there is
            a customer of this id already, it stays as it is.
          </p>
        ) : null
      }
      send={async key => {
        const body = { ...details, ...(customer_id.trim() && { customer_id: customer_id.trim() }) }
        const made = await answer(POST('/customers', { params: { header: { 'Idempotency-Key': key } }, body }))
        await queries.invalidateQueries({ queryKey: ['customers'] })
        void navigate({ to: '/customers/$customer_id', params: { customer_id: made.customer_id } })
      }}
    >
      <TextField
        label="customer_id"
        hint="Optional, your own id of the customer; otherwise one is made"
        value={customer_id}
        maxLength={64}
        change={setId}
        data-autofocus
      />
      <CustomerFields before={null} isMasked={false} typed={typed} change={setTyped} />
    </Confirm>
  )
}
