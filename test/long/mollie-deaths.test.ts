import { deepEqual, equal, ok } from 'node:assert/strict'
import { type Answer, type Body, http, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { type Crossing, dyingService } from './dying.ts'
import { openVariations } from './variations.ts'

/**
 * The service is killed at each crossing of each call that moves money, at a processor that looks nothing up by our
 * ids and only lists its objects; an operation on a payment stores the id of this payment before its request is sent.
 * Then another process takes over: it agrees with the processor's ledger, nothing is charged, captured or refunded
 * twice, and nothing that has happened has failed in the service.
 */

const { add, run } = openVariations()

const truths = ['approves', 'is silent'] as const

/**
 * The crossings of a call that is sent at once: the commit before the request, the request, the commit of its outcome.
 */
const plain = ['commit.1.before', 'commit.1.after', 'send.1.during', 'send.1.after', 'commit.2.before', 'commit.2.after'] as const
/** The crossings of a call that notes an id before it sends its request. */
const noted = [...plain, 'commit.3.before', 'commit.3.after'] as const

type Call = {
  crossings: readonly Crossing[]
  /** The name under which a test orders a fault of the call. */
  fault: 'authorize' | 'capture' | 'void' | 'refund'
  /**
   * Whether the processor records no id of ours with the call, so that the ledger cannot be compared with our rows.
   */
  unnamed?: true
  /** Prepares the call; gives the payment on which the call acts. */
  prepare(shop: Shop): Promise<Body>
  path(payment: Body): string
  body(payment: Body): object
  /** Verifies the outcome of the call by the ledger. `payment`: the payment as it is at the end. */
  ends(shop: Shop, payment: Body): Promise<void>
}

const cardPage = {
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
}
const kept = {
  customer_id: 'ada',
  setup_future_usage: 'off_session',
  customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } },
}

/** Makes a payment that the customer pays on Mollie's page. */
async function paid(shop: Shop, more: Body = {}): Promise<Body> {
  const { payment_id } = await shop.pay({ currency: 'EUR', ...cardPage, ...more })
  const [operation] = (await shop.processor.operations()).filter(({ type }) => type === 'authorization').slice(-1)
  await shop.processor.decide(operation.id, 'approved')
  return shop.sync(payment_id)
}

const charges = (shop: Shop) => shop.processor.charges()

const calls: Record<string, Call> = {
  'a charge by a mandate': {
    crossings: plain,
    fault: 'authorize',
    prepare: shop => paid(shop, kept),
    path: () => '/payments',
    body: first => ({
      payment_id: `pay_${'0'.repeat(26)}`,
      ...{ amount: 700, currency: 'EUR', confirm: true, customer_id: 'ada', off_session: true },
      recurring_details: { type: 'payment_method_id', data: first.payment_method_id },
    }),
    async ends(shop) {
      const { status, body } = await shop.call('GET', `/payments/pay_${'0'.repeat(26)}`)
      const charged = (await charges(shop)).filter(({ by }) => by === 'mandate')
      ok(charged.length <= 1)
      equal(status === 200 && body.status === 'succeeded', charged.length === 1, body.status)
      if (status === 200 && charged.length === 0) deepEqual([body.status, body.error_code], ['failed', 'not_received'])
    },
  },
  'a capture': {
    crossings: noted,
    fault: 'capture',
    prepare: shop => paid(shop, { capture_method: 'manual_multiple' }),
    path: ({ payment_id }) => `/payments/${payment_id}/capture`,
    body: () => ({ amount_to_capture: 500 }),
    async ends(shop, payment) {
      const [charge] = await charges(shop)
      ok([0, 500].includes(charge!.captured))
      deepEqual(
        [payment.amount_received ?? 0, payment.amount_capturable, payment.status],
        charge!.captured === 0 ? [0, 1250, 'requires_capture'] : [500, 750, 'partially_captured_and_capturable'],
      )
    },
  },
  'a void': {
    crossings: noted,
    unnamed: true,
    fault: 'void',
    prepare: shop => paid(shop, { capture_method: 'manual' }),
    path: ({ payment_id }) => `/payments/${payment_id}/cancel`,
    body: () => ({}),
    async ends(shop, payment) {
      const [charge] = await charges(shop)
      equal(payment.status, charge!.status === 'voided' ? 'cancelled' : 'requires_capture')
      ok((await shop.processor.operations()).filter(({ type }) => type === 'void').length <= 1)
    },
  },
  'a refund': {
    crossings: noted,
    fault: 'refund',
    prepare: shop => paid(shop),
    path: () => '/refunds',
    body: ({ payment_id }) => ({ refund_id: `ref_${'0'.repeat(26)}`, payment_id, amount: 300 }),
    async ends(shop) {
      const { status, body } = await shop.call('GET', `/refunds/ref_${'0'.repeat(26)}`)
      const [charge] = await charges(shop)
      ok([0, 300].includes(charge!.refunded))
      if (status === 404) equal(charge!.refunded, 0)
      else equal(body.status, charge!.refunded === 300 ? 'succeeded' : 'failed')
    },
  },
}

for (const [name, { crossings, fault, unnamed, prepare, path, body, ends }] of Object.entries(calls))
  for (const at of crossings)
    for (const truth of truths)
      add(`${name} at ${at}`, `${name}: killed at ${at} while the processor ${truth}`, async () => {
        const shop = await openShop({ connector: 'mollie', webhooks: 'off' })
        const before = await prepare(shop)
        const ask = (url: string): Promise<Answer> => http('POST', url + path(before), body(before), { 'api-key': shop.api_key })
        if (truth === 'is silent') await shop.processor.fault(fault, 'reset_after')
        const answer = await dyingService(shop, at, ask)
        if (typeof answer !== 'string') throw new Error(`it lived through ${at}: ${answer.text}`)
        await shop.processor.soundAgain()
        await shop.wait('2 hours')
        await shop.wait('3 days')
        await ends(shop, await shop.get(before.payment_id))
        if (!unnamed) await agree(shop)
      })

run()
