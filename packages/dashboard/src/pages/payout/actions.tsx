import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, GET, type Payout, POST } from '../../api'
import { useOpenApproval } from '../../parts/approvals'
import Confirm from '../../parts/confirm'
import { withCurrency } from '../../parts/money'
import { PollDialog } from '../../parts/poll-dialog'
import { useLabels } from '../../queries'
import type { AskedOfPayout } from '../payout'
import { describeRecipient, noRecipient, RecipientFields, recipientSent } from '../payouts/recipient'
import { recipientOfPayout } from './status-note'

type Props = { payout: Payout; close(): void }

const keyed = (payout_id: string, key: string) => ({ path: { payout_id }, header: { 'Idempotency-Key': key } })
const amountText = ({ amount, currency }: Payout): string => withCurrency(amount, currency)

/** Returns a function that invalidates all queries, because many pages show this payout. */
function useChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries()
}

const FINAL = 'Money that is paid comes back only if it is returned.'

function ConfirmIt({ payout, close }: Props): ReactElement {
  const changed = useChanged()
  const hasRecipient = payout.status !== 'requires_payout_method_data'
  const [recipient, setRecipient] = useState(noRecipient)
  const sent = recipientSent(recipient)
  const amount = amountText(payout)
  const to = hasRecipient ? recipientOfPayout(payout) : describeRecipient(recipient)
  return (
    <Confirm
      title="Confirm this payout?"
      act={payout.auto_fulfill ? `Pay ${amount}` : `Confirm ${amount}`}
      acting={payout.auto_fulfill ? 'Paying…' : 'Confirming…'}
      keep="Keep the money"
      close={close}
      consequence={
        !hasRecipient && sent === null ? null : payout.auto_fulfill ? (
          <p>
            <b className="strong">{amount} will leave your balance now</b> and go to {to}. {FINAL}
          </p>
        ) : (
          <p>
            <b className="strong">No money moves yet.</b> {amount} will go to {to} once the payout is fulfilled.
          </p>
        )
      }
      send={async key => {
        await answer(POST('/payouts/{payout_id}/confirm', { params: keyed(payout.payout_id, key), body: hasRecipient ? {} : { ...sent } }))
        await changed()
      }}
    >
      {hasRecipient ? null : <RecipientFields value={recipient} change={setRecipient} />}
    </Confirm>
  )
}

function FulfillIt({ payout, close }: Props): ReactElement {
  const changed = useChanged()
  const openApproval = useOpenApproval()
  const { payout_id } = payout
  const account = useLabels()(payout.merchant_connector_id, payout.connector)
  return (
    <Confirm
      title="Fulfill this payout?"
      act={`Pay ${amountText(payout)}`}
      acting="Paying…"
      keep="Keep the money"
      close={close}
      consequence={
        <p>
          <b className="strong">
            {amountText(payout)} will leave your balance at {account}
          </b>{' '}
          and go to {recipientOfPayout(payout)}. {FINAL}
        </p>
      }
      send={async key => {
        const response = await answer(POST('/payouts/{payout_id}/fulfill', { params: keyed(payout_id, key), body: { payout_id } }))
        await changed()
        openApproval(response)
      }}
    />
  )
}

function CancelIt({ payout, close }: Props): ReactElement {
  const changed = useChanged()
  const { payout_id, status, connector } = payout
  return (
    <Confirm
      title="Cancel this payout?"
      act={`Cancel ${amountText(payout)}`}
      acting="Cancelling…"
      keep="Keep the payout"
      close={close}
      consequence={
        status === 'initiated' ? (
          <p>
            <b className="strong">{connector} is asked to call it off.</b> It may be too late: only its answer makes the payout cancelled,
            and until then {amountText(payout)} may still arrive.
          </p>
        ) : (
          <p>
            <b className="strong">No money moves.</b> Nothing was sent; the payout ends, and {amountText(payout)} stay with you.
          </p>
        )
      }
      send={async key => {
        await answer(POST('/payouts/{payout_id}/cancel', { params: keyed(payout_id, key), body: { payout_id } }))
        await changed()
      }}
    />
  )
}

function SyncIt({ payout, close }: Props): ReactElement {
  const params = { path: { payout_id: payout.payout_id }, query: { force_sync: true } }
  return <PollDialog who={payout.connector ?? 'The processor'} ask={() => answer(GET('/payouts/{payout_id}', { params }))} close={close} />
}

/** Shows the dialog of the chosen action on a payout. The module is loaded when the first action is chosen. */
export default function PayoutActions({ asked, ...props }: Props & { asked: AskedOfPayout }): ReactElement {
  const dialogs = { confirm: ConfirmIt, fulfill: FulfillIt, cancel: CancelIt, sync: SyncIt }
  const Dialog = dialogs[asked]
  return <Dialog {...props} />
}
