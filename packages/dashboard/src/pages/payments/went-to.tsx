import type { ReactElement } from 'react'
import type { Payment } from '../../api'
import { shortId } from '../../parts/id'
import { StatusMark } from '../../parts/status'
import { type Family, familyOf } from '../../parts/status-families'

/**
 * Shows the attempts of a payment in their order, joined by a line. With more than two attempts only the last account
 * is named.
 */
export function WentTo({ payment }: { payment: Payment }): ReactElement {
  const route = payment.route ?? []
  if (route.length === 0) return <span className="faint">not asked yet</span>
  return (
    <span className="track">
      {route.map(({ merchant_connector_id, connector_label, state, error_code }, at) => {
        const isLast = at === route.length - 1
        const label = [connector_label ?? merchant_connector_id, state, error_code].filter(Boolean).join(', ')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts stand in their order, and none goes
          <span key={at} className="stop" title={label}>
            <StatusMark family={familyOfStop(state, isLast ? payment.status : null)} size={12} />
            {isLast || route.length <= 2 ? (
              <span className={isLast ? 'cut' : 'cut muted'}>{connector_label ?? shortId(merchant_connector_id)}</span>
            ) : (
              <span className="unseen">{label}</span>
            )}
            {!isLast && <i className="line" />}
          </span>
        )
      })}
    </span>
  )
}

/**
 * Returns the family of an attempt's state. An authorized amount is held until it is captured; only the payment's
 * status distinguishes the two.
 */
const familyOfStop = (state: string, status: string | null): Family =>
  state === 'done' && status !== null ? familyOf(status) : familyOf(state)
