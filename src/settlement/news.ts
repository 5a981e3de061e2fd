import { connectors } from '../connectors/all.ts'
import type { OperationIdentifier } from '../connectors/connector.ts'
import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import type { Update } from '../connectors/port.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import type { Verb } from '../connectors/verbs.ts'
import { mayStillTurnUp, type Operation } from '../operations/operation.ts'
import type { SettlementLine, SettlementType } from './line.ts'
import { movedMoney } from './match.ts'

/** A line of a report as news for this service, like that of a webhook. Pure. */

/** The verbs of ours that a line of this type may be the result of. */
const verbs: Partial<Record<SettlementType, readonly Verb[]>> = {
  charge: ['capture', 'authorize'],
  refund: ['refund', 'post_capture_void'],
  transfer: ['payout'],
}

const movements: Partial<Record<SettlementType, Pick<Movement, 'verb' | 'state'>>> = {
  charge: { verb: 'capture', state: 'done' },
  refund: { verb: 'refund', state: 'done' },
  refund_failure: { verb: 'refund', state: 'declined' },
}

/** The names by which the operation of a line is found, the most exact first. */
export const identifiersOf = (
  line: Pick<SettlementLine, 'object_reference' | 'request_id' | 'payment_reference'>,
): OperationIdentifier[] => [
  ...(line.request_id === null ? [] : [{ request_id: line.request_id }]),
  ...(line.object_reference === null ? [] : [{ reference: line.object_reference }]),
  ...(line.payment_reference === null ? [] : [{ reference: line.payment_reference, verb: 'authorize' as const }]),
]

/**
 * Returns the news about an operation of which a line (null: the lack of one) says what is not known here. The
 * processor is asked if it can be; otherwise the line itself counts, as far as it is certain. Null: no news.
 */
export function updateOf(line: SettlementLine | null, operation: Operation): Update | null {
  const connector = connectors[operation.connector]
  const of = [{ request_id: operation.request_id }] as const
  if (operation.kind === 'payout') return { is: 'outcome', of, outcome: 'ask' }
  if (connector?.read_payment) return { is: 'payment', of, report: 'ask' }
  if (mayStillTurnUp(operation) && connector?.sync) return { is: 'outcome', of, outcome: 'ask' }
  if (line === null) return null
  return mayStillTurnUp(operation) ? resultOf(line, operation) : reportOfLine(line, of)
}

/** A movement that the processor has settled is one that succeeded, if it has the amount that was asked for. */
function resultOf(line: SettlementLine, { verb, amount, currency, request_id }: Operation): Update | null {
  const moved = movedMoney(line)
  const reference = verb === 'authorize' ? line.payment_reference : line.object_reference
  const isIt = verbs[line.type]?.includes(verb) && moved.currency === currency && Math.abs(moved.amount) === amount
  if (!isIt || reference === null) return null
  const captured = verb === 'authorize' ? ('as asked' as const) : null
  const outcome = new Unscreened({
    ...({ is: 'done', reference, request_id: null, amount: { amount, currency }, captured, facts: {} } as const),
  })
  return { is: 'outcome', of: [{ request_id }], outcome }
}

function reportOfLine(line: SettlementLine, of: readonly [OperationIdentifier]): Update | null {
  const its = movements[line.type]
  const { payment_reference: reference, object_reference, request_id, description: reason, booked_at: at } = line
  if (its === undefined || reference === null || object_reference === null) return null
  const { amount, currency } = movedMoney(line)
  const report: PaymentReport = {
    ...{ reference, currency, authorized: null, captured: null, refunded: null, held: null, released: null, disputes: [] },
    movements: [{ ...its, reference: object_reference, request_id, amount: { amount: Math.abs(amount), currency }, reason, at }],
  }
  return { is: 'payment', of, report: new Unscreened(report) }
}
