// Stripe's API over the sandbox's ledger, under /stripe: the calls that a client needs for card payments, refunds and
// disputes, with Stripe's idempotency.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noFault, spoilt, takeFault } from '../calls.ts'
import { behaviourOf } from '../cards.ts'
import { newId } from '../context.ts'
import type { Desk } from '../desk.ts'
import type { CallName, FaultName } from '../faults.ts'
import { partOf } from '../form-part.ts'
import { Refusal } from '../refusals.ts'
import { accountOf } from '../who.ts'
import * as acts from './stripe-calls.ts'
import { meetCard, testMethodNumber } from './stripe-cards.ts'
import { documentOf, type Intent, type PaymentMethod } from './stripe-documents.ts'
import { readForm } from './stripe-form.ts'
import * as reads from './stripe-reads.ts'
import { createRefund } from './stripe-refund-calls.ts'
import { invalid, missing, StripeRefusal } from './stripe-refusals.ts'
import { createReportRun, readReportRun, readReportType, reportFile } from './stripe-reports.ts'
import { createTransfer } from './stripe-transfers.ts'

type Params = { Params: { id: string }; Querystring: Record<string, string> }
type Ask = FastifyRequest<Params>

/** The time for which an idempotency key is kept, in milliseconds. Stripe promises at least 24 hours, and no more. */
const keyLife = 24 * 3600_000

/** The calls that may move money, each with the name by which tests order its faults. */
const money: [path: string, call: CallName, act: acts.CallHandler][] = [
  ['/v1/payment_intents', 'authorize', acts.createIntent],
  ['/v1/payment_intents/:id/confirm', 'authorize', acts.confirmIntent],
  ['/v1/payment_intents/:id/capture', 'capture', acts.captureIntent],
  ['/v1/payment_intents/:id/increment_authorization', 'increment', acts.incrementIntent],
  ['/v1/payment_intents/:id/cancel', 'void', acts.cancelIntent],
  ['/v1/refunds', 'refund', createRefund],
  ['/v1/transfers', 'payout', createTransfer],
]
const others: [path: string, act: acts.CallHandler][] = [
  ['/v1/payment_methods', acts.createMethod],
  ['/v1/customers', acts.createCustomer],
  ['/v1/customers/:id', acts.updateCustomer],
  ['/v1/setup_intents', acts.createSetup],
  ['/v1/setup_intents/:id/confirm', acts.confirmSetup],
  ['/v1/setup_intents/:id/cancel', acts.cancelSetup],
  ['/v1/disputes/:id', acts.updateDispute],
  ['/v1/disputes/:id/close', acts.closeDispute],
  ['/v1/reporting/report_runs', createReportRun],
]
const lookups: [path: string, read: reads.Read][] = [
  ['/v1/customers', reads.listCustomers],
  ['/v1/customers/:id', reads.readCustomer],
  ['/v1/payment_intents', reads.listIntents],
  ['/v1/payment_intents/search', reads.searchIntents],
  ['/v1/payment_intents/:id', reads.readIntent],
  ['/v1/payment_methods/:id', reads.readMethod],
  ['/v1/setup_intents/:id', reads.readSetup],
  ['/v1/charges/:id', reads.readCharge],
  ['/v1/refunds', reads.listRefunds],
  ['/v1/refunds/:id', reads.readRefund],
  ['/v1/transfers', reads.listTransfers],
  ['/v1/transfers/:id', reads.readTransfer],
  ['/v1/disputes', reads.listDisputes],
  ['/v1/disputes/:id', reads.readDispute],
  ['/v1/events', reads.listEvents],
  ['/v1/events/:id', reads.readEvent],
  ['/v1/reporting/report_types/:id', readReportType],
  ['/v1/reporting/report_runs/:id', readReportRun],
]

export function openStripe(app: FastifyInstance, desk: Desk): void {
  /** The accounts and idempotency keys of requests that are under way. */
  const running = new Set<string>()
  void app.register(
    async scope => {
      scope.setErrorHandler((error, _request, reply) => refuse(error as Error, reply))
      scope.setNotFoundHandler((request, reply) => {
        const message = `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}).`
        return reply.code(404).send({ error: { type: 'invalid_request_error', message } })
      })
      for (const [path, call, act] of money)
        scope.post<Params>(path, (request, reply) => perform(desk, running, { request, reply }, call, act))
      for (const [path, act] of others) scope.post<Params>(path, (request, reply) => perform(desk, running, { request, reply }, null, act))
      scope.delete<Params>('/v1/customers/:id', (request, reply) => perform(desk, running, { request, reply }, null, acts.deleteCustomer))
      scope.post<Params>('/v1/files', { bodyLimit: LARGEST_FILE }, (request, reply) => takeFile(desk, request, reply))
      scope.get<Params>('/v1/files/:id/contents', (request, reply) => giveFile(desk, request, reply))
      for (const [path, read] of lookups) scope.get<Params>(path, (request, reply) => lookUp(desk, { request, reply }, read))
    },
    { prefix: '/stripe' },
  )
}

/** The largest upload, in bytes. Stripe allows evidence of at most 5 MB. */
const LARGEST_FILE = 6_000_000

/**
 * Stores an uploaded file (multipart/form-data): its purpose, name and size. The file is read as text, so the size is
 * approximate and the content is not kept.
 */
async function takeFile(desk: Desk, request: Ask, reply: FastifyReply): Promise<object> {
  const name = enter(request, reply)
  const body = String(request.body ?? '')
  const purpose = partOf(body, 'purpose')?.content
  const [, filename, type] = /name="file"; filename="([^"]{1,255})"\r\ncontent-type: ([\w/]+)/i.exec(body) ?? []
  if (purpose !== 'dispute_evidence') throw invalid('parameter_missing', 'Missing required param: purpose.', 'purpose')
  if (filename === undefined) throw invalid('parameter_missing', 'Missing required param: file.', 'file')
  const account = desk.account(name)
  const id = newId(desk.context, 'file')
  const file = {
    id,
    object: 'file',
    created: Math.floor(desk.now(account) / 1000),
    filename,
    purpose,
    size: body.length,
    type: type?.split('/')[1] ?? null,
  }
  desk.write({ account: name, documents: [file] })
  await desk.synced()
  return { ...file, expires_at: null, links: null, title: null, url: null }
}

/** Gives the file of a report run. */
async function giveFile(desk: Desk, request: Ask, reply: FastifyReply): Promise<FastifyReply> {
  const account = desk.account(enter(request, reply))
  const file = reportFile(account, request.params.id, desk.now(account))
  if (file === null) throw missing('file', request.params.id)
  await desk.synced()
  return reply.type('text/csv').send(file)
}

type Wire = { request: Ask; reply: FastifyReply }

async function perform(desk: Desk, running: Set<string>, wire: Wire, call: CallName | null, act: acts.CallHandler): Promise<FastifyReply> {
  const { request, reply } = wire
  const name = enter(request, reply)
  const form = readForm(request.body)
  const key = readKey(request)
  const reference = key ?? newId(desk.context, 'ref')
  const order = (call && takeFault(desk, name, call)) ?? {
    fault: call === 'authorize' ? cardFault(desk, name, request, form) : undefined,
    ms: 1000,
  }
  const place = `${name} ${key}`
  if (key !== null && running.has(place)) {
    const message = 'There is currently another in-progress request using this Idempotent Key; please try again later.'
    throw new StripeRefusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message })
  }
  if (key !== null) running.add(place)
  if (key !== null) void reply.header('idempotency-key', key)
  const leave = () => running.delete(place)
  reply.raw.once('close', leave)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.url, form]))
    .digest('base64url')
    .slice(0, 22)
  return spoilt(desk, wire, { name, call: call ?? 'lookup' }, order, {
    withoutEffect: () => {
      if (call) desk.write({ account: name, sent: reference })
    },
    effect: () =>
      decide(desk, { name, form, id: request.params.id, key, reference, fingerprint, counts: call !== null, fault: order.fault }, act),
  })
}

type Decision = {
  name: string
  form: ReturnType<typeof readForm>
  id: string
  key: string | null
  reference: string
  fingerprint: string
  counts: boolean
  fault: FaultName | undefined
}

/**
 * Carries out a call. The first answer under an idempotency key is kept and returned again, even a 500; an error of
 * the request is not kept.
 */
function decide(desk: Desk, { name, form, id, key, reference, fingerprint, counts, fault }: Decision, act: acts.CallHandler) {
  const account = desk.account(name)
  const turn = desk.turn(account, fault === 'decline' ? 'decline' : null)
  const sent = counts ? { sent: reference } : {}
  const known = key === null || fault === 'ignore_idempotency' ? undefined : account.keys.get(`stripe ${key}`)
  try {
    if (known?.answer && turn.at - known.answer.at < keyLife) {
      if (known.fingerprint !== fingerprint) {
        const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
        throw new StripeRefusal(400, { type: 'idempotency_error', message })
      }
      desk.write({ account: name, ...sent })
      return { ...known.answer, replayed: true }
    }
    const { change, status, body } = act({ account, turn, form, id, reference, url: desk.url })
    const answer =
      fault === '500_after'
        ? { status: 500, body: { error: { type: 'api_error', message: 'An internal error occurred.' } } }
        : { status, body }
    const kept = key === null ? {} : { key: { key: `stripe ${key}`, fingerprint, operation: '', answer: { ...answer, at: turn.at } } }
    desk.write({ account: name, ...sent, ...change, ...kept })
    return { status, body, replayed: false }
  } catch (error) {
    const refusal = refusalOf(error)
    if (counts) desk.write({ account: name, ...sent })
    return { ...refusal, replayed: false }
  }
}

function lookUp(desk: Desk, wire: Wire, read: reads.Read): Promise<FastifyReply> {
  const name = enter(wire.request, wire.reply)
  const order = takeFault(desk, name, 'lookup') ?? { fault: undefined, ms: 0 }
  const query = readForm(wire.request.url.split('?')[1])
  return spoilt(desk, wire, { name, call: 'lookup' }, order, {
    withoutEffect: () => {},
    effect() {
      const account = desk.account(name)
      try {
        const body = read({ account, id: wire.request.params.id, form: query, url: desk.url, now: desk.now(account) })
        return { status: 200, body, replayed: false }
      } catch (error) {
        return { ...refusalOf(error), replayed: false }
      }
    },
  })
}

/** Returns the account of a request. Refuses (401) an invalid key and (400) an invalid API version. */
function enter(request: Ask, reply: FastifyReply): string {
  const version = request.headers['stripe-version']
  if (version !== undefined && !/^\d{4}-\d\d-\d\d(\.[a-z]+)?$/.test(String(version)))
    throw new StripeRefusal(400, { type: 'invalid_request_error', message: `Invalid Stripe API version: ${version}` })
  void reply.header('request-id', `req_${request.id}`)
  if (version !== undefined) void reply.header('stripe-version', version)
  // The key may also be sent as the user of HTTP Basic authentication, without a password.
  const basic = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic === undefined) return accountOf(request)
  return accountOf({
    headers: { ...request.headers, authorization: `Bearer ${Buffer.from(basic, 'base64').toString().replace(/:$/, '')}` },
  })
}

function readKey(request: Ask): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && key.length <= 255) return key
  throw new StripeRefusal(400, { type: 'invalid_request_error', message: 'Idempotency keys can have up to 255 characters' })
}

/** Returns the fault of a card of the sandbox's own table, which applies here too. */
function cardFault(desk: Desk, name: string, { params }: Ask, form: ReturnType<typeof readForm>): FaultName | undefined {
  const account = desk.account(name)
  if (form.confirm !== 'true' && params.id === undefined) return undefined
  const intent = documentOf<Intent>(account, params.id ?? null, 'payment_intent')
  const id = typeof form.payment_method === 'string' ? form.payment_method : (intent?.payment_method ?? '')
  const number = testMethodNumber(id)
  const card = documentOf<PaymentMethod>(account, id, 'payment_method')?.card ?? (number === null ? undefined : meetCard(number).card)
  return card === undefined ? noFault() : behaviourOf(card).fault
}

function refusalOf(error: unknown): { status: number; body: object } {
  if (error instanceof StripeRefusal) return { status: error.status, body: error.body }
  if (error instanceof Refusal)
    return { status: error.status === 401 ? 401 : 400, body: { error: { type: 'invalid_request_error', message: error.message } } }
  throw error
}

function refuse(error: Error, reply: FastifyReply): FastifyReply {
  if (error instanceof StripeRefusal || error instanceof Refusal) {
    const { status, body } = refusalOf(error)
    return reply.code(status).send(body)
  }
  process.stderr.write(`${error.stack}\n`)
  return reply.code(500).send({ error: { type: 'api_error', message: 'The sandbox had an internal error' } })
}
