import type { ReactElement } from 'react'
import type { Payout, Schemas } from '../../api'
import { AllowedActions } from '../../parts/allowed-actions'
import { CustomerLink } from '../../parts/customer-link'
import { Details } from '../../parts/details'
import { Id } from '../../parts/id'
import { Exact } from '../../parts/time'
import { useLabels } from '../../queries'
import { paidTo, payeeOf } from '../../summaries'

const asked = { update: 'Update', confirm: 'Confirm', fulfill: 'Fulfill', cancel: 'Cancel' }

export function AboutPayout({ payout, actions }: { payout: Payout; actions: readonly Schemas['PayoutAction'][] }): ReactElement {
  const labelOf = useLabels()
  return (
    <aside aria-label="Details">
      <Details
        title="Paid to"
        lines={[
          ['Account', paidTo(payout)],
          ['Holder', payeeOf(payout)],
          ['Customer', payout.customer_id && <CustomerLink key="customer" id={payout.customer_id} />],
          ['E-mail', payout.email],
          ['Link', payout.payout_link && <Id id={payout.payout_link.link} />],
        ]}
      />
      <Details
        title="Order"
        lines={[
          ['Reference', payout.merchant_order_reference_id],
          ['Description', payout.description],
          ['Fulfilled', payout.auto_fulfill ? 'as soon as it is confirmed' : 'by a person'],
          ['Profile', <Id key="profile" id={payout.profile_id} />],
        ]}
      />
      <Details
        title="At the processor"
        lines={[
          ['Account', payout.connector && labelOf(payout.merchant_connector_id, payout.connector)],
          ['Processor', payout.connector],
          ['Transaction', payout.connector_transaction_id && <Id id={payout.connector_transaction_id} />],
          ['Attempts', payout.attempts?.length],
        ]}
      />
      <AllowedActions actions={actions} names={asked} />
      <Details title="When" lines={[['Created', <Exact key="created" at={payout.created} />]]} />
    </aside>
  )
}
