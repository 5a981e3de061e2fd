import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../../src/context.ts'
import { type Body, http, openPlace, openShop, type Shop } from '../shop.ts'

/**
 * A merchant cancels while the customer approves at PayPal. An order that holds no money was never voided there:
 * holding no money does not prove a void, and the order's state may be outdated by the time its answer arrives.
 */

type Look = { answer: (reply?: Reply) => void }
/** While set, the answer to the next request for an order is held back, until the test lets it through. */
let keep: ((look: Look) => void) | null = null
await openPlace({}, context => ({
  ...context,
  async send(asked, sender) {
    if (!keep || asked.method !== 'GET' || !asked.url.includes('/v2/checkout/orders/')) return context.send(asked, sender)
    const keeps = keep
    keep = null
    const answered = await context.send(asked, sender)
    const { promise, resolve } = Promise.withResolvers<Reply>()
    keeps({ answer: (reply = answered) => resolve(reply) })
    return promise
  },
}))

/** Gives the next request for an order, once PayPal has answered it. */
const nextLook = (): Promise<Look> =>
  new Promise(resolve => {
    keep = resolve
  })

const wallet = { payment_method: 'wallet', payment_method_type: 'paypal', payment_method_data: { wallet: { paypal_redirect: {} } } }

/** Gives the page at PayPal to which a payment sends its customer. */
const pageOf = async ({ next_action }: Body): Promise<string> => (await http('GET', next_action.redirect_to_url)).headers.location as string
/** Approves there as the customer. Gives the address of the return. */
const approve = async (page: string): Promise<string> => (await http('POST', `${page}/accept`, '')).headers.location as string

const charged = async (shop: Shop) => (await shop.processor.charges()).map(({ captured, refunded, status }) => [captured, refunded, status])
const states = async (shop: Shop): Promise<string[][]> =>
  (await shop.query('select verb, state from processor_operations where merchant_id = $1 order by n', [shop.merchant_id])).map(
    ({ verb, state }) => [verb, state],
  )

/** Verifies that the payment keeps this status, and is never held for manual review. */
async function staysRight(shop: Shop, payment_id: string, status: string): Promise<void> {
  for (const time of ['1 second', '2 hours', '1 day', '7 days']) {
    await shop.wait(time)
    equal((await shop.sync(payment_id)).status, status, time)
  }
  const types = (await shop.events(payment_id)).map(({ type }) => type)
  deepEqual(
    types.filter(type => type === 'void_conflicted'),
    [],
  )
}

test('a cancel that cannot read the approved order sends no void, also after an outdated poll, and the payment stands', async () => {
  const shop = await openShop({ connector: 'paypal' })
  const begun = await shop.pay(wallet)
  const back = await approve(await pageOf(begun))
  const first = nextLook()
  const cancelling = shop.cancel(begun.payment_id)
  const cancel = await first
  const second = nextLook()
  const asking = shop.sync(begun.payment_id)
  const syncLook = await second
  cancel.answer({ is: 'silence', why: 'the network is gone' })
  equal((await cancelling).body.status, 'processing')
  syncLook.answer()
  await asking
  await http('GET', back)
  await staysRight(shop, begun.payment_id, 'succeeded')
  deepEqual(await charged(shop), [[1250, 0, 'captured']])
  deepEqual(await states(shop), [
    ['authorize', 'done'],
    ['void', 'not_sent'],
  ])
})

for (const [capture_method, status, charge] of [
  ['automatic', 'succeeded', [1250, 0, 'captured']],
  ['manual', 'requires_capture', [0, 0, 'authorized']],
] as const)
  test(`${capture_method}: an order that is paid after a cancel has read it is not voided, and the payment stands`, async () => {
    const shop = await openShop({ connector: 'paypal' })
    const begun = await shop.pay({ ...wallet, capture_method })
    const back = await approve(await pageOf(begun))
    // The customer has returned: the order is about to be captured or authorized.
    const returning = nextLook()
    const home = http('GET', back)
    const completing = await returning
    const looking = nextLook()
    const cancelling = shop.cancel(begun.payment_id)
    const cancel = await looking
    completing.answer()
    await home
    cancel.answer()
    equal((await cancelling).body.status, status)
    await shop.wait('1 second')
    const standing = await shop.get(begun.payment_id)
    deepEqual([standing.status, standing.amount_capturable], [status, status === 'succeeded' ? 0 : 1250])
    deepEqual(await charged(shop), [charge])
    deepEqual(await states(shop), [
      ['authorize', 'done'],
      ['void', 'not_sent'],
    ])
    // The merchant can cancel the hold, as any other.
    if (status === 'succeeded') return staysRight(shop, begun.payment_id, status)
    equal((await shop.cancel(begun.payment_id)).body.status, 'cancelled')
    await staysRight(shop, begun.payment_id, 'cancelled')
    deepEqual(await charged(shop), [[0, 0, 'voided']])
  })

test('a customer who returns while the merchant cancels is not charged, during or after the cancel', async () => {
  const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
  const begun = await shop.pay(wallet)
  const page = await pageOf(begun)
  const looking = nextLook()
  const cancelling = shop.cancel(begun.payment_id)
  const cancel = await looking
  const back = await approve(page)
  await http('GET', back)
  await shop.wait('1 second')
  cancel.answer()
  equal((await cancelling).body.status, 'cancelled')
  await http('GET', back)
  await staysRight(shop, begun.payment_id, 'cancelled')
  deepEqual(await shop.processor.charges(), [])
})

test('a cancel interrupted by a crash is completed by a poll, and the approved order is never charged', async () => {
  const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
  const begun = await shop.pay(wallet)
  const page = await pageOf(begun)
  const looking = nextLook()
  const cancelling = shop.cancel(begun.payment_id)
  const cancel = await looking
  const back = await approve(page)
  equal((await shop.sync(begun.payment_id)).status, 'cancelled')
  await http('GET', back)
  cancel.answer({ is: 'silence', why: 'the process is dead' })
  equal((await cancelling).body.status, 'cancelled')
  await staysRight(shop, begun.payment_id, 'cancelled')
  deepEqual(await shop.processor.charges(), [])
})
