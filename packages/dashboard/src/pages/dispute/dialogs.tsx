import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, POST, type Schemas } from '../../api'
import Confirm from '../../parts/confirm'
import { withCurrency } from '../../parts/money'
import { useLabels } from '../../queries'
import type { Texts } from './evidence'

type Dispute = Schemas['Dispute']

/**
 * Shows the dialog for a decision about a dispute: accept it, or submit evidence. It says what the decision does to
 * the money.
 */
export default function Decide({ dispute, texts, close }: { dispute: Dispute; texts: Texts | null; close(): void }): ReactElement {
  const queries = useQueryClient()
  const { dispute_id } = dispute
  const amount = withCurrency(Number(dispute.amount), dispute.currency)
  const account = useLabels()(dispute.merchant_connector_id, dispute.connector)
  if (texts === null)
    return (
      <Confirm
        title="Accept this dispute?"
        act={`Give up ${amount}`}
        acting="Accepting…"
        keep="Keep disputing"
        close={close}
        consequence={
          <p>
            <b className="strong">{amount} stay with the customer</b> and do not come back to your balance at {account}. It cannot be
            undone.
          </p>
        }
        send={async key => {
          const params = { path: { dispute_id }, header: { 'Idempotency-Key': key } }
          await answer(POST('/disputes/accept/{dispute_id}', { params }))
          await queries.invalidateQueries()
        }}
      />
    )
  return (
    <Confirm
      title="Submit this evidence?"
      act="Submit evidence"
      acting="Submitting…"
      keep="Not yet"
      close={close}
      consequence={
        <p>
          <b className="strong">
            {Object.keys(texts).length} texts go to {account}.
          </b>{' '}
          {amount} stay out of your balance until the bank decides. Most processors take evidence once.
        </p>
      }
      send={async key => {
        await answer(POST('/disputes/evidence', { params: { header: { 'Idempotency-Key': key } }, body: { dispute_id, ...texts } }))
        await queries.invalidateQueries()
      }}
    />
  )
}
