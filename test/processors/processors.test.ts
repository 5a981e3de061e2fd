import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { connectors } from '../../src/connectors/all.ts'
import { cards, openShop, type Shop } from '../shop.ts'
import { walk } from '../walk.ts'

/**
 * The processors of the specification, each with its own API in the sandbox: the same tests for all of them, through
 * the HTTP interface. The table contains the differences. `unreceived`: the status of a payment whose request never
 * arrived: `failed` where the processor proves that it does not know the request; elsewhere the payment requires
 * manual review.
 */
type Traits = {
  unreceived: 'failed' | 'requires_merchant_action'
  refundsComeBack?: true
  /** Whether the processor cannot be queried about refunds: a refund whose answer is lost requires manual review. */
  refundsAreNotFound?: true
}

const traits: Record<string, Traits> = {
  bridge: { unreceived: 'failed', refundsComeBack: true },
  flexifai: { unreceived: 'failed', refundsComeBack: true },
  bitex: { unreceived: 'failed', refundsComeBack: true },
  hypergate: { unreceived: 'failed', refundsComeBack: true },
  payadmit: { unreceived: 'failed' },
  maguapay: { unreceived: 'requires_merchant_action', refundsAreNotFound: true },
  milkypay: { unreceived: 'failed' },
  k218pay: { unreceived: 'failed', refundsComeBack: true },
}

const onPage = {
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
}

const charges = async (shop: Shop) => (await shop.processor.charges()).map(({ amount, captured, refunded }) => [amount, captured, refunded])

for (const [name, { unreceived, refundsComeBack, refundsAreNotFound }] of Object.entries(traits)) {
  const connector = connectors[name]!
  const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: name, webhooks: 'on', ...more })

  test(`${name}: a payment succeeds, and is refunded in part where refunds are supported`, async () => {
    const shop = await open()
    const paid = await shop.pay()
    deepEqual([paid.status, paid.amount_received, paid.connector], ['succeeded', 1250, name])
    match(paid.connector_transaction_id, /./)
    if (!connector.refund) return
    const { body: refund } = await shop.refund(paid.payment_id, 500)
    equal(refund.status, 'succeeded')
    deepEqual(await charges(shop), [[1250, 1250, 500]])
  })

  test(`${name}: a declined card is not charged, and a refused refund fails`, async () => {
    const shop = await open()
    const declined = await shop.pay({ card: cards.declines })
    equal(declined.status, 'failed')
    match(declined.error_code, /./)
    match(declined.error_message, /./)
    deepEqual(await charges(shop), [])
    if (!connector.refund) return
    const paid = await shop.pay({ card: cards.refusesRefunds })
    equal((await shop.refund(paid.payment_id, 500)).body.status, 'failed')
    deepEqual(await charges(shop), [[1250, 1250, 0]])
  })

  test(`${name}: a payment whose response is lost is found, and one that never arrived is not charged`, async () => {
    const shop = await open({ webhooks: 'off' })
    const lost = await shop.pay({ card: cards.chargesAndResets })
    const never = await shop.pay({ card: cards.resets })
    deepEqual([lost.status, never.status], ['processing', 'processing'])
    await shop.wait('5 minutes')
    equal((await shop.get(lost.payment_id)).status, 'succeeded')
    if (unreceived !== 'failed') await shop.wait('8 days')
    equal((await shop.get(never.payment_id)).status, unreceived)
    deepEqual(await charges(shop), [[1250, 1250, 0]])
    if (!connector.refund) return
    // The answer to the refund is lost, but the refund is made.
    await shop.processor.fault('refund', 'reset_after')
    const { body: refund } = await shop.refund(lost.payment_id, 500)
    equal(refund.status, 'pending')
    await shop.wait('5 minutes')
    equal((await shop.getRefund(refund.refund_id)).status, refundsAreNotFound ? 'pending' : 'succeeded')
    deepEqual(await charges(shop), [[1250, 1250, 500]])
  })

  test(`${name}: a pending payment or refund is completed once the processor decides it`, async () => {
    const shop = await open()
    const [later, never] = [await shop.pay({ card: cards.approvesLater }), await shop.pay({ card: cards.declinesLater })]
    deepEqual([later.status, never.status], ['processing', 'processing'])
    await shop.processor.advance(61)
    // A webhook that only asks to query the processor makes the job due.
    await shop.service.tick()
    deepEqual([(await shop.get(later.payment_id)).status, (await shop.get(never.payment_id)).status], ['succeeded', 'failed'])
    if (!connector.refund || refundsAreNotFound) return
    const paid = await shop.pay({ card: cards.refundsLater })
    const { body: refund } = await shop.refund(paid.payment_id, 500)
    equal(refund.status, 'pending')
    await shop.processor.advance(61)
    await shop.service.tick()
    equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
  })

  test(`${name}: a payment with a challenge succeeds if the customer accepts it, and fails if not`, async () => {
    const shop = await open()
    for (const [verdict, status] of [
      ['accept', 'succeeded'],
      ['reject', 'failed'],
    ] as const) {
      const payment = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
      equal(payment.status, 'requires_customer_action')
      equal((await walk(shop, payment, verdict)).status, status)
    }
  })

  if (connector.accepts.methods.includes('card_redirect'))
    test(`${name}: a card is entered on a page of the processor: approved, declined, lost response, and abandoned`, async () => {
      const shop = await open({ webhooks: 'off' })
      for (const [verdict, status] of [
        ['accept', 'succeeded'],
        ['reject', 'failed'],
      ] as const) {
        const payment = await shop.pay(onPage)
        deepEqual(
          [payment.status, payment.next_action?.type, payment.payment_method],
          ['requires_customer_action', 'redirect_to_url', 'card_redirect'],
        )
        equal((await walk(shop, payment, verdict)).status, status)
      }
      await shop.processor.fault('authorize', 'reset_after')
      const lost = await shop.pay(onPage)
      equal(lost.status, 'processing')
      await shop.wait('5 minutes')
      equal((await shop.get(lost.payment_id)).status, 'requires_customer_action', 'it is found, and its customer sent there')
      await shop.wait('11 hours')
      equal((await shop.get(lost.payment_id)).status, 'failed')
      deepEqual(await charges(shop), [[1250, 1250, 0]])
    })

  if (refundsComeBack)
    test(`${name}: a refund that the bank returns after its approval is marked failed`, async () => {
      const shop = await open()
      const paid = await shop.pay({ card: cards.refundsFailLater })
      const { body: refund } = await shop.refund(paid.payment_id, 500)
      equal(refund.status, 'succeeded')
      await shop.processor.advance(61)
      equal((await shop.getRefund(refund.refund_id)).status, 'failed')
    })

  if (connector.capture && connector.void)
    test(`${name}: an authorization is captured in part, cancelled, or expires`, async () => {
      const shop = await open()
      const hold = await shop.hold()
      deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 1250])
      const { body: captured } = await shop.capture(hold.payment_id, 500)
      deepEqual([captured.status, captured.amount_received], ['partially_captured', 500])
      equal((await shop.cancel((await shop.hold()).payment_id)).body.status, 'cancelled')
      const lapses = await shop.hold()
      await shop.wait('8 days')
      await shop.sync(lapses.payment_id)
      equal((await shop.get(lapses.payment_id)).status, 'expired')
      deepEqual(
        (await shop.processor.charges()).map(({ status }) => status),
        ['captured', 'voided', 'expired'],
      )
    })
}
