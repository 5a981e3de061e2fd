import type { ReactElement } from 'react'
import type { Payment, PaymentAction } from '../../api'
import { AllowedActions } from '../../parts/allowed-actions'
import { CustomerLink } from '../../parts/customer-link'
import { Details } from '../../parts/details'
import { Id } from '../../parts/id'
import { Money } from '../../parts/money'
import { Exact } from '../../parts/time'
import { useLabels } from '../../queries'
import { expiryOf, paidWith } from '../../summaries'

type Card = {
  card_issuer?: string | null
  card_issuing_country?: string | null
  card_holder_name?: string | null
  auth_code?: string | null
}

const asked = {
  capture: 'Capture',
  cancel: 'Cancel',
  refund: 'Refund',
  incremental_authorization: 'Hold more',
  extend_authorization: 'Hold longer',
  cancel_post_capture: 'Cancel after capture',
}

/** Returns when the session in which the customer can pay ends or ended; none once nothing is left to pay. */
const sessionOf = ({ status, expires_on }: Payment): readonly [string, ReactElement | null] => [
  Date.parse(expires_on ?? '') > Date.now() ? 'Session ends' : 'Session ended',
  expires_on && /^(failed|requires_(payment_method|confirmation|customer_action))$/.test(status) ? (
    <Exact key="session" at={expires_on} />
  ) : null,
]

export function About({ payment, actions }: { payment: Payment; actions: readonly PaymentAction[] }): ReactElement {
  const labelOf = useLabels()
  const card = ((payment.payment_method_data as { card?: Card | null } | null)?.card ?? {}) as Card
  return (
    <aside aria-label="Details">
      <Details
        title="Paid with"
        lines={[
          ['Method', paidWith(payment)],
          ['Expiry', expiryOf(payment)],
          ['Holder', card.card_holder_name],
          ['Issuer', [card.card_issuer, card.card_issuing_country].filter(Boolean).join(', ')],
          ['Fingerprint', payment.fingerprint && <Id id={payment.fingerprint} />],
          ['3-D Secure', payment.authentication_type && <span className="code">{payment.authentication_type}</span>],
        ]}
      />
      <Details
        title="Order"
        lines={[
          [
            'Customer',
            payment.customer_id ? (
              <CustomerLink key="customer" id={payment.customer_id} name={payment.customer?.name} />
            ) : (
              payment.customer?.name
            ),
          ],
          ['E-mail', payment.customer?.email],
          ['Reference', payment.merchant_order_reference_id],
          ['Description', payment.description],
          [
            'Capture',
            <span key="capture" className="code">
              {payment.capture_method}
            </span>,
          ],
          ['Profile', <Id key="profile" id={payment.profile_id} />],
        ]}
      />
      <Details
        title="At the processor"
        lines={[
          ['Account', payment.connector && labelOf(payment.merchant_connector_id, payment.connector)],
          ['Processor', payment.connector],
          ['Transaction', payment.connector_transaction_id && <Id id={payment.connector_transaction_id} />],
          ['Net amount', payment.net_amount !== payment.amount && <Money amount={payment.net_amount} currency={payment.currency} />],
          ['Approval', card.auth_code],
          ['Attempts', payment.attempt_count],
          ['Capture before', payment.capture_before && <Exact at={payment.capture_before} />],
        ]}
      />
      <AllowedActions actions={actions} names={asked} />
      <Details
        title="When"
        lines={[
          ['Created', <Exact key="created" at={payment.created} />],
          ['Changed', <Exact key="changed" at={payment.updated} />],
          sessionOf(payment),
          ['Reason', payment.cancellation_reason],
        ]}
      />
    </aside>
  )
}
