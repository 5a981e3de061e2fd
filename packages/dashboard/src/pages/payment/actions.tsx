import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, GET, type Payment, type PaymentAction, POST } from '../../api'
import { AmountField } from '../../parts/amount-field'
import { useOpenApproval } from '../../parts/approvals'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { amountFrom, forField, withCurrency } from '../../parts/money'
import { PollDialog } from '../../parts/poll-dialog'
import { useLabels } from '../../queries'
import { recipientOf, sumsOf } from '../../summaries'
import type { Asked } from '../payment'

type Props = { payment: Payment; actions: readonly PaymentAction[]; close(): void }

/** Returns the largest amount that the service accepts for an action, 0 if there is none. */
const mostOf = (actions: readonly PaymentAction[], action: PaymentAction['action']): number =>
  actions.find(one => one.action === action)?.at_most ?? 0

const keyed = (payment_id: string, key: string) => ({ path: { payment_id }, header: { 'Idempotency-Key': key } })

/** Returns a function that invalidates all queries, because many pages show this payment. */
function useChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries()
  }
}

function RefundIt({ payment, actions, close }: Props): ReactElement {
  const { currency, payment_id } = payment
  const { returned, uncertain } = sumsOf(payment)
  const left = mostOf(actions, 'refund')
  const [typed, setTyped] = useState(forField(left, currency))
  const [reason, setReason] = useState('')
  const changed = useChanged()
  const openApproval = useOpenApproval()
  const { data: needs } = useQuery({ queryKey: ['approvals', 'settings'], queryFn: () => answer(GET('/approvals/settings')) })
  const account = useLabels()(payment.merchant_connector_id, payment.connector)
  const amount = amountFrom(typed, currency)
  const isFit = amount !== null && amount > 0 && amount <= left
  const isHeld = isFit && needs?.above !== undefined && returned + uncertain + amount > (needs.above[currency] ?? -1)
  const amountText = isFit ? withCurrency(amount, currency) : ''
  const hint = [
    `${withCurrency(left, currency)} is left to refund.`,
    returned > 0 && `${withCurrency(returned, currency)} is refunded.`,
    uncertain > 0 && `${withCurrency(uncertain, currency)} is not certain and stays reserved.`,
  ]
  return (
    <Confirm
      title="Refund this payment?"
      act={`Refund ${amountText}`}
      acting="Refunding…"
      keep="Keep the money"
      close={close}
      consequence={
        isFit ? (
          <p>
            <b className="strong">
              {amountText} will leave your balance at {account}
            </b>{' '}
            and return to {recipientOf(payment)}. {amount < left ? `${withCurrency(left - amount, currency)} stays with you. ` : ''}A refund
            cannot be called off.
            {isHeld && ' A second person has to approve it first.'}
          </p>
        ) : null
      }
      send={async key => {
        const body = { payment_id, amount: amount!, ...(reason.trim() && { reason: reason.trim() }) }
        const response = await answer(POST('/refunds', { params: { header: { 'Idempotency-Key': key } }, body }))
        await changed()
        openApproval(response)
      }}
    >
      <AmountField
        label="Amount"
        currency={currency}
        value={typed}
        most={left}
        change={setTyped}
        hint={hint.filter(Boolean).join(' ')}
        tooMuch={`More than the ${withCurrency(left, currency)} that is left`}
      />
      <TextField label="Reason" hint="Optional" value={reason} maxLength={255} change={setReason} />
    </Confirm>
  )
}

function CaptureIt({ payment, actions, close }: Props): ReactElement {
  const { currency, payment_id } = payment
  const most = mostOf(actions, 'capture')
  const [typed, setTyped] = useState(forField(most, currency))
  const changed = useChanged()
  const account = useLabels()(payment.merchant_connector_id, payment.connector)
  const amount = amountFrom(typed, currency)
  const isFit = amount !== null && amount > 0 && amount <= most
  const amountText = isFit ? withCurrency(amount, currency) : ''
  return (
    <Confirm
      title="Capture this payment?"
      act={`Capture ${amountText}`}
      acting="Capturing…"
      keep="Leave it held"
      close={close}
      consequence={
        isFit ? (
          <p>
            <b className="strong">
              {amountText} will be taken from {recipientOf(payment)}
            </b>{' '}
            and come to your balance at {account}.{' '}
            {amount < most ? `The other ${withCurrency(most - amount, currency)} may be released, as the processor does it. ` : ''}Taken
            money can only be given back by a refund.
          </p>
        ) : null
      }
      send={async key => {
        await answer(POST('/payments/{payment_id}/capture', { params: keyed(payment_id, key), body: { amount_to_capture: amount! } }))
        await changed()
      }}
    >
      <AmountField
        label="Amount"
        currency={currency}
        value={typed}
        most={most}
        change={setTyped}
        hint={`${withCurrency(most, currency)} is held.`}
        tooMuch={`More than the ${withCurrency(most, currency)} that is held`}
      />
    </Confirm>
  )
}

function CancelIt({ payment, close }: Props): ReactElement {
  const { currency, payment_id } = payment
  const [reason, setReason] = useState('')
  const changed = useChanged()
  const held = payment.amount_capturable ?? 0
  return (
    <Confirm
      title="Cancel this payment?"
      act={`Cancel ${withCurrency(payment.amount, currency)}`}
      acting="Cancelling…"
      keep="Keep the payment"
      close={close}
      consequence={
        held > 0 ? (
          <p>
            <b className="strong">{withCurrency(held, currency)} will be released</b> to {recipientOf(payment)}. It cannot be captured any
            more. How soon the customer sees it is up to their bank.
          </p>
        ) : (
          <p>
            <b className="strong">No money moves.</b> The payment ends, and its customer cannot pay it any more.
          </p>
        )
      }
      send={async key => {
        const body = reason.trim() ? { cancellation_reason: reason.trim() } : {}
        await answer(POST('/payments/{payment_id}/cancel', { params: keyed(payment_id, key), body }))
        await changed()
      }}
    >
      <TextField label="Reason" hint="Optional" value={reason} maxLength={255} change={setReason} data-autofocus />
    </Confirm>
  )
}

function ExpireIt({ payment, close }: Props): ReactElement {
  const changed = useChanged()
  return (
    <Confirm
      title="End the session of this payment?"
      act="End the session"
      acting="Ending…"
      keep="Let the customer try again"
      close={close}
      consequence={
        <p>
          <b className="strong">No money moves.</b> The payment stays failed, and its customer cannot try again. Do this before you charge
          the same order in another way.
        </p>
      }
      send={async key => {
        await answer(POST('/payments/{payment_id}/expire_session', { params: keyed(payment.payment_id, key) }))
        await changed()
      }}
    />
  )
}

function SyncIt({ payment, close }: Props): ReactElement {
  const params = { path: { payment_id: payment.payment_id }, query: { force_sync: true } }
  return (
    <PollDialog who={payment.connector ?? 'The processor'} ask={() => answer(GET('/payments/{payment_id}', { params }))} close={close} />
  )
}

/** Shows the dialog of the chosen action on a payment. The module is loaded when the first action is chosen. */
export default function Actions({ asked, ...props }: Props & { asked: Asked }): ReactElement {
  const dialogs = { refund: RefundIt, capture: CaptureIt, cancel: CancelIt, expire: ExpireIt, sync: SyncIt }
  const Dialog = dialogs[asked]
  return <Dialog {...props} />
}
