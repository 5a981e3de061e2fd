// The rules of money: given a payment and a request, the changes. All of it is pure: no waiting, no writing, no
// network.

import { behaviourOf, type DeclineCode, declines, type PayoutDecline, payoutDeclines, type Verdict } from './cards.ts'
import { type Context, draw, drawDigits, iso, newId } from './context.ts'
import { courseOf, laterOf, lifeOf } from './methods.ts'
import { addressCheck, codeCheck } from './purchase.ts'
import type { Action, Decline, Operation, Payment, PaymentState } from './records.ts'
import { Refusal } from './refusals.ts'
import type { AuthorizeRequest, CaptureRequest, IncrementRequest, RefundRequest, VoidRequest } from './requests.ts'

const minute = 60_000
const challengeLife = 10 * 60 * minute
const holdLife = 7 * 24 * 60 * minute

export type Effect = { payment: Payment; operations: [Operation, ...Operation[]] }

/**
 * The circumstances of one call: the account's time, the randomness, and whether tests ordered a decline or the 3-D
 * Secure result sent is not one that the directory issued.
 */
export type Turn = { at: number; context: Context; ordered: 'decline' | 'unproven' | null }

export function authorize(ask: AuthorizeRequest, turn: Turn): Effect {
  const id = newId(turn.context, 'auth')
  const payment: Payment = {
    id,
    reference: ask.reference,
    card: ask.card.name,
    masked: ask.card.masked,
    cvc: ask.card.cvc,
    ...(ask.card.network !== undefined && { network: ask.card.network }),
    ...(ask.method && { method: ask.method }),
    capture: ask.capture,
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
    ...(ask.overcapture && { overcapture: true }),
    ...(ask.statement_descriptor !== undefined && { statement_descriptor: ask.statement_descriptor }),
    ...(ask.store && { store: { usage: ask.store, expires: ask.card.expires } }),
    ...(ask.by && { by: ask.by }),
    ...(ask.purchase && { purchase: ask.purchase }),
    ...(ask.channel && { channel: ask.channel }),
    ...(ask.installments !== undefined && { installments: ask.installments }),
  }
  const operation = newOperation(payment, { id, type: 'authorization', reference: ask.reference, amount: ask.amount }, turn)
  const does = behaviourOf(ask.card.name)
  if (iso(turn.at).slice(0, 7) > ask.card.expires) return declineAuthorization(payment, operation, 'expired_card', turn)
  if (turn.ordered === 'decline') return declineAuthorization(payment, operation, 'card_declined', turn)
  if (turn.ordered === 'unproven') return declineAuthorization(payment, operation, 'authentication_failed', turn)
  const { declines } = addressCheck(payment)
  if (declines && !ask.method) return declineAuthorization(payment, operation, declines, turn)
  if (ask.method) return begin(ask, payment, operation, turn)
  if (ask.authentication) return authorizeProven(payment, { ...operation, eci: ask.authentication.eci }, turn)
  // A challenge requires a customer who is present: not for orders by mail or telephone, nor for merchant-initiated
  // payments.
  const isThere = ask.by === undefined && ask.channel === undefined
  if (isThere && (does.challenge !== undefined || ask.three_ds === 'challenge')) {
    if (ask.three_ds !== 'skip') return challenge(ask, payment, operation, turn, does.collects)
    if (!isExempt(ask)) return declineAuthorization(payment, operation, 'authentication_required', turn)
  }
  if (does.later?.authorize !== undefined) return show(payment, { ...operation, due_at: turn.at + minute })
  if (does.authorize !== undefined) return declineAuthorization(payment, operation, does.authorize, turn)
  return approveAuthorization(payment, operation, turn)
}

/** Whether the issuer accepts the merchant's exemption and skips the challenge. */
const isExempt = ({ card, exemption, amount }: AuthorizeRequest): boolean =>
  exemption !== undefined && behaviourOf(card.name).exempt === true && (exemption !== 'low_value' || amount <= 3000)

/**
 * Authorizes a payment whose customer was authenticated elsewhere. No challenge follows: the verdict after a challenge
 * applies at once.
 */
function authorizeProven(payment: Payment, operation: Operation, turn: Turn): Effect {
  const { challenge: verdict, authorize, later } = behaviourOf(payment.card)
  if (later?.authorize !== undefined) return show(payment, { ...operation, due_at: turn.at + minute })
  const no = authorize ?? (verdict === 'approved' ? undefined : verdict)
  return no === undefined ? approveAuthorization(payment, operation, turn) : declineAuthorization(payment, operation, no, turn)
}

/** Begins a payment by a method other than a card: decided at once, after a minute, or by the shopper. */
function begin(ask: AuthorizeRequest, payment: Payment, operation: Operation, turn: Turn): Effect {
  const course = courseOf(payment.method!)
  const { authorize, later } = behaviourOf(payment.card)
  if (course === 'later' || later?.authorize !== undefined)
    return show(payment, { ...operation, due_at: turn.at + (payment.method!.settles_ms ?? minute) })
  if (authorize !== undefined) return declineAuthorization(payment, operation, authorize, turn)
  return course === 'at once' ? approveAuthorization(payment, operation, turn) : challenge(ask, payment, operation, turn, course)
}

function challenge(ask: AuthorizeRequest, payment: Payment, operation: Operation, turn: Turn, action?: Action): Effect {
  return show(
    { ...payment, phase: 'challenge' },
    {
      ...operation,
      status: 'challenge',
      challenge: { token: draw(turn.context, 32), return_url: ask.return_url, merchant: ask.merchant, ...(action && { action }) },
      due_at: turn.at + (action ? (payment.method?.life_ms ?? lifeOf(action)) : challengeLife),
    },
  )
}

/** Returns the largest total that may be captured: the authorized amount, or with overcapture a fifth more. */
export const mostOf = ({ authorized, capture, overcapture }: Payment): number =>
  overcapture && capture === 'manual' ? Math.floor(authorized * 1.2) : authorized

export function capture(payment: Payment, ask: CaptureRequest, turn: Turn): Effect {
  if (payment.phase !== 'open') throw notAllowed(`A payment that is ${stateOf(payment).status} cannot be captured`)
  if (payment.closing) throw notAllowed('The final capture of this payment is pending')
  const left = mostOf(payment) - payment.captured - payment.capturing
  if (ask.amount > left) throw notAllowed(`amount ${ask.amount} exceeds the amount left to capture: ${left}`)

  const operation = newOperation(payment, { id: newId(turn.context, 'cap'), type: 'capture', ...ask }, turn)
  const does = behaviourOf(payment.card)
  const declined = turn.ordered === 'decline' ? 'capture_declined' : does.capture
  if (declined !== undefined) return show(payment, decline(operation, declined, turn))
  const { statement_descriptor } = ask
  const reserved: Payment = {
    ...payment,
    capturing: payment.capturing + ask.amount,
    closing: ask.final,
    ...(statement_descriptor !== undefined && { statement_descriptor }),
  }
  if (does.later?.capture !== undefined) return show(reserved, { ...operation, due_at: turn.at + minute })
  return settleCapture(reserved, operation, 'approved', turn)
}

/**
 * Voids a payment. `authorization` is the operation that the payment began with; voiding an undecided authorization
 * declines it.
 */
export function voidPayment(payment: Payment, authorization: Operation, ask: VoidRequest, turn: Turn): Effect {
  if (!['open', 'pending', 'challenge'].includes(payment.phase)) {
    throw notAllowed(`A payment that is ${stateOf(payment).status} cannot be voided`)
  }
  if (payment.capturing > 0) throw notAllowed('A capture of this payment is pending')

  const amount = payment.authorized - payment.captured
  const operation = newOperation(payment, { id: newId(turn.context, 'void'), type: 'void', reference: ask.reference, amount }, turn)
  const declined = turn.ordered === 'decline' ? 'void_declined' : behaviourOf(payment.card).void
  if (declined !== undefined) return show(payment, decline(operation, declined, turn))
  const voided: Payment = { ...payment, phase: 'voided', hold_until: null }
  const effect = show(voided, { ...operation, status: 'approved' })
  if (payment.phase === 'open') return effect
  return {
    payment: voided,
    operations: [...effect.operations, ...show(voided, decline(authorization, 'voided', turn)).operations],
  }
}

export function refund(payment: Payment, ask: RefundRequest, turn: Turn): Effect {
  const left = payment.captured - payment.refunded - payment.refunding - (payment.disputed ?? 0)
  if (ask.amount > left) throw notAllowed(`amount ${ask.amount} exceeds the amount left to refund: ${left}`)

  const operation = newOperation(payment, { id: newId(turn.context, 'ref'), type: 'refund', ...ask }, turn)
  const does = behaviourOf(payment.card)
  const declined = turn.ordered === 'decline' ? 'refund_declined' : does.refund
  if (declined !== undefined) return show(payment, decline(operation, declined, turn))
  const reserved: Payment = { ...payment, refunding: payment.refunding + ask.amount }
  const takes = payment.method?.refunds_ms ?? (does.later?.refund === undefined ? undefined : minute)
  if (takes !== undefined) return show(reserved, { ...operation, due_at: turn.at + takes })
  return settleRefund(reserved, operation, 'approved', turn)
}

/** Takes a refund back that was approved: the customer's bank did not accept the money. */
export function takeBack(payment: Payment, operation: Operation, turn: Turn): Effect {
  if (operation.status !== 'approved') throw notAllowed(`A refund that is ${operation.status} cannot be taken back`)
  return show({ ...payment, refunded: payment.refunded - operation.amount }, decline(operation, 'refund_failed', turn))
}

/** Increases the authorized amount to `amount` in total. Refuses (422) once an amount was captured. */
export function increment(payment: Payment, ask: IncrementRequest, turn: Turn): Effect {
  if (payment.phase !== 'open' || payment.captured > 0)
    throw notAllowed(`A payment that is ${stateOf(payment).status} cannot be incremented`)
  if (payment.capturing > 0) throw notAllowed('A capture of this payment is pending')
  if (ask.amount <= payment.authorized) throw notAllowed(`amount ${ask.amount} must exceed the authorized amount: ${payment.authorized}`)
  const operation = newOperation(payment, { id: newId(turn.context, 'inc'), type: 'increment', ...ask }, turn)
  if (turn.ordered === 'decline') return show(payment, decline(operation, 'increment_declined', turn))
  return show({ ...payment, authorized: ask.amount }, approve(operation, turn))
}

/** Extends the hold: it lasts as long as a new hold, from now. */
export function extend(payment: Payment, ask: VoidRequest, turn: Turn): Effect {
  if (payment.phase !== 'open') throw notAllowed(`A payment that is ${stateOf(payment).status} does not hold any funds`)
  const amount = payment.authorized - payment.captured
  const operation = newOperation(payment, { id: newId(turn.context, 'ext'), type: 'extension', reference: ask.reference, amount }, turn)
  if (turn.ordered === 'decline') return show(payment, decline(operation, 'extension_declined', turn))
  return show({ ...payment, hold_until: turn.at + holdLife }, approve(operation, turn))
}

/**
 * Reverses a payment: refunds the captured amount and releases the rest. Refuses (422) once an amount was refunded.
 */
export function reverse(payment: Payment, ask: VoidRequest, turn: Turn): Effect {
  if (payment.captured === 0) throw notAllowed(`A payment that is ${stateOf(payment).status} does not have a captured amount`)
  if (payment.refunded + payment.refunding > 0) throw notAllowed('This payment has already been refunded, at least in part')
  if (payment.capturing > 0) throw notAllowed('A capture of this payment is pending')
  const amount = payment.captured
  const operation = newOperation(payment, { id: newId(turn.context, 'rev'), type: 'reversal', reference: ask.reference, amount }, turn)
  if (turn.ordered === 'decline') return show(payment, decline(operation, 'reversal_declined', turn))
  const phase = payment.phase === 'open' ? 'voided' : payment.phase
  return show({ ...payment, phase, refunded: amount, hold_until: null }, approve(operation, turn))
}

/** Records a declined operation, for processors that accept every request and decline it later. No money moves. */
export function refused(payment: Payment, begun: Omit<Begun, 'id'>, code: DeclineCode, turn: Turn): Effect {
  const id = newId(turn.context, idLetters[begun.type])
  return show(payment, decline(newOperation(payment, { ...begun, id }, turn), code, turn))
}

const idLetters = {
  authorization: 'auth',
  capture: 'cap',
  void: 'void',
  refund: 'ref',
  increment: 'inc',
  extension: 'ext',
  reversal: 'rev',
  payout: 'pout',
  payout_cancel: 'pcan',
} as const satisfies Record<Operation['type'], string>

/** Decides a pending operation or a challenge: by time, by the shopper, or by order of a test. */
export function decideOperation(payment: Payment, operation: Operation, verdict: Verdict, turn: Turn): Effect {
  if (operation.type === 'capture') return settleCapture(payment, operation, verdict, turn)
  if (operation.type === 'refund') return settleRefund(payment, operation, verdict, turn)
  if (operation.status === 'challenge' && verdict !== 'authentication_failed' && payment.method?.settles_ms !== undefined)
    return settling(payment, operation, payment.method.settles_ms, turn)
  if (verdict === 'approved') return approveAuthorization(payment, operation, turn)
  return declineAuthorization(payment, operation, verdict, turn)
}

/** Sets a payment to pending: the shopper has approved, and the banks have not decided yet. */
const settling = (payment: Payment, { challenge: _answered, ...operation }: Operation, ms: number, { at }: Turn): Effect =>
  show({ ...payment, phase: 'pending' }, { ...operation, challenge: null, status: 'pending', due_at: at + ms, updated_at: iso(at) })

/** Decides an operation that is due without a request. */
export function ripen(payment: Payment, operation: Operation, turn: Turn): Effect {
  if (operation.status === 'challenge') {
    const code = payment.method ? 'not_paid' : 'authentication_expired'
    return show({ ...payment, phase: 'expired' }, decline(operation, code, turn))
  }
  if (payment.method && operation.type === 'authorization') return decideOperation(payment, operation, laterOf(payment), turn)
  const later = behaviourOf(payment.card).later
  const verdicts: Partial<Record<Operation['type'], Verdict | undefined>> = {
    authorization: later?.authorize,
    capture: later?.capture,
    refund: later?.refund,
  }
  return decideOperation(payment, operation, verdicts[operation.type] ?? 'approved', turn)
}

/** Expires the hold: the amount that is not captured is released. */
export function lapse(payment: Payment, authorization: Operation, turn: Turn): Effect {
  if (payment.phase !== 'open') throw notAllowed(`A payment that is ${stateOf(payment).status} does not hold any funds`)
  return show({ ...payment, phase: 'expired', hold_until: null }, { ...authorization, updated_at: iso(turn.at) })
}

export function isUndecided(operation: Operation): boolean {
  return operation.status === 'pending' || operation.status === 'challenge'
}

export const orderedDeclines = {
  authorization: 'card_declined',
  capture: 'capture_declined',
  void: 'void_declined',
  increment: 'increment_declined',
  extension: 'extension_declined',
  reversal: 'reversal_declined',
  refund: 'refund_failed',
} as const satisfies Partial<Record<Operation['type'], DeclineCode>>

function approveAuthorization(payment: Payment, operation: Operation, { at, context }: Turn): Effect {
  const amount = behaviourOf(payment.card).approves === 'half' ? Math.floor(payment.asked / 2) : payment.asked
  const approved: Payment = {
    ...payment,
    authorized: amount,
    captured: payment.capture === 'automatic' ? amount : 0,
    phase: payment.capture === 'automatic' ? 'captured' : 'open',
    hold_until: payment.capture === 'automatic' ? null : at + holdLife,
  }
  return show(approved, {
    ...operation,
    status: 'approved',
    amount,
    due_at: null,
    ...(!payment.method && {
      network_transaction_id: draw(context, 15),
      ...(payment.store && { mandate: mandateOf(payment) }),
      authorization_code: draw(context, 6),
      eci: operation.eci ?? (operation.status === 'challenge' ? '05' : '07'),
      avs_result: addressCheck(payment).avs_result,
      cvc_result: codeCheck(payment),
    }),
    updated_at: iso(at),
  })
}

/** Returns the id of the mandate for a stored card, derived from the payment's id. */
const mandateOf = ({ id }: Pick<Payment, 'id'>): string => id.replace('auth_', 'mdt_')

/** Returns the stored card of a mandate; null if no card is stored under this id. */
export function cardKept(
  payments: ReadonlyMap<string, Payment>,
  mandate: string,
  cvc: 'sent' | 'missing',
): AuthorizeRequest['card'] | null {
  const payment = payments.get(mandate.replace('mdt_', 'auth_'))
  if (!payment?.store || !['open', 'captured', 'voided', 'expired'].includes(payment.phase)) return null
  return { name: payment.card, masked: payment.masked, cvc, expires: payment.store.expires }
}

/** The decline codes for payments by methods other than cards, by the code for cards. */
const otherwise: Partial<Record<DeclineCode, DeclineCode>> = {
  card_declined: 'payment_declined',
  authentication_failed: 'rejected',
  authentication_expired: 'not_paid',
}

function declineAuthorization(payment: Payment, operation: Operation, code: DeclineCode, turn: Turn): Effect {
  if (payment.method) return show({ ...payment, phase: 'declined' }, decline(operation, otherwise[code] ?? code, turn))
  const cvc = code === 'incorrect_cvc' ? 'N' : payment.cvc === 'sent' ? 'M' : 'P'
  return show(
    { ...payment, phase: 'declined' },
    { ...decline(operation, code, turn), avs_result: addressCheck(payment).avs_result, cvc_result: cvc },
  )
}

function settleCapture(payment: Payment, operation: Operation, verdict: Verdict, turn: Turn): Effect {
  const returned: Payment = {
    ...payment,
    capturing: payment.capturing - operation.amount,
    closing: operation.final ? false : payment.closing,
  }
  if (verdict !== 'approved') return show(returned, decline(operation, verdict, turn))
  const captured = payment.captured + operation.amount
  const done = operation.final || captured >= payment.authorized
  const after: Payment = {
    ...returned,
    captured,
    authorized: Math.max(captured, payment.authorized),
    ...(done && { phase: 'captured', hold_until: null }),
  }
  return show(after, approve(operation, turn))
}

function settleRefund(payment: Payment, operation: Operation, verdict: Verdict, turn: Turn): Effect {
  const returned = { ...payment, refunding: payment.refunding - operation.amount }
  if (verdict !== 'approved') return show(returned, decline(operation, verdict, turn))
  return show({ ...returned, refunded: payment.refunded + operation.amount }, approve(operation, turn))
}

export function approve(operation: Operation, { at, context }: Turn): Operation {
  return { ...operation, status: 'approved', arn: drawDigits(context, 23), due_at: null, updated_at: iso(at) }
}

export function decline(operation: Operation, code: DeclineCode | PayoutDecline, { at }: Turn): Operation {
  const details: Decline = { code, ...{ ...declines, ...payoutDeclines }[code] }
  return { ...operation, status: 'declined', decline: details, due_at: null, updated_at: iso(at) }
}

/** Returns the effect of an operation, with the state of the payment after it. */
export function show(payment: Payment, operation: Operation): Effect {
  const hold_expires_at = payment.hold_until === null ? null : iso(payment.hold_until)
  const more = payment.overcapture && payment.phase === 'open' ? { max_capturable: mostOf(payment) } : {}
  return { payment, operations: [{ ...operation, payment_state: stateOf(payment), hold_expires_at, ...more }] }
}

export function stateOf(payment: Payment): PaymentState {
  const { phase, authorized, captured, refunded } = payment
  if (phase === 'open') return { status: captured > 0 ? 'partially_captured' : 'authorized', authorized, captured, refunded }
  const released = phase === 'voided' || phase === 'expired'
  return { status: released && captured > 0 ? 'captured' : phase, authorized, captured, refunded }
}

type Begun = { id: string; type: Operation['type']; reference: string; amount: number; final?: boolean }

export function newOperation(payment: Payment, begun: Begun, { at }: Turn): Operation {
  return {
    id: begun.id,
    type: begun.type,
    payment: payment.id,
    reference: begun.reference,
    status: 'pending',
    amount: begun.amount,
    currency: payment.currency,
    decline: null,
    payment_state: stateOf(payment),
    network_transaction_id: null,
    authorization_code: null,
    eci: null,
    avs_result: null,
    cvc_result: null,
    arn: null,
    hold_expires_at: null,
    created_at: iso(at),
    updated_at: iso(at),
    due_at: null,
    challenge: null,
    final: begun.final ?? false,
  }
}

export function notAllowed(message: string): Refusal {
  return new Refusal('not_allowed', message)
}
