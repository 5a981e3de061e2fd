// Money that a person moves at the processor's dashboard, without the merchant's software: the same rules as for
// calls, and operations that no caller has a reference of.

import type { Account } from './books.ts'
import { newId } from './context.ts'
import type { Desk } from './desk.ts'
import { dashboardOf } from './dialects/dashboards.ts'
import { changeOf, raise, raisedBy, reasons } from './disputes.ts'
import { type MoveRequest, moves, ofPayouts } from './move-request.ts'
import { cancelPayout, decidePayout, isPayout } from './payouts.ts'
import { capture, type Effect, increment, notAllowed, refund, type Turn, takeBack, voidPayment } from './processor.ts'
import { type Change, disputeStages, type Operation, type Payment, webhookFates } from './records.ts'
import { Refusal } from './refusals.ts'
import { type Body, isMissing, readInteger, readMatch, readWord } from './requests.ts'

export function readMove(body: Body): MoveRequest {
  const text = (name: string) => readMatch(body, name, /^.{1,255}$/su, '1 to 255 characters')
  return {
    move: readWord(body, 'move', moves),
    ...(!isMissing(body.amount) && { amount: readInteger(body, 'amount', { from: 1, to: Number.MAX_SAFE_INTEGER }) }),
    ...(!isMissing(body.final) && { final: readWord({ final: String(body.final) }, 'final', ['true', 'false']) === 'true' }),
    ...(!isMissing(body.reason) && { reason: text('reason') }),
    ...(!isMissing(body.stage) && { stage: readWord(body, 'stage', disputeStages) }),
    ...(!isMissing(body.operation) && { operation: text('operation') }),
    ...(!isMissing(body.webhooks) && { webhooks: readWord(body, 'webhooks', webhookFates) }),
  }
}

/**
 * Finds a payment by the ledger's id, a dialect's id, or the reference of one of its operations. Dialects make their
 * ids of the end of the ledger's.
 */
export function needPayment(account: Account, id: string): Payment {
  const found = account.payments.get(account.names.get(id) ?? id) ?? account.payments.get(operationNamed(account, id)?.payment ?? '')
  if (found === undefined) throw new Refusal('not_found', 'No such payment')
  return found
}

function operationNamed({ operations, references }: Account, id: string): Operation | undefined {
  const named = operations.get(references.get(id) ?? id)
  const end = id.replace(/^[a-z]+_/, '').toUpperCase()
  return named ?? (end.length < 12 ? undefined : [...operations.values()].find(one => one.id.toUpperCase().endsWith(end)))
}

/** Moves money and writes the change. Returns the change. */
export function makeMove(desk: Desk, account: Account, payment: Payment, ask: MoveRequest): Moved {
  const change = moved(account, payment, ask, desk.turn(account))
  desk.write({ account: account.name, ...change })
  return change
}

type Moved = Pick<Change, 'payment' | 'operations' | 'documents' | 'news' | 'webhooks'>

/** Returns the change that a move makes. Refuses (422) what the rules of money refuse to a call. */
function moved(account: Account, payment: Payment, ask: MoveRequest, turn: Turn): Moved {
  const { move, webhooks } = ask
  const fate = webhooks && { webhooks }
  if (isPayout(payment) !== ofPayouts.some(name => name === move)) throw notAllowed(`${move} is not a move of this payment`)
  if (move === 'dispute') {
    const { amount, reason, stage } = ask
    if (reason !== undefined && !Object.hasOwn(reasons, reason)) readWord({ reason }, 'reason', Object.keys(reasons))
    const asked = { ...(amount !== undefined && { amount }), ...(reason !== undefined && { reason }), ...(stage && { stage }) }
    return { ...changeOf(raise(account, payment, asked, turn)), ...fate }
  }
  const effect = effectOf(account, payment, ask, turn)
  const isNew = ({ id }: Operation) => !account.operations.has(id)
  const marks = { origin: 'dashboard' as const, ...(ask.reason !== undefined && { reason: ask.reason }) }
  const operations = effect.operations.map(one => ({ ...one, ...(isNew(one) && marks), ...fate }))
  const kept = dashboardOf(payment).made?.(account, { ...effect, operations: operations as Effect['operations'] }, ask, turn)
  const disputed = raisedBy(account, effect.payment, turn)
  return {
    payment: disputed?.payment ?? effect.payment,
    operations,
    documents: [...(kept?.documents ?? []), ...(disputed?.documents ?? [])],
    news: [...(kept?.news ?? []), ...(disputed?.news ?? [])],
    ...fate,
  }
}

function effectOf(account: Account, payment: Payment, ask: MoveRequest, turn: Turn): Effect {
  const { amount } = ask
  const reference = newId(turn.context, 'dash')
  const first = account.operations.get(payment.id)!
  switch (ask.move) {
    case 'capture': {
      const left = payment.authorized - payment.captured - payment.capturing
      const final = ask.final ?? dashboardOf(payment).capturesOnce?.(account, payment) ?? false
      return capture(payment, { reference, amount: amount ?? left, final }, turn)
    }
    case 'void':
      return voidPayment(payment, first, { reference }, turn)
    case 'increment':
      if (amount === undefined) throw new Refusal('invalid_request', 'amount is required', 'amount')
      return increment(payment, { reference, amount }, turn)
    case 'refund': {
      const left = payment.captured - payment.refunded - payment.refunding - (payment.disputed ?? 0)
      if (left < 1) throw notAllowed('The payment does not have an amount left to refund')
      return refund(payment, { reference, amount: amount ?? left, reason: ask.reason ?? null }, turn)
    }
    case 'payout_cancelled': {
      // No call asks for it: the processor tells of the payout itself.
      const { payment: after, operations } = cancelPayout(payment, first, { reference }, turn)
      const payout = operations.find(({ type }) => type === 'payout')
      if (payout === undefined) throw notAllowed('The payout can no longer be cancelled')
      return { payment: after, operations: [payout] }
    }
    case 'payout_returned':
      if (first.status !== 'approved') throw notAllowed(`A payout that is ${first.status} cannot be returned`)
      return decidePayout(payment, first, 'returned', turn)
    default:
      return takeBack(payment, refundOf(account, payment, ask.operation), turn)
  }
}

function refundOf(account: Account, payment: Payment, id: string | undefined): Operation {
  const isRefund = (one: Operation | undefined) => one?.payment === payment.id && one.type === 'refund'
  const found =
    id === undefined
      ? [...account.operations.values()].findLast(one => isRefund(one) && one.status === 'approved')
      : operationNamed(account, id)
  if (!found || !isRefund(found)) throw new Refusal('not_found', 'No such refund')
  return found
}
