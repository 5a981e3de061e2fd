// Opens a sandbox: replays its ledger, then opens its server. Tests start a sandbox in their own process the same way.

import type { AddressInfo } from 'node:net'
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import { openApple } from './apple.ts'
import { Books } from './books.ts'
import { openCalls } from './calls.ts'
import { openChallenge } from './challenge.ts'
import { type Context, realContext } from './context.ts'
import { openControl } from './control.ts'
import { openDashboard } from './dashboard.ts'
import { Desk } from './desk.ts'
import { openAdyen } from './dialects/adyen.ts'
import { adyenplatform } from './dialects/adyenplatform.ts'
import { braintree } from './dialects/braintree.ts'
import { bridge } from './dialects/bridge.ts'
import { checkout } from './dialects/checkout.ts'
import { fiftyfourpay, fiftyfourpayPayouts } from './dialects/fiftyfourpay.ts'
import { honeycoin } from './dialects/honeycoin.ts'
import { openLanguage } from './dialects/language.ts'
import { maguapay } from './dialects/maguapay.ts'
import { milkypay } from './dialects/milkypay.ts'
import { mollie } from './dialects/mollie.ts'
import { payadmit } from './dialects/payadmit.ts'
import { paypal } from './dialects/paypal.ts'
import { openStripe } from './dialects/stripe.ts'
import { openDirectory } from './directory-calls.ts'
import { openDisputes } from './dispute-calls.ts'
import { openLedger, replayLedger, rewriteLedger } from './ledger.ts'
import { openPayments } from './payment-calls.ts'
import type { Change } from './records.ts'
import { Refusal } from './refusals.ts'
import { openReports } from './report-calls.ts'
import { openWebhookSender } from './webhooks.ts'

const languages = [
  adyenplatform,
  braintree,
  bridge,
  checkout,
  payadmit,
  paypal,
  maguapay,
  milkypay,
  mollie,
  honeycoin,
  fiftyfourpay,
  fiftyfourpayPayouts,
]

export type Exchange = { method: string; url: string; type: string; body: string; status: number; answer: string }
/** The options of a sandbox. `onExchange` receives every call that is answered completely. */
export type Options = { port: number; host: string; ledgerFile: string; context?: Context; heard?: (exchange: Exchange) => void }
export type Sandbox = { url: string; close(): Promise<void> }

export async function openSandbox({ port, host, ledgerFile, context = realContext, heard: onExchange }: Options): Promise<Sandbox> {
  const books = await readBooks(ledgerFile)
  const ledger = await openLedger<Change>(ledgerFile)
  const webhookSender = openWebhookSender()
  const desk = new Desk({ context, books, ledger, webhookSender })
  const app = openApp(desk, onExchange)
  const end = async () => {
    desk.close()
    await Promise.all([app.close(), webhookSender.close()])
    await ledger.close()
  }
  let ending: Promise<void> | null = null
  const close = () => {
    ending ??= end()
    return ending
  }
  try {
    await app.listen({ port, host })
  } catch (error) {
    await close()
    throw error
  }
  const url = urlOf(host, (app.server.address() as AddressInfo).port)
  desk.open(url)
  return { url, close }
}

async function readBooks(file: string): Promise<Books> {
  const books = new Books()
  const forgottenAt = new Map<string, number>()
  await replayLedger<Change>(file, (change, n) => {
    books.apply(change)
    if (change.forgotten) forgottenAt.set(change.account, n)
  })
  if (forgottenAt.size > 0) {
    await rewriteLedger<Change>(file, (change, n) => n > (forgottenAt.get(change.account) ?? 0)).catch(skipIfFull)
  }
  return books
}

/** Leaves the ledger as it is if the disk has no room for a shorter copy. */
function skipIfFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error
}

function openApp(desk: Desk, onExchange: Options['heard']) {
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => refuse(error, request, reply as FastifyReply),
  })
  // Bodies stay text until the key has been checked: a caller without a key receives 401, with any body.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(refuse)
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found', 'Unrecognized request URL')
  })
  if (onExchange)
    app.addHook('onSend', (request, reply, answer, done) => {
      onExchange({
        method: request.method,
        url: request.url,
        type: request.headers['content-type'] ?? '',
        body: typeof request.body === 'string' ? request.body : '',
        status: reply.statusCode,
        answer: typeof answer === 'string' ? answer : '',
      })
      done(null, answer)
    })
  openCalls(app, desk)
  openControl(app, desk)
  openDisputes(app, desk)
  openChallenge(app, desk)
  openPayments(app, desk)
  openReports(app, desk)
  openDashboard(app, desk)
  openDirectory(app, desk)
  openApple(app, desk)
  openStripe(app, desk)
  openAdyen(app, desk)
  for (const language of languages) openLanguage(app, desk, language)
  return app
}

function refuse(error: FastifyError | Refusal, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return reply.code(error.status).send(error.body)
  if ((error.statusCode ?? 500) < 500) {
    const refusal = new Refusal('invalid_request', error.message)
    return reply.code(refusal.status).send(refusal.body)
  }
  process.stderr.write(`${error.stack}\n`)
  return reply.code(500).send({ error: { code: 'internal_error', message: 'The sandbox had an internal error', param: null } })
}

function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
