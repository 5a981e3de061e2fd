import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { ends, openPayoutShop, type PayoutShop, recipients } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http } from '../../test/shop.ts'
import { prove } from '../ledger/prove.ts'

/** Processors that answer, or do not: a payout that is sent twice is as bad as a charge that is made twice. */

const statuses = async (shop: PayoutShop) => (await shop.paidOut()).map(one => one.status)
const eventTypes = async (shop: PayoutShop, id: string) => (await shop.events(id)).map((event: Body) => event.event_type).filter(Boolean)
const balanced = async (shop: PayoutShop) => deepEqual(await prove(shop.service.context, shop.merchant_id), [])

test('a payout without a response stays pending, refuses other operations, and is settled by a poll', async () => {
  for (const [end, after, books] of [
    [ends.paysAndResets, 'success', ['paid']],
    [ends.paysAndFails500, 'success', ['paid']],
    [ends.resets, 'failed', []],
  ] as const) {
    const shop = await openPayoutShop()
    const { payout_id, status } = await shop.payOut({ to: recipients.bank(end) })
    equal(status, 'pending', end)
    isRefused(await shop.fulfill(payout_id), 422, 'IR_06')
    isRefused(await shop.confirmPayout(payout_id), 400, 'IR_16')
    isRefused(await shop.cancelPayout(payout_id), 422, 'IR_06')
    await shop.wait('2 minutes')
    const payout = await shop.getPayout(payout_id)
    deepEqual([payout.status, payout.error_code], [after, after === 'failed' ? 'not_received' : null], end)
    if (after === 'failed') match(payout.error_message, /becomes success.*force_sync=true.*another id/)
    deepEqual(await statuses(shop), books, end)
    await balanced(shop)
  }
})

test('force_sync polls the processor for a payout at once', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ to: recipients.wallet(ends.paysAndResets) })
  equal((await shop.syncPayout(payout_id)).status, 'success')
  const later = await shop.payOut({ to: recipients.card(ends.approvesLater) })
  equal(later.status, 'initiated')
  await shop.processor.advance(61)
  equal((await shop.syncPayout(later.payout_id)).status, 'success')
})

test('a declined payout fails with the error of the processor, or is ineligible if the recipient cannot be paid', async () => {
  const shop = await openPayoutShop()
  const declined = await shop.payOut({ to: recipients.bank(ends.declines) })
  deepEqual([declined.status, declined.error_code, declined.unified_code], ['failed', 'card_declined', 'UE_1000'])
  const never = await shop.payOut({ to: recipients.bank(ends.ineligible) })
  deepEqual([never.status, never.error_code], ['ineligible', 'recipient_ineligible'])
  const later = await shop.payOut({ to: recipients.bank(ends.declinesLater) })
  equal(later.status, 'initiated')
  await shop.wait('2 minutes')
  equal((await shop.getPayout(later.payout_id)).status, 'failed')
  deepEqual(await eventTypes(shop, later.payout_id), ['payout_initiated', 'payout_failed'])
  await balanced(shop)
})

test('a payout that is returned days later becomes reversed, and is reversed in the ledger', async () => {
  const shop = await openPayoutShop({ webhooks: 'on' })
  const { payout_id, status } = await shop.payOut({ to: recipients.bank(ends.returns) })
  equal(status, 'success')
  const balance = async () =>
    Object.fromEntries((await shop.call('GET', '/ledger/balances')).body.data.map((one: Body) => [one.account, one.balance]))
  deepEqual(await balance(), { processor: -9_900, payouts: 9_900 })
  await shop.wait('4 days')
  const reversed = await shop.getPayout(payout_id)
  deepEqual([reversed.status, reversed.error_code], ['reversed', 'payout_returned'])
  deepEqual(await balance(), { processor: 0, payouts: 0 })
  deepEqual(await eventTypes(shop, payout_id), ['payout_success', 'payout_reversed'])
  await balanced(shop)
})

test('a payout whose response has another amount stays pending with an error for manual review', async () => {
  const shop = await openPayoutShop()
  const { payout_id, ...payout } = await shop.payOut({ to: recipients.bank(ends.echoesAnotherAmount) })
  deepEqual([payout.status, payout.error_code], ['pending', 'IE'])
  deepEqual(await eventTypes(shop, payout_id), ['payout_processing'])
})

test('a payout without a response for seven days is marked unresolved, and a later result still counts', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ to: recipients.bank(ends.paysAndResets) })
  await shop.processor.fault('lookup', 'reset_before', { times: 1000 })
  for (let day = 0; day < 8; day++) await shop.wait('1 day')
  const payout = await shop.getPayout(payout_id)
  deepEqual([payout.status, payout.error_code], ['pending', 'unresolved'])
  deepEqual(await eventTypes(shop, payout_id), ['payout_processing'])
  await shop.processor.soundAgain()
  deepEqual([(await shop.syncPayout(payout_id)).status, await statuses(shop)], ['success', ['paid']])
})

test('webhooks settle a payout in any order and any number of times', async () => {
  for (const order of [
    ['paid', 'returned'],
    ['returned', 'paid'],
    ['paid', 'paid', 'returned', 'returned', 'paid'],
  ]) {
    const shop = await openPayoutShop()
    const { payout_id } = await shop.payOut({ to: recipients.bank(ends.waits) })
    const [{ payout: id, reference }] = (await shop.paidOut()) as [Body]
    const { operations } = await shop.processor.ledger()
    const seen = operations.find((one: Body) => one.id === id)
    const updates: Record<string, Body> = {
      paid: { ...seen, status: 'approved', reference },
      returned: {
        ...seen,
        status: 'returned',
        decline: { code: 'payout_returned', message: 'Sent back.', network_code: null, network_advice: null },
        reference,
      },
    }
    for (const one of order) await shop.sendPayoutWebhook(updates[one]!)
    const payout = await shop.getPayout(payout_id)
    equal(payout.status, 'reversed', order.join())
    await balanced(shop)
  }
})

test('a declined payout is retried at another processor if the profile and the rules allow it, and once per processor', async () => {
  const shop = await openPayoutShop({ others: ['fauxpay'] })
  await shop.profile({ is_auto_retries_enabled: true, max_auto_retries_enabled: 3 })
  const once = await shop.payOut({ to: recipients.bank(ends.declines) })
  equal(once.status, 'failed')
  const rule = {
    connector: 'phonypay',
    flow: 'payout_flow',
    sub_flow: 'sub_flow',
    code: 'card_declined',
    message: 'The card was declined.',
    status: 'failure',
    decision: 'retry',
    clear_pan_possible: false,
    step_up_possible: false,
  }
  await succeed(http('POST', `${shop.url}/gsm`, rule, { 'api-key': ADMIN_KEY }))
  const { payout_id, ...payout } = await shop.payOut({ to: recipients.bank(ends.declines) })
  deepEqual([payout.status, payout.connector], ['failed', 'fauxpay'])
  const { attempts } = await shop.getPayout(payout_id, '?expand_attempts=true')
  deepEqual(
    attempts.map((one: Body) => [one.connector, one.status, one.error_code]),
    [
      ['phonypay', 'failed', 'card_declined'],
      ['fauxpay', 'failed', 'card_declined'],
    ],
  )
  const silent = await shop.payOut({ to: recipients.bank(ends.paysAndResets) })
  deepEqual([silent.status, silent.connector], ['pending', 'phonypay'], 'silence is tried nowhere else')
})
