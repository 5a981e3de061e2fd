import type { Currency } from '../../base/currencies.ts'
import { uncounted } from '../counting.ts'
import { parseTime, tableOf } from '../kit/read.ts'
import type { Movement, PaymentReport } from '../payment-report.ts'
import { amountIn, type CheckoutAction, type CheckoutPayment, isCheckoutId, readBalances, readRecord } from './replies.ts'
import { counting } from './requests.ts'

/** Checkout.com's report of a whole payment: its balances are the totals, its actions the movements. */

const verbs = tableOf<Movement['verb']>({ Capture: 'capture', Refund: 'refund', Void: 'void', Authorization: 'increment' })

/** `actions`: the latest first. Null: an amount is missing or cannot be expressed. */
export function checkoutReport(
  payment: CheckoutPayment,
  actions: readonly CheckoutAction[],
  disputes: readonly string[],
): PaymentReport | null {
  if (payment.money === null) return null
  const { id, status, money, authorized, captured, capturable, refunded } = payment
  const { currency } = money
  const movements = movementsOf(actions, payment.request_id, currency)
  if (movements === null) return null
  const done = (verb: Movement['verb']) => movements.filter(one => one.verb === verb && one.state === 'done')
  const sumOf = (verb: Movement['verb']) => done(verb).reduce((sum, { amount }) => sum + amount.amount, 0)
  const totals = [authorized, captured, refunded, capturable].map(value => (value === null ? null : ourAmount(value, currency)))
  if (totals.includes(undefined)) return null
  const [held_in_all, taken, given_back, held] = totals as (number | null)[]
  return {
    reference: id,
    currency,
    authorized: held_in_all ?? done('increment').at(-1)?.amount.amount ?? (status === 'Authorized' ? money.amount : null),
    captured: taken ?? sumOf('capture'),
    refunded: given_back ?? sumOf('refund'),
    held: held ?? null,
    released: status === 'Expired' ? 'expired' : status === 'Voided' || done('void').length > 0 ? 'voided' : null,
    movements,
    disputes: [...disputes, ...actions.filter(({ type, approved }) => type === 'Return' && approved).map(one => `${id}/${one.id}`)],
  }
}

const ourAmount = (value: number, currency: Currency): number | undefined => uncounted(counting, value, currency)?.amount

/**
 * The oldest first. Each authorization after the first raises the hold by its amount. `ours`: the payment's reference.
 * Each action of ours has a reference of its own, so one without is none of ours: it gets the payment's.
 */
function movementsOf(actions: readonly CheckoutAction[], ours: string | null, currency: Currency): Movement[] | null {
  const movements: Movement[] = []
  let held: number | null = null
  for (const { id, type, amount: value, approved, request_id, message, at } of actions.toReversed()) {
    const verb = verbs[type]
    if (verb === undefined) continue
    // A void may leave its amount out.
    const own = value === null ? (verb === 'void' ? 0 : undefined) : ourAmount(value, currency)
    if (own === undefined) return null
    const isFirst = verb === 'increment' && held === null
    const amount: number = verb === 'increment' ? (held ?? 0) + own : own
    if (verb === 'increment' && (approved || isFirst)) held = amount
    if (isFirst) continue
    const state = approved ? 'done' : 'declined'
    const reason = approved ? null : message
    movements.push({ verb, reference: id, request_id: request_id ?? ours, amount: { amount, currency }, state, reason, at })
  }
  return movements
}

const told = tableOf<[verb: Movement['verb'], state: Movement['state']]>({
  payment_captured: ['capture', 'done'],
  payment_capture_declined: ['capture', 'declined'],
  payment_voided: ['void', 'done'],
  payment_void_declined: ['void', 'declined'],
  payment_authorization_incremented: ['increment', 'done'],
  payment_refunded: ['refund', 'done'],
  payment_refund_declined: ['refund', 'declined'],
})

/** A webhook's report of the whole payment: its balances and its own action. `ask`: it says too little. */
export function reportTold(type: string, data: Record<string, unknown>): PaymentReport | 'ask' {
  const [verb, state] = told[type] ?? []
  const totals = readBalances(readRecord(data.balances))
  const { id, currency, action_id } = data
  const money = amountIn(currency, data.amount)
  if (!verb || !state || totals === null || money === null || !isCheckoutId(id) || !isCheckoutId(action_id)) return 'ask'
  const total = (value: number | null) => (value === null ? null : (ourAmount(value, money.currency) ?? null))
  const authorized = total(totals.authorized)
  const isOver = verb === 'void' && state === 'done'
  const amount = verb === 'increment' && authorized !== null ? { ...money, amount: authorized } : money
  const isListed = verb !== 'increment' || authorized !== null
  return {
    reference: id,
    currency: money.currency,
    authorized,
    captured: total(totals.captured),
    refunded: total(totals.refunded),
    held: isOver ? 0 : null,
    released: isOver ? 'voided' : null,
    movements: isListed
      ? [{ verb, reference: action_id, request_id: null, amount, state, reason: null, at: parseTime(data.processed_on) }]
      : [],
    disputes: [],
  }
}
