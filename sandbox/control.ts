// The calls with which tests control the sandbox.

import type { FastifyInstance } from 'fastify'
import type { Account } from './books.ts'
import { iso } from './context.ts'
import type { Desk } from './desk.ts'
import { showDispute } from './disputes.ts'
import { callNames, type FaultName, faultNames, type Queued } from './faults.ts'
import { identities } from './identities.ts'
import { makeMove, needPayment, readMove } from './moves.ts'
import { decidePayout, isPayout, payoutStatus } from './payouts.ts'
import { decideOperation, isUndecided, lapse, orderedDeclines, stateOf } from './processor.ts'
import type { Dispute, Payment, PurchaseDetails, Settings } from './records.ts'
import { Refusal } from './refusals.ts'
import { type Body, isMissing, readBody, readInteger, readMatch, readUrl, readWord } from './requests.ts'
import { settlementFile } from './settlement.ts'
import { showOperation, showTruly } from './show-operation.ts'
import { release, webhookMode, webhookModes } from './webhooks.ts'
import { accountOf } from './who.ts'

type Params = { Params: { id: string } }

const year = 366 * 24 * 3600

export function openControl(app: FastifyInstance, desk: Desk): void {
  openSettings(app, desk)
  openDelivery(app, desk)
  openFaults(app, desk)
  openDecisions(app, desk)
  openMoves(app, desk)
  openLedger(app, desk)
}

function openSettings(app: FastifyInstance, desk: Desk): void {
  // The webhook endpoint: the only setting that a merchant's own software makes.
  for (const prefix of ['', ...Object.keys(identities).map(name => `/${name}`)])
    app.put(`${prefix}/v1/webhook_endpoint`, async request => {
      const account = desk.account(accountOf(request))
      const body = readBody(request.body)
      const webhook_url = readUrl(body, 'url')
      const webhook_secret = readMatch(body, 'secret', /^.{1,255}$/s, '1 to 255 characters')
      desk.write({ account: account.name, settings: { ...account.settings, webhook_url, webhook_secret } })
      await desk.synced()
      return { object: 'webhook_endpoint', url: webhook_url }
    })

  app.put('/control/account', async request => {
    const account = desk.account(accountOf(request))
    const settings = readSettings(readBody(request.body), account.settings)
    desk.write({ account: account.name, settings })
    await desk.synced()
    const { webhook_url, webhook_secret } = settings
    return { account: account.name, webhook_url, webhook_secret, webhooks: webhookMode(settings) }
  })
}

/** Delivers webhooks that are held back, and moves the clock of an account. */
function openDelivery(app: FastifyInstance, desk: Desk): void {
  app.post('/control/webhooks/flush', async request => {
    const account = desk.account(accountOf(request))
    const flushed = release(desk, account)
    await desk.delivered(account)
    await desk.synced()
    return { flushed }
  })

  app.post('/control/advance', async request => {
    const account = desk.account(accountOf(request))
    const seconds = readInteger(readBody(request.body), 'seconds', { from: 0, to: year })
    desk.write({ account: account.name, clock_offset: account.clock_offset + seconds * 1000 })
    await desk.delivered(account)
    await desk.synced()
    return { now: iso(desk.now(account)) }
  })
}

function openFaults(app: FastifyInstance, desk: Desk): void {
  app.post('/control/faults', async request => {
    const account = desk.account(accountOf(request))
    const queue = [...account.faults, readFault(readBody(request.body))]
    desk.write({ account: account.name, faults: queue })
    await desk.synced()
    return { faults: queue }
  })

  app.delete('/control/faults', async request => {
    desk.write({ account: accountOf(request), faults: [] })
    await desk.synced()
    return { faults: [] }
  })

  app.get('/control/waiting', async request => {
    const account = desk.account(accountOf(request))
    return { now: iso(desk.now(account)), waiting: desk.waiting.of(account.name) }
  })

  app.delete<Params>('/control/waiting/:id', async request => {
    if (!desk.waiting.hangUp(accountOf(request), request.params.id)) throw new Refusal('not_found', 'No such call')
    return { hung_up: request.params.id }
  })
}

/** Decides operations that have no result yet, and lets holds expire. */
function openDecisions(app: FastifyInstance, desk: Desk): void {
  app.post<Params>('/control/operations/:id', async request => {
    const account = desk.account(accountOf(request))
    const status = readWord(readBody(request.body), 'status', ['approved', 'declined', 'returned', 'expired'])
    const operation = account.operations.get(account.names.get(request.params.id) ?? request.params.id)
    if (operation === undefined) throw new Refusal('not_found', 'No such operation')
    const payment = account.payments.get(operation.payment)!
    const mayEnd = status === 'returned' ? operation.status === 'approved' : isUndecided(operation)
    if (!mayEnd) throw new Refusal('not_allowed', `The operation is already ${operation.status}`)
    const ofPayouts = status === 'returned' || status === 'expired'
    if (ofPayouts && operation.type !== 'payout') throw new Refusal('not_allowed', `Only a payout can be ${status}`)
    const { type } = operation
    const turn = desk.turn(account)
    const declined = operation.status === 'challenge' ? 'authentication_failed' : orderedDeclines[type as keyof typeof orderedDeclines]
    const effect =
      type === 'payout'
        ? decidePayout(payment, operation, status, turn)
        : decideOperation(payment, operation, status === 'approved' ? status : declined, turn)
    desk.write({ account: account.name, ...effect })
    await desk.synced()
    return showOperation(effect.operations[0], { payment: effect.payment, url: desk.url })
  })

  app.post<Params>('/control/payments/:id/expire', async request => {
    const account = desk.account(accountOf(request))
    const payment = account.payments.get(account.names.get(request.params.id) ?? request.params.id)
    if (payment === undefined) throw new Refusal('not_found', 'No such payment')
    const effect = lapse(payment, account.operations.get(payment.id)!, desk.turn(account))
    desk.write({ account: account.name, ...effect })
    await desk.synced()
    return showOperation(effect.operations[0], { payment: effect.payment, url: desk.url })
  })
}

/** Moves a payment's money as a person does at the processor's dashboard. */
function openMoves(app: FastifyInstance, desk: Desk): void {
  app.post<Params>('/control/payments/:id/move', async request => {
    const account = desk.account(accountOf(request))
    const ask = readMove(readBody(request.body))
    const change = makeMove(desk, account, needPayment(account, request.params.id), ask)
    await desk.delivered(account)
    await desk.synced()
    const [operation] = change.operations ?? []
    const dispute = change.documents?.find((one): one is Dispute => one.object === 'dispute')
    return {
      charge: showCharge(account.payments.get(change.payment!.id)!),
      operation: operation ? showTruly(operation, desk.url) : null,
      dispute: dispute ? showDispute(account, dispute) : null,
    }
  })
}

function openLedger(app: FastifyInstance, desk: Desk): void {
  app.get('/v1/settlements.csv', async (request, reply) => {
    const account = desk.account(accountOf(request))
    await desk.synced()
    return reply.type('text/csv').send(settlementFile(account))
  })

  app.get('/control/ledger', async request => {
    const account = desk.account(accountOf(request))
    await desk.synced()
    return showLedger(account, desk.url)
  })

  app.delete('/control/ledger', async request => {
    desk.write({ account: accountOf(request), forgotten: true })
    await desk.synced()
    return { operations: [], charges: [], payouts: [], disputes: [], webhooks: [] }
  })
}

const purchaseDetailsOf = ({ purchase, channel, installments }: Payment): PurchaseDetails => ({
  ...(purchase && { purchase }),
  ...(channel && { channel }),
  ...(installments !== undefined && { installments }),
})

function showCharge(payment: Payment): object {
  const { id, reference, authorized, currency, captured, refunded, disputed, document, statement_descriptor, by, network } = payment
  return {
    payment: document ?? id,
    reference,
    amount: authorized,
    currency,
    captured,
    refunded,
    status: stateOf(payment).status,
    ...(statement_descriptor && { statement_descriptor }),
    ...(network && { network }),
    ...(by && { by }),
    ...(disputed !== undefined && { disputed }),
  }
}

/** Shows an account's ledger. A charge is a payment that was approved, also if it was voided or refunded since. */
function showLedger(account: Account, url: string): object {
  const operations = [...account.operations.values()]
  const charges = operations.filter(operation => operation.type === 'authorization' && operation.status === 'approved')
  return {
    operations: operations.map(operation => ({
      ...showTruly(operation, url),
      sends: account.sends.get(operation.reference) ?? 0,
      ...(operation.type === 'authorization' && purchaseDetailsOf(account.payments.get(operation.payment)!)),
    })),
    charges: charges.map(({ payment }) => showCharge(account.payments.get(payment)!)),
    payouts: [...account.payments.values()].filter(isPayout).map(payment => ({
      payout: payment.id,
      reference: payment.reference,
      to: payment.to,
      amount: payment.asked,
      currency: payment.currency,
      status: payoutStatus(payment),
    })),
    disputes: [...account.documents.values()]
      .filter((one): one is Dispute => one.object === 'dispute')
      .map(dispute => showDispute(account, dispute)),
    webhooks: [...account.events.values()].map(({ id, operation, attempts, delivered, lost }) => ({
      id,
      operation: operation.id,
      attempts,
      delivered,
      ...(lost && { lost }),
    })),
  }
}

function readSettings(body: Body, before: Settings): Settings {
  const { webhook_url, webhook_secret, webhooks } = body
  return {
    webhook_url: webhook_url === undefined ? before.webhook_url : isMissing(webhook_url) ? null : readUrl(body, 'webhook_url'),
    webhook_secret: isMissing(webhook_secret)
      ? before.webhook_secret
      : readMatch(body, 'webhook_secret', /^.{1,255}$/s, '1 to 255 characters'),
    webhooks: isMissing(webhooks) ? before.webhooks : readWord(body, 'webhooks', webhookModes),
  }
}

function readFault(body: Body): Queued {
  const call = readWord(body, 'call', callNames)
  const fault: FaultName = readWord(body, 'fault', faultNames)
  const effectOnly = fault === 'decline' || fault === 'ignore_idempotency'
  if (call === 'lookup' && effectOnly) throw new Refusal('invalid_request', `Lookups do not support the fault ${fault}`, 'fault')
  return {
    call,
    fault,
    times: body.times === undefined ? 1 : readInteger(body, 'times', { from: 1, to: 1_000_000 }),
    ms: body.ms === undefined ? 1000 : readInteger(body, 'ms', { from: 0, to: 600_000 }),
  }
}
