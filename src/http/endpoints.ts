import Type from 'typebox'
import { type ApiKeyAsk, apiKeyShape, createApiKey, revokeApiKey } from '../accounts/api-keys.ts'
import { type ConnectorAccountAsk, connectorAccountShape, createConnectorAccount } from '../accounts/create-connector-account.ts'
import { createMerchant, type MerchantAsk, merchantShape } from '../accounts/create-merchant.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { listEvents, MOST_EVENTS } from '../events/list.ts'
import { forceSync } from '../operations/ask.ts'
import type { Call as StoryCall } from '../operations/verb.ts'
import { receiveWebhook } from '../operations/webhook.ts'
import {
  type CancelAsk,
  type CaptureAsk,
  type ConfirmAsk,
  type CreateAsk,
  cancelShape,
  captureShape,
  confirmShape,
  createShape,
} from '../payments/ask.ts'
import { cancelPayment } from '../payments/cancel.ts'
import { capturePayment } from '../payments/capture.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { createPayment } from '../payments/create.ts'
import { ownerOf } from '../payments/kind.ts'
import { attemptId, type Payment } from '../payments/payment.ts'
import { needPayment } from '../payments/plan.ts'
import { returnAddress, returnUrlOf } from '../payments/returned.ts'
import { createRefund } from '../refunds/create.ts'
import { findRefund, type Refund, type RefundAsk, refundShape } from '../refunds/refund.ts'
import { listConnectorAccount, showConnectorAccount, showMerchant } from '../show/account.ts'
import { paymentBody, type ShowOptions, showPayment } from '../show/payment.ts'
import { showRefund } from '../show/refund.ts'
import type { Change } from '../world.ts'
import {
  apiKeyAnswer,
  connectorAccountAnswer,
  connectorAccountListed,
  eventsAnswer,
  merchantAnswer,
  paymentAnswer,
  readyAnswer,
  refundAnswer,
  revokedAnswer,
} from './answers.ts'
import { outcomePage, wantsPage } from './customer-page.ts'
import { type Call, type Endpoint, merchantOf, type Result } from './endpoint.ts'

const flag = Type.Boolean()

const retrieveQuery = Type.Object(
  {
    force_sync: Type.Optional(flag),
    client_secret: Type.Optional(Type.String()),
    expand_attempts: Type.Optional(flag),
    expand_captures: Type.Optional(flag),
    expand_customer_statistics: Type.Optional(flag),
    all_keys_required: Type.Optional(flag),
  },
  { additionalProperties: false },
)

const eventsQuery = Type.Object(
  {
    object_id: Type.String({ description: 'A payment_id or refund_id' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_EVENTS, description: `Default ${MOST_EVENTS}` })),
    after_version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'Only later ones: the version of the last event of the page before',
      }),
    ),
  },
  { additionalProperties: false },
)

/** What a story of this merchant needs of the call. */
const storyOf = (call: Call, merchant: Merchant = merchantOf(call), by = call.world.by): StoryCall => ({
  world: by === call.world.by ? call.world : { ...call.world, by },
  here: call.service.here,
  merchant,
})

/** How a payment is shown to whoever asks. */
const viewOf = (call: Call): ShowOptions => ({
  publicUrl: call.service.here.publicUrl,
  eyes: call.who.is === 'client' ? 'client' : 'server',
})

const paymentFor = (call: Call, payment: Payment, options: Partial<ShowOptions> = {}): Promise<Record<string, unknown>> =>
  showPayment(call.world, merchantOf(call), payment, { ...viewOf(call), ...options })

const currentPayment = async (call: Call, payment_id: string) =>
  paymentFor(call, await needPayment(call.world, merchantOf(call).merchant_id, payment_id))

const currentRefund = async (call: Call, refund_id: string) =>
  showRefund((await findRefund(call.world, merchantOf(call).merchant_id, refund_id)) ?? refuse('not_found', { what: 'refund' }))

/** From its own row alone: its refunds would have to be read. */
const begunPayment: Endpoint['begun'] = (call, written) => paymentBody(merchantOf(call), written.at(-1)!.after as Payment, viewOf(call))

function begunRefund(_call: Call, written: readonly Change[]): Record<string, unknown> | undefined {
  const refund = written.flatMap(change => change.rows).findLast(row => row.table === 'refunds')?.after as Refund | undefined
  return refund && showRefund(refund)
}

/** The merchant that a path names, for the admin key; for a merchant's own key it is the one that asks. */
async function merchantInPath(call: Call): Promise<Merchant> {
  if (call.who.is === 'secret') return call.who.merchant
  return (await call.service.settings.merchant(call.path.merchant_id!)) ?? refuse('not_found', { what: 'merchant account' })
}

/** After an administrative write, this process forgets what it knew at once. */
async function written<T>(call: Call, value: T): Promise<T> {
  await call.service.settings.refresh()
  return value
}

/**
 * The customer's browser, by a link: nobody's credential. The link in `next_action` names payment, merchant and attempt; the one that the processor sends the customer back to
 * ends in our request id, which nobody can guess, because its answer carries the client_secret.
 */
async function visited(call: Call): Promise<{ merchant: Merchant; payment: Payment }> {
  const { merchant_id, payment_id, attempt_id, request_id } = call.path
  const merchant = (await call.service.settings.merchant(merchant_id!)) ?? refuse('not_found', { what: 'payment' })
  const payment = await needPayment(call.world, merchant.merchant_id, payment_id!)
  const right = attempt_id === undefined ? request_id === payment.authorization_request_id : attempt_id === attemptId(payment)
  return right ? { merchant, payment } : refuse('not_found', { what: 'payment' })
}

async function customerReturned(call: Call): Promise<Result> {
  const { merchant, payment } = await visited(call)
  // The return says nothing: it only makes us ask the processor.
  const now = await forceSync(storyOf(call, merchant, 'customer'), payment, ownerOf(payment))
  if (returnUrlOf(merchant, now) === undefined && wantsPage(call.headers)) return { page: outcomePage(merchant, now, 'amount') }
  return { redirect: returnAddress(merchant, now) }
}

async function webhook(call: Call): Promise<Result> {
  const merchant = (await call.service.settings.merchant(call.path.merchant_id!)) ?? refuse('webhook_unknown')
  const id = call.path.merchant_connector_id!
  await receiveWebhook(storyOf(call, merchant, `webhook ${id}`), id, call.raw, call.headers)
  return { empty: true }
}

/** The interface: one entry an operation. */
export const endpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/payments',
    name: 'createPayment',
    title: 'Create a payment',
    room: 'Payments',
    takes: 'secret',
    body: createShape,
    choosesProfile: true,
    answers: paymentAnswer,
    current: currentPayment,
    begun: begunPayment,
    does: 'Creates a payment; with confirm: true it is authorized in the same call.',
    run: async call => ({
      json: await paymentFor(call, await createPayment(storyOf(call), call.body as CreateAsk)),
    }),
  },
  {
    method: 'GET',
    path: '/payments/{payment_id}',
    name: 'retrievePayment',
    title: 'Retrieve a payment',
    room: 'Payments',
    takes: 'secret or client',
    clientSecretOf: 'payment',
    query: retrieveQuery,
    answers: paymentAnswer,
    does: 'Retrieves a payment; with force_sync=true the processor is asked first.',
    run: async call => {
      const merchant = merchantOf(call)
      const payment = call.opened ?? (await needPayment(call.world, merchant.merchant_id, call.path.payment_id!))
      const now = call.query.force_sync === true ? await forceSync(storyOf(call, merchant), payment, ownerOf(payment)) : payment
      return {
        json: await paymentFor(call, now, {
          expand_attempts: call.query.expand_attempts === true,
          expand_captures: call.query.expand_captures === true,
        }),
      }
    },
  },
  {
    method: 'POST',
    path: '/payments/{payment_id}/confirm',
    name: 'confirmPayment',
    title: 'Confirm a payment',
    room: 'Payments',
    takes: 'secret or client',
    clientSecretOf: 'payment',
    body: confirmShape,
    answers: paymentAnswer,
    current: currentPayment,
    begun: begunPayment,
    does: 'Confirms a payment: authorizes it with the card sent now or at creation.',
    run: async call => {
      const confirmer = call.who.is === 'client' ? 'client' : 'server'
      return {
        json: await paymentFor(call, await confirmPayment(storyOf(call), call.path.payment_id!, call.body as ConfirmAsk, confirmer)),
      }
    },
  },
  {
    method: 'POST',
    path: '/payments/{payment_id}/capture',
    name: 'capturePayment',
    title: 'Capture a payment',
    room: 'Payments',
    takes: 'secret',
    body: captureShape,
    answers: paymentAnswer,
    current: currentPayment,
    begun: begunPayment,
    does: 'Captures a hold, whole or in part.',
    run: async call => ({
      json: await paymentFor(call, await capturePayment(storyOf(call), call.path.payment_id!, call.body as CaptureAsk)),
    }),
  },
  {
    method: 'POST',
    path: '/payments/{payment_id}/cancel',
    name: 'cancelPayment',
    title: 'Cancel a payment',
    room: 'Payments',
    takes: 'secret',
    body: cancelShape,
    answers: paymentAnswer,
    current: currentPayment,
    begun: begunPayment,
    does: 'Cancels a payment that has taken no money; a hold is voided at the processor.',
    run: async call => ({
      json: await paymentFor(call, await cancelPayment(storyOf(call), call.path.payment_id!, call.body as CancelAsk)),
    }),
  },
  {
    method: 'POST',
    path: '/refunds',
    name: 'createRefund',
    title: 'Create a refund',
    room: 'Refunds',
    takes: 'secret',
    body: refundShape,
    answers: refundAnswer,
    current: currentRefund,
    begun: begunRefund,
    does: 'Gives captured money back, all of it or a part.',
    run: async call => ({ json: showRefund(await createRefund(storyOf(call), call.body as RefundAsk)) }),
  },
  {
    method: 'GET',
    path: '/refunds/{refund_id}',
    name: 'retrieveRefund',
    title: 'Retrieve a refund',
    room: 'Refunds',
    takes: 'secret',
    answers: refundAnswer,
    query: Type.Object({ force_sync: Type.Optional(flag), all_keys_required: Type.Optional(flag) }, { additionalProperties: false }),
    does: 'Retrieves a refund; with force_sync=true the processor is asked first.',
    run: async call => {
      const merchant = merchantOf(call)
      const refund = (await findRefund(call.world, merchant.merchant_id, call.path.refund_id!)) ?? refuse('not_found', { what: 'refund' })
      if (call.query.force_sync !== true || refund.status === 'succeeded') return { json: showRefund(refund) }
      const payment = await needPayment(call.world, merchant.merchant_id, refund.payment_id)
      await forceSync(storyOf(call), payment, ownerOf(payment))
      return { json: await currentRefund(call, refund.refund_id) }
    },
  },
  {
    method: 'GET',
    path: '/events',
    name: 'listEvents',
    title: 'List events',
    room: 'Events',
    takes: 'secret',
    query: eventsQuery,
    answers: eventsAnswer,
    does: 'Lists what happened to a payment, oldest first.',
    run: async call => {
      const { object_id, limit, after_version } = call.query as { object_id: string; limit?: number; after_version?: number }
      return { json: await listEvents(call.world, merchantOf(call).merchant_id, object_id, after_version ?? 0, limit ?? MOST_EVENTS) }
    },
  },
  {
    method: 'POST',
    path: '/accounts',
    name: 'createMerchantAccount',
    title: 'Create a merchant account',
    room: 'Accounts',
    takes: 'admin',
    body: merchantShape,
    answers: merchantAnswer,
    does: 'Creates a merchant account with its default business profile.',
    run: async call => ({
      json: await written(call, await createMerchant(call.world, call.service.mode, call.body as MerchantAsk, showMerchant)),
    }),
  },
  {
    method: 'GET',
    path: '/accounts/{merchant_id}',
    name: 'retrieveMerchantAccount',
    title: 'Retrieve a merchant account',
    room: 'Accounts',
    takes: 'admin',
    answers: merchantAnswer,
    does: 'Retrieves a merchant account.',
    run: async call => ({ json: showMerchant(await merchantInPath(call)) }),
  },
  {
    method: 'POST',
    path: '/api_keys/{merchant_id}',
    name: 'createApiKey',
    title: 'Create an API key',
    room: 'Accounts',
    takes: 'admin',
    body: apiKeyShape,
    answers: apiKeyAnswer,
    does: 'Makes a secret key for a merchant; it is shown only here.',
    run: async call => ({
      json: await written(call, await createApiKey(call.world, call.service.mode, call.path.merchant_id!, call.body as ApiKeyAsk)),
    }),
  },
  {
    method: 'DELETE',
    path: '/api_keys/{merchant_id}/{key_id}',
    name: 'revokeApiKey',
    title: 'Revoke an API key',
    room: 'Accounts',
    takes: 'admin',
    answers: revokedAnswer,
    does: 'Revokes a secret key, everywhere within a second.',
    run: async call => ({ json: await written(call, await revokeApiKey(call.world, call.path.merchant_id!, call.path.key_id!)) }),
  },
  {
    method: 'POST',
    path: '/account/{merchant_id}/connectors',
    name: 'createConnectorAccount',
    title: 'Create a connector account',
    room: 'Accounts',
    takes: 'secret or admin',
    body: connectorAccountShape,
    choosesProfile: true,
    answers: connectorAccountAnswer,
    does: 'Adds a connector account: credentials at a processor, for one business profile.',
    run: async call => {
      const merchant = await merchantInPath(call)
      const ask = call.body as ConnectorAccountAsk
      return { json: await written(call, await createConnectorAccount(call.world, call.service.mode, merchant, ask, showConnectorAccount)) }
    },
  },
  {
    method: 'GET',
    path: '/account/{merchant_id}/connectors',
    name: 'listConnectorAccounts',
    title: 'List connector accounts',
    room: 'Accounts',
    takes: 'secret or admin',
    answers: Type.Array(connectorAccountListed),
    does: 'Lists the connector accounts of a merchant.',
    run: async call => ({ json: (await merchantInPath(call)).connectorAccounts.map(listConnectorAccount) }),
  },
  {
    method: 'GET',
    path: '/payments/redirect/{payment_id}/{merchant_id}/{attempt_id}',
    name: 'startChallenge',
    title: 'Start a challenge',
    room: 'Payments',
    takes: 'nothing',
    answers: 'redirect',
    does: "Sends the customer to the processor's challenge (the address in next_action).",
    run: async call => {
      const { merchant, payment } = await visited(call)
      // The challenge is over: the shop is told nothing by a link that could be guessed.
      const onward = payment.next_action?.url ?? returnUrlOf(merchant, payment)
      if (onward !== undefined) return { redirect: onward }
      return wantsPage(call.headers) ? { page: outcomePage(merchant, payment, 'no amount') } : refuse('no_return_url')
    },
  },
  {
    method: 'GET',
    path: '/payments/{payment_id}/{merchant_id}/redirect/response/{connector}/{request_id}',
    name: 'customerReturned',
    title: 'Return from a challenge',
    room: 'Payments',
    takes: 'nothing',
    answers: 'redirect',
    does: "Takes the customer back from the challenge, asks the processor, and sends them on to the merchant's return_url.",
    run: customerReturned,
  },
  {
    method: 'POST',
    path: '/payments/{payment_id}/{merchant_id}/redirect/response/{connector}/{request_id}',
    name: 'customerReturnedByPost',
    title: 'Return from a challenge, by form',
    room: 'Payments',
    takes: 'nothing',
    answers: 'redirect',
    rawBody: true,
    does: 'The same, for processors that send the customer back with a form.',
    run: customerReturned,
  },
  {
    method: 'POST',
    path: '/webhooks/{merchant_id}/{merchant_connector_id}',
    name: 'receiveWebhook',
    title: 'Receive a webhook',
    room: 'Webhooks',
    takes: 'nothing',
    answers: 'nothing',
    rawBody: true,
    does: "Takes a processor's webhook; its signature is verified over the raw bytes.",
    run: webhook,
  },
  {
    method: 'GET',
    path: '/health',
    name: 'health',
    title: 'Is it alive?',
    room: 'Service',
    takes: 'nothing',
    answers: 'text',
    does: 'Is the process alive?',
    run: async () => ({ text: 'health is good', type: 'text/plain; charset=utf-8' }),
  },
  {
    method: 'GET',
    path: '/health/ready',
    name: 'ready',
    title: 'Is it ready?',
    room: 'Service',
    takes: 'nothing',
    answers: readyAnswer,
    does: 'Can it take payments? 503 if not, with the names of what is not ready: database, alarms, settings.',
    run: async call => {
      const ready = await call.service.ready()
      const late = (['database', 'alarms', 'settings'] as const).filter(name => !ready[name])
      return late.length === 0 ? { json: ready } : refuse('unavailable', { words: `Not ready: ${late.join(', ')}` })
    },
  },
]
