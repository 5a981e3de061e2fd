import type { ReactElement } from 'react'
import type { Attempt, Operation, Payment } from '../../api'
import { plural } from '../../format'
import { StatusMark } from '../../parts/status'

/**
 * The words for an account's failed attempt. States without words are attempts that the account took, or has not
 * answered yet.
 */
const ended: Partial<Record<Operation['state'], string>> = {
  declined: 'declined it',
  not_sent: 'was never reached',
  not_received: 'does not know of it',
}

/** The code of an attempt that the merchant's blocklist or profile ended before anything was sent. */
const BLOCKED = 'HE-03'

/**
 * Explains why a payment failed: the answer of each account that was tried, and the number of accounts that were not
 * tried.
 */
export function WhyFailed({ payment, operations }: { payment: Payment; operations: readonly Operation[] }): ReactElement | null {
  if (!payment.error_message && payment.status !== 'failed') return null
  const attempts = operations.filter(({ verb, purpose, state }) => verb === 'authorize' && purpose === 'merchant' && ended[state])
  const asked = new Set(operations.filter(({ verb }) => verb === 'authorize').map(one => one.merchant_connector_id))
  const able = new Set(
    ((payment.attempts ?? []) as Attempt[]).flatMap(({ routing }) => routing?.connectors.map(one => one.merchant_connector_id) ?? []),
  )
  // A block holds at each account: none of the others could have taken the payment.
  const isBlocked = payment.error_code === BLOCKED
  const spared = isBlocked ? 0 : [...able].filter(id => id !== null && id !== undefined && !asked.has(id)).length
  const isFailed = payment.status === 'failed'
  const [family, title] = isFailed ? (['no', 'Why it failed'] as const) : (['person', 'Processor message'] as const)
  return (
    <section className={`note ${family}`} aria-label={title}>
      <StatusMark family={family} size={16} />
      <div className="grow">
        {isFailed && attempts.length > 0 ? (
          attempts.map(({ n, connector, connector_label, state, why, error_code }) => (
            <p key={n}>
              <b className="strong">
                {error_code === BLOCKED
                  ? 'Blocked by your settings, and sent to no processor'
                  : `${connector_label ?? connector} ${ended[state]}`}
              </b>
              {why ? `: ${why} ` : '. '}
              {error_code && <span className="code">{error_code}</span>}
            </p>
          ))
        ) : (
          <p>
            {payment.error_message ?? 'The payment ended before it was sent to a processor.'}{' '}
            {payment.error_code && <span className="code">{payment.error_code}</span>}
          </p>
        )}
        {payment.unified_message && (
          <p className="faint">
            {payment.unified_message} {payment.unified_code && <span className="code">{payment.unified_code}</span>}
          </p>
        )}
        {isFailed && spared > 0 && (
          <p className="faint">
            {plural(spared, 'other account')} could have taken it and {spared === 1 ? 'was' : 'were'} not tried.
          </p>
        )}
      </div>
    </section>
  )
}
