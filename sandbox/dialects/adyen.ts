// Adyen's Checkout API over the sandbox's ledger, under /adyen: the calls that a client needs for payments and their
// modifications, with Adyen's idempotency.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../books.ts'
import { spoilt, takeFault } from '../calls.ts'
import { behaviourOf } from '../cards.ts'
import { newId } from '../context.ts'
import type { Desk } from '../desk.ts'
import type { Answer, CallName, FaultName } from '../faults.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing } from '../requests.ts'
import { accountOf } from '../who.ts'
import { checkBalance } from './adyen-balance.ts'
import * as acts from './adyen-calls.ts'
import * as disputes from './adyen-disputes.ts'
import { payOutToCard } from './adyen-payouts.ts'
import { readJson } from './adyen-read.ts'
import { AdyenRefusal } from './adyen-refusals.ts'
import { openAdyenReports } from './adyen-reports.ts'

type Params = { Params: { psp?: string } }
type Ask = FastifyRequest<Params>

/** The time for which an idempotency key is kept, in milliseconds. */
const keyLife = 31 * 24 * 3600_000

/** The path of the Disputes API, which Adyen serves on another host. */
const disputeService = '/ca/services/DisputeService/v30'
const payoutService = '/pal/servlet/Payout/v68'
/** The largest request body, in bytes. Defense documents are sent in base64. */
const LARGEST_BODY = 16_000_000

/** Adyen's calls, each with the name by which tests order its faults. */
const calls: [path: string, call: CallName, act: acts.CallHandler][] = [
  ['/payments', 'authorize', acts.pay],
  ['/payments/details', 'authorize', acts.redeem],
  ['/payments/:psp/captures', 'capture', acts.capturePayment],
  ['/payments/:psp/cancels', 'void', acts.cancelPayment],
  ['/payments/:psp/refunds', 'refund', acts.refundPayment],
  ['/payments/:psp/reversals', 'reverse', acts.reversePayment],
  ['/payments/:psp/amountUpdates', 'increment', acts.updateAmount],
  ['/cancels', 'void', acts.cancelByReference],
  [`${payoutService}/payout`, 'payout', payOutToCard],
  ['/paymentMethods', 'lookup', acts.listMethods],
  ['/paymentMethods/balance', 'lookup', checkBalance],
  [`${disputeService}/acceptDispute`, 'dispute', disputes.accept],
  [`${disputeService}/retrieveApplicableDefenseReasons`, 'lookup', disputes.listDefenses],
  [`${disputeService}/supplyDefenseDocument`, 'dispute', disputes.supply],
  [`${disputeService}/defendDispute`, 'dispute', disputes.defend],
]

export function openAdyen(app: FastifyInstance, desk: Desk): void {
  /** The accounts and idempotency keys of requests that are under way. */
  const running = new Set<string>()
  void app.register(
    async scope => {
      scope.setErrorHandler((error, _request, reply) => refuse(error as Error, reply))
      scope.setNotFoundHandler((_request, reply) => reply.code(404).send())
      for (const [path, call, act] of calls)
        scope.post<Params>(path, { bodyLimit: LARGEST_BODY }, (request, reply) => perform(desk, running, { request, reply }, call, act))
    },
    { prefix: '/adyen' },
  )
  openNotifications(app, desk)
  openAdyenReports(app, desk)
}

type Wire = { request: Ask; reply: FastifyReply }

async function perform(desk: Desk, running: Set<string>, wire: Wire, call: CallName, act: acts.CallHandler): Promise<FastifyReply> {
  const { request, reply } = wire
  const name = enter(request)
  const body = readJson(request.body)
  const key = readKey(request)
  const reference = typeof body.reference === 'string' && body.reference !== '' ? body.reference : newId(desk.context, 'ref')
  const order = takeFault(desk, name, call) ?? { fault: act === acts.pay ? cardFault(desk.account(name), body) : undefined, ms: 1000 }
  const place = `${name} ${key}`
  if (key !== null) {
    if (running.has(place)) throw inUse()
    running.add(place)
    reply.raw.once('close', () => running.delete(place))
    void reply.header('idempotency-key', key)
  }
  return spoilt(desk, wire, { name, call }, order, {
    withoutEffect: () => desk.write({ account: name, sent: reference }),
    effect: () => decide(desk, { name, request, body, key, reference, fault: order.fault }, act),
  })
}

const inUse = () => new AdyenRefusal(422, '704', 'request already processed or in progress')

type ApiCall = { name: string; request: Ask; body: Body; key: string | null; reference: string; fault: FaultName | undefined }

/** Carries out a call. The first answer under an idempotency key is kept and returned again; an error is not kept. */
function decide(desk: Desk, { name, request, body, key, reference, fault }: ApiCall, act: acts.CallHandler): Answer {
  const account = desk.account(name)
  const turn = desk.turn(account, fault === 'decline' ? 'decline' : null)
  const known = key === null || fault === 'ignore_idempotency' ? undefined : account.keys.get(`adyen ${key}`)
  const fingerprint = fingerprintOf(request.url, body)
  try {
    if (known?.answer && turn.at - known.answer.at < keyLife) {
      if (known.fingerprint !== fingerprint) throw inUse()
      desk.write({ account: name, sent: reference })
      return { ...known.answer, replayed: true }
    }
    const { change, ...answer } = act({ account, turn, body, psp: request.params.psp ?? '', reference, url: desk.url })
    const kept = key === null ? {} : { key: { key: `adyen ${key}`, fingerprint, operation: '', answer: { ...answer, at: turn.at } } }
    desk.write({ account: name, sent: reference, ...change, ...kept })
    return { ...answer, replayed: false }
  } catch (error) {
    if (!(error instanceof AdyenRefusal)) throw error
    desk.write({ account: name, sent: reference })
    return { status: error.status, replayed: false, body: error.body }
  }
}

/**
 * Returns the digest of a request. The digest is taken of the body without the card's number and security code, so
 * that neither can be guessed from the ledger.
 */
function fingerprintOf(url: string, body: Body): string {
  const { paymentMethod, ...rest } = body
  const { number: _number, cvc: _cvc, ...method } = (isMissing(paymentMethod) ? {} : paymentMethod) as Body
  return createHash('sha256')
    .update(JSON.stringify([url, rest, method]))
    .digest('base64url')
    .slice(0, 22)
}

/** Returns the account of a request. The API key opens the account as in the sandbox's own language. */
function enter({ headers }: Pick<Ask, 'headers'>): string {
  const key = headers['x-api-key']
  try {
    return accountOf({ headers: { authorization: `Bearer ${typeof key === 'string' ? key : ''}` } })
  } catch {
    throw new AdyenRefusal(401, '000', 'HTTP Status Response - Unauthorized', 'security')
  }
}

function readKey(request: Ask): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[\x21-\x7e]{1,64}$/.test(key)) return key
  throw new AdyenRefusal(422, '702', 'Idempotency-Key must have at most 64 characters')
}

/** Returns the fault of a card of the sandbox's own table, which applies here too. */
function cardFault(account: Account, body: Body): FaultName | undefined {
  try {
    return behaviourOf(acts.cardOfPayment(body, account).name).fault
  } catch {
    return undefined
  }
}

function refuse(error: Error, reply: FastifyReply): FastifyReply {
  if (error instanceof AdyenRefusal) return reply.code(error.status).send(error.body)
  if (error instanceof Refusal) return reply.code(422).send(new AdyenRefusal(422, '702', error.message).body)
  process.stderr.write(`${error.stack}\n`)
  return reply.code(500).send(new AdyenRefusal(500, '905', 'The sandbox had an internal error', 'internal').body)
}

/**
 * Lets tests send a notification with any event code about a payment, as Adyen does without a request. No money moves.
 */
function openNotifications(app: FastifyInstance, desk: Desk): void {
  app.post('/control/adyen/notifications', async request => {
    const account = desk.account(accountOf(request))
    const { payment, eventCode, pspReference } = readJson(request.body)
    const id = account.names.get(String(payment))
    if (id === undefined || typeof eventCode !== 'string' || !/^[A-Z_]{3,64}$/.test(eventCode))
      throw new Refusal('invalid_request', 'payment must be a pspReference, and eventCode an event code', 'eventCode')
    const document = typeof pspReference === 'string' ? pspReference : newId(desk.context, 'evt').slice(-16)
    desk.write({ account: account.name, news: [{ operation: id, type: eventCode, document }] })
    await desk.delivered(account)
    await desk.synced()
    return { pspReference: document }
  })
}
