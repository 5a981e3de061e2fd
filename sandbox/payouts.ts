// The course of payouts: pure, like processor.ts. A payout method behaves as the card whose number ends in the same
// four digits (cards.ts).

import { behaviourOf, type CardName, cardEnding } from './cards.ts'
import { iso, newId } from './context.ts'
import { approve, decline, type Effect, newOperation, notAllowed, show, type Turn } from './processor.ts'
import type { Operation, Payment } from './records.ts'
import {
  type AuthorizeRequest,
  type Body,
  invalid,
  isMissing,
  isRecord,
  readAmount,
  readCard,
  readMatch,
  readReference,
  readWord,
} from './requests.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** The time after which a bank returns a payout, in milliseconds. */
const returnsAfter = 3 * day
/** The time after which an unclaimed payout expires, in milliseconds. */
const unclaimedAfter = 30 * day

const recipientTypes = ['card', 'bank', 'wallet', 'bank_redirect'] as const
type RecipientType = (typeof recipientTypes)[number]

export type PayoutRequest = {
  reference: string
  amount: number
  currency: string
  to: { type: RecipientType; name: CardName; masked: string }
}

export function readPayout(body: Body): PayoutRequest {
  return {
    reference: readReference(body),
    amount: readAmount(body),
    currency: readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals'),
    to: readRecipient(body.to),
  }
}

function readRecipient(to: unknown): PayoutRequest['to'] {
  if (!isRecord(to)) throw invalid('to must be an object', 'to')
  const type = readWord(to, 'type', recipientTypes)
  if (type === 'card') {
    const { name, masked }: AuthorizeRequest['card'] = readCard({ ...to, cvc: undefined })
    return { type, name, masked }
  }
  if (!isMissing(to.method)) readMatch(to, 'method', /^\w{1,64}$/, 'a word')
  const account = readMatch(to, 'account', /^.{1,255}$/su, '1 to 255 characters')
  const ending = account.split('@')[0]!.replace(/\W/g, '').slice(-4)
  return { type, name: cardEnding(ending), masked: `****${ending}` }
}

/** Makes a payout, paid at once or later. In the ledger it is a payment without a hold. */
export function payOut(ask: PayoutRequest, turn: Turn): Effect {
  const id = newId(turn.context, 'pout')
  const payment: Payment = {
    id,
    reference: ask.reference,
    card: ask.to.name,
    masked: ask.to.masked,
    cvc: 'missing',
    capture: 'automatic',
    currency: ask.currency,
    asked: ask.amount,
    phase: 'pending',
    authorized: 0,
    captured: 0,
    capturing: 0,
    refunded: 0,
    refunding: 0,
    closing: false,
    hold_until: null,
    to: ask.to.type,
  }
  const operation = newOperation(payment, { id, type: 'payout', reference: ask.reference, amount: ask.amount }, turn)
  const does = behaviourOf(ask.to.name)
  if (turn.ordered === 'decline') return decidePayout(payment, operation, 'declined', turn)
  if (does.payout === 'waits') return show(payment, { ...operation, due_at: turn.at + unclaimedAfter })
  if (does.later?.authorize !== undefined || does.payout === 'keeps') return show(payment, { ...operation, due_at: turn.at + minute })
  const refusal = does.payout === 'ineligible' ? 'recipient_ineligible' : does.authorize
  if (refusal !== undefined) return show({ ...payment, phase: 'declined' }, decline(operation, refusal, turn))
  return decidePayout(payment, operation, 'approved', turn)
}

/** Cancels a pending payout. Refuses (422) a payout that is not pending. */
export function cancelPayout(payment: Payment, payout: Operation, ask: { reference: string }, turn: Turn): Effect {
  if (payment.phase !== 'pending') throw notAllowed('Only a pending payout can be cancelled')
  const begun = { id: newId(turn.context, 'pcan'), type: 'payout_cancel' as const, reference: ask.reference, amount: payout.amount }
  const operation = newOperation(payment, begun, turn)
  if (turn.ordered === 'decline' || behaviourOf(payment.card).payout === 'keeps')
    return show(payment, decline(operation, 'payout_cancel_declined', turn))
  const after: Payment = { ...payment, phase: 'voided' }
  const called = show(after, decline(payout, 'payout_cancelled', turn))
  return { payment: after, operations: [...show(after, approve(operation, turn)).operations, ...called.operations] }
}

export type PayoutVerdict = 'approved' | 'declined' | 'returned' | 'expired'

/** Decides a payout: paid, declined or expired; or returned after it was paid. */
export function decidePayout(payment: Payment, operation: Operation, verdict: PayoutVerdict, turn: Turn): Effect {
  if (verdict === 'declined') return show({ ...payment, phase: 'declined' }, decline(operation, 'payout_failed', turn))
  if (verdict === 'expired') {
    return show({ ...payment, phase: 'expired' }, { ...operation, status: 'expired', due_at: null, updated_at: iso(turn.at) })
  }
  const paid: Payment = { ...payment, phase: 'captured', authorized: operation.amount, captured: operation.amount }
  if (verdict === 'returned') {
    const back = { ...decline(operation, 'payout_returned', turn), status: 'returned' as const }
    return show({ ...paid, refunded: operation.amount }, back)
  }
  const due_at = behaviourOf(payment.card).payout === 'returns' ? turn.at + returnsAfter : null
  return show(paid, { ...approve(operation, turn), due_at })
}

/** Decides a payout that is due without a request. */
export function ripenPayout(payment: Payment, operation: Operation, turn: Turn): Effect {
  if (operation.status === 'approved') return decidePayout(payment, operation, 'returned', turn)
  const does = behaviourOf(payment.card)
  if (does.payout === 'waits') return decidePayout(payment, operation, 'expired', turn)
  const declined = does.later?.authorize !== undefined && does.later.authorize !== 'approved'
  return decidePayout(payment, operation, declined ? 'declined' : 'approved', turn)
}

export const isPayout = ({ to }: Payment): boolean => to !== undefined

export function payoutStatus({ phase, refunded }: Payment): 'pending' | 'paid' | 'returned' | 'declined' | 'cancelled' | 'expired' {
  if (phase === 'captured') return refunded > 0 ? 'returned' : 'paid'
  return phase === 'voided' ? 'cancelled' : phase === 'expired' ? 'expired' : phase === 'declined' ? 'declined' : 'pending'
}
