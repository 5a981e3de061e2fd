// The calls of /v1. A call that may move money is one synchronous decision between two waits: first for a fault, then
// for the write to disk.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from './books.ts'
import { behaviourOf } from './cards.ts'
import { completed } from './complete.ts'
import { newId } from './context.ts'
import type { Desk } from './desk.ts'
import { holds } from './directory.ts'
import { changeOf, raisedBy } from './disputes.ts'
import { type Answer, type CallName, type FaultName, faultOf, type Keep } from './faults.ts'
import { identities } from './identities.ts'
import { cancelPayout, type PayoutRequest, payOut, readPayout } from './payouts.ts'
import { authorize, capture, cardKept, type Effect, extend, increment, refund, reverse, type Turn, voidPayment } from './processor.ts'
import type { Operation, OrderNote, Payment } from './records.ts'
import { Refusal } from './refusals.ts'
import {
  type AuthorizeRequest,
  type Body,
  type CaptureRequest,
  type IncrementRequest,
  type NamedRequest,
  type RefundRequest,
  readAuthorize,
  readBody,
  readCapture,
  readComplete,
  readIdempotencyKey,
  readIncrement,
  readOrder,
  readRefund,
  readVoid,
  type VoidRequest,
} from './requests.ts'
import { showOperation } from './show-operation.ts'
import { accountOf } from './who.ts'

type Params = { Params: { id?: string; reference?: string } }
type Wire = { request: FastifyRequest<Params>; reply: FastifyReply }
/** The part of a call that a fault needs. */
type Connection = { request: { raw: FastifyRequest['raw'] }; reply: FastifyReply }
type Order = { fault: FaultName; ms: number }

type MoneyCall<Ask> = {
  call: CallName
  read: (body: Body) => Ask
  fault: (ask: Ask, account: Account) => FaultName | undefined
  effect: (ask: Ask, account: Account, params: Params['Params'], turn: Turn) => Effect
}

export const noFault = () => undefined

/** Returns the card of a request; null if the request names a mandate that does not exist. */
const cardIn = ({ card }: NamedRequest, { payments }: Account): AuthorizeRequest['card'] | null =>
  'mandate' in card ? cardKept(payments, card.mandate, card.cvc) : card

/** Refuses a payment whose amount or currency differs from the order that its wallet was opened for. */
function checkOrder(account: Account, id: string, { amount, currency }: NamedRequest): void {
  const order = account.documents.get(id) as OrderNote | undefined
  if (order?.object !== 'order') throw new Refusal('invalid_request', 'No such order', 'method.details.token')
  if (order.amount !== amount || order.currency !== currency)
    throw new Refusal('not_allowed', `The order is for ${order.amount} ${order.currency}`)
}

const authorizeCall: MoneyCall<NamedRequest> = {
  call: 'authorize',
  read: readAuthorize,
  fault(ask, account) {
    const card = cardIn(ask, account)
    return card ? behaviourOf(card.name).fault : undefined
  },
  effect(ask, account, _params, turn) {
    const card = cardIn(ask, account)
    if (card === null) throw new Refusal('invalid_request', 'No such mandate', 'mandate')
    if (ask.order !== undefined) checkOrder(account, ask.order, ask)
    const proven = ask.authentication === undefined || holds(account, ask.authentication, card, ask)
    return authorize({ ...ask, card }, proven ? turn : { ...turn, ordered: 'unproven' })
  },
}

/**
 * Returns the authorization call of one identity of the processor, which approves some cards that the others decline.
 */
const authorizeAs = (approves: readonly string[]): MoneyCall<NamedRequest> => ({
  ...authorizeCall,
  read(body) {
    const ask = authorizeCall.read(body)
    return 'name' in ask.card && approves.includes(ask.card.name) ? { ...ask, card: { ...ask.card, name: 'approved' } } : ask
  },
})

const captureCall: MoneyCall<CaptureRequest> = {
  call: 'capture',
  read: readCapture,
  fault: noFault,
  effect: (ask, account, params, turn) => capture(paymentOf(account, params), ask, turn),
}

const voidCall: MoneyCall<VoidRequest> = {
  call: 'void',
  read: readVoid,
  fault: noFault,
  effect(ask, account, params, turn) {
    const payment = paymentOf(account, params)
    return voidPayment(payment, account.operations.get(payment.id)!, ask, turn)
  },
}

const incrementCall: MoneyCall<IncrementRequest> = {
  call: 'increment',
  read: readIncrement,
  fault: noFault,
  effect: (ask, account, params, turn) => increment(paymentOf(account, params), ask, turn),
}

const extendCall: MoneyCall<VoidRequest> = {
  call: 'extend',
  read: readVoid,
  fault: noFault,
  effect: (ask, account, params, turn) => extend(paymentOf(account, params), ask, turn),
}

const reverseCall: MoneyCall<VoidRequest> = {
  call: 'reverse',
  read: readVoid,
  fault: noFault,
  effect: (ask, account, params, turn) => reverse(paymentOf(account, params), ask, turn),
}

const refundCall: MoneyCall<RefundRequest> = {
  call: 'refund',
  read: readRefund,
  fault: noFault,
  effect: (ask, account, params, turn) => refund(paymentOf(account, params), ask, turn),
}

const payoutCall: MoneyCall<PayoutRequest> = {
  call: 'payout',
  read: readPayout,
  fault: ask => behaviourOf(ask.to.name).fault,
  effect: (ask, _account, _params, turn) => payOut(ask, turn),
}

const cancelPayoutCall: MoneyCall<VoidRequest> = {
  call: 'cancel_payout',
  read: readVoid,
  fault: noFault,
  effect(ask, account, params, turn) {
    const payment = paymentOf(account, params)
    if (payment.to === undefined) throw new Refusal('not_found', 'No such payout')
    return cancelPayout(payment, account.operations.get(payment.id)!, ask, turn)
  },
}

/** Registers the calls of /v1 under each name of the processor. */
export function openCalls(app: FastifyInstance, desk: Desk): void {
  openCallsAt('', authorizeCall, app, desk)
  for (const [name, { approves = [] }] of Object.entries(identities)) openCallsAt(`/${name}`, authorizeAs(approves), app, desk)
}

function openCallsAt(prefix: string, authorization: MoneyCall<NamedRequest>, app: FastifyInstance, desk: Desk): void {
  const money = <Ask extends { reference: string }>(path: string, call: MoneyCall<Ask>) =>
    app.post<Params>(prefix + path, (request, reply) => perform(desk, { request, reply }, call))
  money('/v1/payments', authorization)
  money('/v1/payments/:id/capture', captureCall)
  money('/v1/payments/:id/void', voidCall)
  money('/v1/payments/by-reference/:reference/void', voidCall)
  money('/v1/payments/:id/refund', refundCall)
  money('/v1/payments/:id/increment', incrementCall)
  money('/v1/payments/:id/extend', extendCall)
  money('/v1/payments/:id/reverse', reverseCall)
  money('/v1/payouts', payoutCall)
  money('/v1/payouts/:id/cancel', cancelPayoutCall)
  money('/v1/payouts/by-reference/:reference/cancel', cancelPayoutCall)

  app.post<Params>(`${prefix}/v1/orders`, (request, reply) => makeOrder(desk, { request, reply }))
  app.post<Params>(`${prefix}/v1/operations/:id/complete`, (request, reply) => complete(desk, { request, reply }))
  app.get<Params>(`${prefix}/v1/operations/:id`, (request, reply) => lookUp(desk, { request, reply }))
  app.get<Params>(`${prefix}/v1/operations/by-reference/:reference`, (request, reply) => lookUp(desk, { request, reply }))
}

async function perform<Ask extends { reference: string }>(desk: Desk, wire: Wire, call: MoneyCall<Ask>): Promise<FastifyReply> {
  const name = accountOf(wire.request)
  const ask = call.read(readBody(wire.request.body))
  const key = readIdempotencyKey(wire.request.headers['idempotency-key'])
  const order = takeFault(desk, name, call.call) ?? { fault: call.fault(ask, desk.account(name)), ms: 1000 }
  return spoilt(desk, wire, { name, call: call.call }, order, {
    // A call without effect changes nothing, but the ledger counts its arrival, which tests check.
    withoutEffect: () => desk.write({ account: name, sent: ask.reference }),
    effect: () => decide(desk, wire.request, { name, ask, key, call, fault: order.fault }),
  })
}

/** Makes an order, which a wallet may then be opened for. No money moves. */
async function makeOrder(desk: Desk, wire: Wire): Promise<FastifyReply> {
  const name = accountOf(wire.request)
  const ask = readOrder(readBody(wire.request.body))
  const order = takeFault(desk, name, 'order') ?? { fault: undefined, ms: 0 }
  return spoilt(desk, wire, { name, call: 'order' }, order, {
    withoutEffect: () => {},
    effect() {
      const made = { id: newId(desk.turn(desk.account(name)).context, 'order'), object: 'order', ...ask }
      desk.write({ account: name, documents: [made] })
      return { status: 200, replayed: false, body: made }
    },
  })
}

/**
 * Completes an operation with the result of the shopper's action. A repeated call returns the operation as it stands.
 */
async function complete(desk: Desk, wire: Wire): Promise<FastifyReply> {
  const name = accountOf(wire.request)
  const ask = readComplete(readBody(wire.request.body))
  const order = takeFault(desk, name, 'complete') ?? { fault: undefined, ms: 0 }
  return spoilt(desk, wire, { name, call: 'complete' }, order, {
    withoutEffect: () => {},
    effect() {
      const account = desk.account(name)
      const operation = account.operations.get(wire.request.params.id ?? '')
      if (operation === undefined) throw new Refusal('not_found', 'No such operation')
      if (operation.status !== 'challenge') return answer(desk, account, operation, 'first time')
      const effect = completed(account, operation, ask, desk.turn(account))
      desk.write({ account: name, ...effect })
      return answer(desk, account, effect.operations[0], 'first time')
    },
  })
}

async function lookUp(desk: Desk, wire: Wire): Promise<FastifyReply> {
  const name = accountOf(wire.request)
  const { id, reference } = wire.request.params
  const order = takeFault(desk, name, 'lookup') ?? { fault: undefined, ms: 0 }
  return spoilt(desk, wire, { name, call: 'lookup' }, order, {
    withoutEffect: () => {},
    effect() {
      const account = desk.account(name)
      const operation = account.operations.get(id ?? account.references.get(reference!) ?? '')
      if (operation === undefined) throw new Refusal('not_found', 'No such operation')
      return answer(desk, account, operation, 'first time')
    },
  })
}

type Way = { withoutEffect: () => void; effect: () => Answer }

type Asking = { name: string; call: CallName }

export async function spoilt(desk: Desk, wire: Connection, asking: Asking, order: { fault: FaultName | undefined; ms: number }, way: Way) {
  const { request, reply } = wire
  const fault = order.fault === undefined ? null : faultOf(order.fault)
  const keep: Keep = (times, every, callback) => desk.waiting.keep({ ...asking, request: request.raw }, { times, every, callback })
  const act = () => (fault?.when === 'before' ? sayNothing(way) : answerOrRefuse(way))
  const result = order.fault === 'latency' ? await later(keep, order.ms, act) : act()
  await desk.synced()
  if (fault !== null && fault.when !== 'during') {
    fault.spoil(reply, result, keep)
    return reply
  }
  if (result.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(result.status).send(result.body)
}

/** Answers a call that only reads. */
export async function answered(
  desk: Desk,
  wire: Connection & { request: FastifyRequest },
  act: (account: Account) => object,
): Promise<FastifyReply> {
  const name = accountOf(wire.request)
  const order = takeFault(desk, name, 'lookup') ?? { fault: undefined, ms: 0 }
  return spoilt(desk, wire, { name, call: 'lookup' }, order, {
    withoutEffect: () => {},
    effect: () => ({ status: 200, replayed: false, body: act(desk.account(name)) }),
  })
}

/** Runs `act` at the very moment it is due, also when a test moves the account's clock. */
function later<T>(keep: Keep, milliseconds: number, act: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    keep(1, milliseconds, () => {
      try {
        resolve(act())
      } catch (error) {
        reject(error)
      }
    })
  })
}

function sayNothing(way: Way): Answer {
  way.withoutEffect()
  return { status: 500, replayed: false, body: {} }
}

function answerOrRefuse(way: Way): Answer {
  try {
    return way.effect()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    way.withoutEffect()
    return { status: error.status, replayed: false, body: error.body }
  }
}

type ApiCall<Ask> = { name: string; ask: Ask; key: string | null; call: MoneyCall<Ask>; fault: FaultName | undefined }

function decide<Ask extends { reference: string }>(desk: Desk, request: Wire['request'], asked: ApiCall<Ask>): Answer {
  const { name, ask, key, call, fault } = asked
  const account = desk.account(name)
  const fingerprint = fingerprintOf([call.call, request.params, ask])
  if (fault !== 'ignore_idempotency') {
    const known = key === null ? undefined : account.keys.get(key)
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint)
        throw new Refusal('idempotency_mismatch', 'This idempotency key was already used for a request with a different body')
      desk.write({ account: name, sent: ask.reference })
      return answer(desk, account, account.operations.get(known.operation)!, 'replayed')
    }
    if (account.references.has(ask.reference)) {
      throw new Refusal('duplicate_reference', 'This reference is already in use', 'reference')
    }
  }
  const turn = desk.turn(account, fault === 'decline' ? 'decline' : null)
  const effect = call.effect(ask, account, request.params, turn)
  const operation = effect.operations[0]
  const kept = key === null ? {} : { key: { key, fingerprint, operation: operation.id } }
  const disputed = raisedBy(account, effect.payment, turn)
  desk.write({ account: name, sent: ask.reference, ...effect, ...(disputed && changeOf(disputed)), ...kept })
  return answer(desk, account, operation, 'first time')
}

function answer(desk: Desk, account: Account, operation: Operation, kind: 'first time' | 'replayed'): Answer {
  const payment = account.payments.get(operation.payment)!
  return { status: 200, replayed: kind === 'replayed', body: showOperation(operation, { payment, url: desk.url }) }
}

export function takeFault(desk: Desk, name: string, call: CallName): Order | null {
  const { faults } = desk.account(name)
  const next = faults.find(fault => fault.call === call)
  if (next === undefined) return null
  const left = faults.map(fault => (fault === next ? { ...fault, times: fault.times - 1 } : fault))
  desk.write({ account: name, faults: left.filter(fault => fault.times > 0) })
  return next
}

function paymentOf(account: Account, { id, reference }: Params['Params']): Payment {
  const payment = account.payments.get(id ?? account.references.get(reference!) ?? '')
  if (payment === undefined) throw new Refusal('not_found', 'No such payment')
  return payment
}

/**
 * Returns the digest of a request, for idempotency. The digest is taken of the body as it was read, which no longer
 * contains the card number, so that no number can be guessed from the ledger.
 */
function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)
}
