import { Checkbox, SegmentedControl } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, type Payout, POST, type Schemas } from '../../api'
import { amountOf, MoneyFields } from '../../parts/amount-field'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { withCurrency } from '../../parts/money'
import { describeRecipient, noRecipient, RecipientFields, recipientSent } from './recipient'

type Body = Schemas['CreatePayoutRequest']
const choices = [
  { value: 'here', label: 'I say where' },
  { value: 'link', label: 'The recipient says where' },
]

/** Shows a dialog that creates a payout. The payout is sent at once only if the user chooses so. */
export default function NewPayout(props: { currency: string; close(): void }): ReactElement {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [money, setMoney] = useState({ typed: '', currency: props.currency })
  const [enteredBy, setEnteredBy] = useState('here')
  const [recipient, setRecipient] = useState(noRecipient)
  const [texts, setTexts] = useState({ customer_id: '', description: '', merchant_order_reference_id: '' })
  const [isAtOnce, setAtOnce] = useState(false)
  const amount = amountOf(money)
  const amountText = amount === null ? '' : withCurrency(amount, money.currency)
  const sent = recipientSent(recipient)
  const byLink = enteredBy === 'link'
  const isComplete = amount !== null && (byLink ? texts.customer_id.trim() !== '' : sent !== null)
  const field = (name: keyof typeof texts, label: string, hint: string) => (
    <TextField
      label={label}
      hint={hint}
      value={texts[name]}
      maxLength={name === 'customer_id' ? 64 : 255}
      change={text => setTexts({ ...texts, [name]: text })}
    />
  )
  const send = async (key: string) => {
    const filled = Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])))
    const how = byLink ? { payout_link: true, session_expiry: 7 * 24 * 3600 } : { confirm: true, ...sent }
    const body = { amount: amount!, currency: money.currency as Body['currency'], auto_fulfill: isAtOnce, ...filled, ...how }
    const payout = (await answer(POST('/payouts/create', { params: { header: { 'Idempotency-Key': key } }, body }))) as Payout
    await queries.invalidateQueries({ queryKey: ['payouts'] })
    void navigate({ to: '/payouts/$payout_id', params: { payout_id: payout.payout_id } })
  }
  const who = byLink ? `where customer ${texts.customer_id.trim()} says on the page of the link` : `to ${describeRecipient(recipient)}`
  return (
    <Confirm
      title="A new payout?"
      act={isAtOnce && !byLink ? `Pay ${amountText}` : `Make a payout of ${amountText}`}
      acting={isAtOnce && !byLink ? 'Paying…' : 'Making…'}
      keep="Keep the money"
      close={props.close}
      consequence={
        !isComplete ? null : isAtOnce ? (
          <p>
            <b className="strong">
              {amountText} will leave your balance{byLink ? ' as soon as the recipient has said where,' : ' now'}
            </b>{' '}
            and go {who}. Money that is paid comes back only if it is returned.
          </p>
        ) : (
          <p>
            <b className="strong">No money moves yet.</b> {amountText} will go {who} once the payout is fulfilled.
          </p>
        )
      }
      send={send}
    >
      <MoneyFields value={money} change={setMoney} />
      <SegmentedControl fullWidth data={choices} value={enteredBy} onChange={setEnteredBy} aria-label="Who says where" />
      {byLink ? null : <RecipientFields value={recipient} change={setRecipient} />}
      {field('customer_id', 'Customer', byLink ? 'customer_id of the recipient' : 'Optional, customer_id of the recipient')}
      {field('description', 'Description', 'Optional, sent to processors that take it')}
      {field('merchant_order_reference_id', 'Order', 'Optional, your order number')}
      <Checkbox
        label="Pay without waiting for somebody to fulfill it"
        checked={isAtOnce}
        onChange={event => setAtOnce(event.currentTarget.checked)}
      />
    </Confirm>
  )
}
