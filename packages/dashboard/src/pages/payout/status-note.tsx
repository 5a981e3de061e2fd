import type { ReactElement } from 'react'
import type { Operation, Payout } from '../../api'
import { plural } from '../../format'
import { withCurrency } from '../../parts/money'
import { outsideAt } from '../../parts/processor'
import { StatusMark } from '../../parts/status'
import type { Family } from '../../parts/status-families'
import { Due } from '../../parts/time'
import { familyOfPayout, paidTo, payeeOf, uncertainOf } from '../../summaries'

export function recipientOfPayout(payout: Payout): string {
  const payee = payeeOf(payout)
  return `${paidTo(payout) ?? 'an account that is not said yet'}${payee ? ` of ${payee}` : ''}`
}

/** Whether others have ended the payout at its processor: it was sent, and no cancel of ours was. */
const isEndedOutside = ({ status }: Payout, operations: readonly Operation[]): boolean =>
  status === 'cancelled' && operations.some(({ verb }) => verb === 'payout') && !operations.some(({ verb }) => verb === 'cancel_payout')

function describe(payout: Payout, amount: string, operations: readonly Operation[]): string {
  const to = recipientOfPayout(payout)
  if (isEndedOutside(payout, operations)) return `It was cancelled ${outsideAt(payout.connector)}: ${amount} is not paid to ${to}.`
  switch (payout.status) {
    case 'success':
      return `${payout.connector} has said that ${amount} was paid to ${to}.`
    case 'reversed':
      return `${amount} was paid to ${to}, and came back ${outsideAt(payout.connector)}.`
    case 'pending':
      return `It is not certain yet that ${amount} was paid. Unknown is not failed: nothing is sent again, and nobody should pay it out under another id.`
    case 'initiated':
      return `${payout.connector} has it: ${amount} is on its way to ${to}.`
    case 'requires_fulfillment':
      return `Confirmed, and nothing was sent. ${amount} will go to ${to} once it is fulfilled.`
    case 'requires_confirmation':
      return `Nothing was sent. It waits to be confirmed.`
    case 'requires_payout_method_data':
      return `Nothing was sent. It is not said yet where ${amount} shall go.`
    default:
      return `No money was sent. ${payout.error_message ?? ''}`
  }
}

export function PayoutStatusNote({ payout, operations }: { payout: Payout; operations: readonly Operation[] }): ReactElement {
  const uncertain = uncertainOf(operations)
  const family: Family = payout.status === 'pending' ? 'unknown' : familyOfPayout(payout)
  const tint = family === 'unknown' || family === 'no' || family === 'person' ? family : 'plain'
  return (
    <div className={`note ${tint}`}>
      <StatusMark family={family} size={16} />
      <div className="grow">
        <p>
          {describe(payout, withCurrency(payout.amount, payout.currency), operations)}{' '}
          {payout.error_code && <span className="code">{payout.unified_code ?? payout.error_code}</span>}
        </p>
        {uncertain && (
          <p className="faint">
            {uncertain.why}{' '}
            {uncertain.ask_at && (
              <>
                {uncertain.connector_label ?? uncertain.connector} was asked {plural(uncertain.asked, 'time')}, and is asked next{' '}
                <Due at={uncertain.ask_at} />.
              </>
            )}
          </p>
        )}
      </div>
    </div>
  )
}
