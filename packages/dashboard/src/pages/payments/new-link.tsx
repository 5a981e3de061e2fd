import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, type Payment, POST } from '../../api'
import { amountOf, MoneyFields } from '../../parts/amount-field'
import Confirm from '../../parts/confirm'
import { Choice, TextField } from '../../parts/inputs'
import { withCurrency } from '../../parts/money'

const HOUR_S = 3600
const lasting = [
  { value: String(HOUR_S), label: 'an hour' },
  { value: String(24 * HOUR_S), label: 'a day' },
  { value: String(7 * 24 * HOUR_S), label: '7 days' },
  { value: String(30 * 24 * HOUR_S), label: '30 days' },
]

/** Shows a dialog that creates a payment with a payment link. */
export default function NewLink(props: { currency: string; made(payment: Payment): void; close(): void }): ReactElement {
  const { made, close } = props
  const queries = useQueryClient()
  const [money, setMoney] = useState({ typed: '', currency: props.currency })
  const [texts, setTexts] = useState({ description: '', merchant_order_reference_id: '', email: '' })
  const [lasts, setLasts] = useState(lasting[1]!.value)
  const amount = amountOf(money)
  const amountText = amount === null ? '' : withCurrency(amount, money.currency)
  const field = (name: keyof typeof texts, label: string, hint: string) => (
    <TextField label={label} hint={hint} value={texts[name]} maxLength={255} change={text => setTexts({ ...texts, [name]: text })} />
  )
  return (
    <Confirm
      title="A link to pay?"
      act={`Make a link for ${amountText}`}
      acting="Making…"
      keep="Not now"
      close={close}
      consequence={
        amount === null ? null : (
          <p>
            <b className="strong">No money moves yet.</b> Anybody who has the link can pay {amountText} once, within{' '}
            {lasting.find(({ value }) => value === lasts)?.label}.
          </p>
        )
      }
      send={async key => {
        const filled = Object.fromEntries(Object.entries(texts).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])))
        const body = { amount: amount!, currency: money.currency as Payment['currency'], ...filled, session_expiry: Number(lasts) }
        const params = { header: { 'Idempotency-Key': key } }
        made((await answer(POST('/payments', { params, body: { ...body, payment_link: true } }))) as Payment)
        await queries.invalidateQueries({ queryKey: ['payments'] })
      }}
    >
      <MoneyFields value={money} change={setMoney} />
      {field('description', 'Description', 'Optional, stands on the page')}
      {field('merchant_order_reference_id', 'Order', 'Optional, your order number')}
      {field('email', 'E-mail of the customer', 'Optional')}
      <Choice label="Can be paid for" data={lasting} value={lasts} change={setLasts} />
    </Confirm>
  )
}
