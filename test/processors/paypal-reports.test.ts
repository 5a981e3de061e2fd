import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openReport } from '../../src/settlement/readers/read-report.ts'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { written } from '../settlement/forms.ts'
import type { Movement } from '../settlement/month.ts'
import { paypal, paypalApi } from '../settlement/month-at-paypal.ts'
import { inPieces } from '../settlement/read.ts'
import { balances, differencesOf, letDaysPass, line, proven, take, takeLines } from '../settlement.ts'
import { type Body, openShop, type Shop } from '../shop.ts'

/** PayPal's transactions and its settlement report are of the same money: whichever comes first settles it. */

const bytesOf = {
  stl: (movements: readonly Movement[]) =>
    written(paypal.rows({ movements, whole: [] }), { separator: ',', end: '\n', encoding: 'utf8', quotes: true }),
  api: (movements: readonly Movement[]) => {
    const rows = paypalApi.rows({ movements, whole: [] })
    return Buffer.from(rows.map(([document]) => `${document}\n`).join(''))
  },
}

async function read(shop: Shop, form: keyof typeof bytesOf, movements: readonly Movement[]): Promise<Body> {
  const { lines } = await openReport(inPieces(bytesOf[form](movements)), { connector: 'paypal' })
  return (await takeLines(shop, lines)).counts!
}

/** A sale of 50.00 of which 12.00 were refunded, and a fee of PayPal's own, with what PayPal keeps of the first two. */
async function sold(shop: Shop): Promise<Movement[]> {
  const { payment_id, connector_transaction_id: payment } = await shop.pay({ amount: 5000 })
  await shop.refund(payment_id, 1200)
  await shop.wait('1 minute')
  const [{ connector_refund_id: id }] = (await shop.sync(payment_id)).refunds
  const { data } = (await shop.call('GET', `/payments/${payment_id}/operations`)).body
  const requestOf = (verb: string): string => data.find((one: Body) => one.verb === verb).request_id
  const common = { payment, currency: 'USD', batch: 1 } as const
  return [
    { ...common, is: 'sale', id: payment, request_id: requestOf('authorize'), gross: 5000, fee: 175 },
    { ...common, is: 'refund', id, request_id: requestOf('refund'), gross: -1200, fee: -30 },
    { ...common, is: 'fee', id: 'FEE0000000000001', payment: '', request_id: '', gross: 0, fee: 250 },
  ]
}

for (const [first, second] of [['stl', 'api'], ['api', 'stl']] as const) // biome-ignore format: a table
  test(`what was read from ${first} is known when it comes from ${second}, and what was missing there is settled then`, async () => {
    const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
    const movements = await sold(shop)
    deepEqual((await read(shop, first, movements.slice(0, 2))).matched, 2)
    const { matched, known, open } = await read(shop, second, movements)
    deepEqual([matched, known, open], [1, 2, 0])
    const settled = { sales: -5000, refunds: 1200, fees: 175 - 30 + 250, settled: 5000 - 1200 - (175 - 30 + 250) }
    deepEqual(await balances(shop), settled)
    deepEqual((await read(shop, first, movements)).known, 3)
    deepEqual(await balances(shop), settled)
    deepEqual(await differencesOf(shop), [])
    await proven(shop)
  })

/** A dispute of 15.00 of a sale, with the lines of the sale, of the chargeback and of its fee, as PayPal names them. */
async function disputed(shop: Shop) {
  const { payment_id, connector_transaction_id } = await shop.pay({ amount: 5000 })
  await shop.processor.move(connector_transaction_id, 'dispute', { amount: 1500 })
  await shop.wait('2 minutes')
  await shop.sync(payment_id)
  const { data } = (await shop.call('GET', `/payments/${payment_id}/operations`)).body
  const charge = { type: 'charge', reference: 'CAP1', object_reference: 'CAP1', payment_reference: 'CAP1', gross: 5000 } as const
  const chargeback = { type: 'chargeback', reference: 'CBK1', object_reference: 'CBK1', payment_reference: 'CAP1', gross: -1500 } as const
  return {
    payment_id,
    charge: line({ ...charge, request_id: data[0].request_id }),
    chargeback: line(chargeback),
    fee: line({ type: 'fee', reference: 'FEE1', object_reference: 'FEE1', payment_reference: 'CBK1', fee: 2000 }),
  }
}
const netOf = async (shop: Shop, payment_id: string): Promise<Body> => {
  const [{ gross, fee, net }] = (await shop.call('GET', `/reconciliation/payments/${payment_id}`)).body.settled
  return { gross, fee, net }
}
const whole = { gross: 3500, fee: 2000, net: 1500 }

test('a chargeback names only the transaction that was charged, and its fee the chargeback: both are those of the payment', async () => {
  const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
  const { payment_id, charge, chargeback, fee } = await disputed(shop)
  const { matched, open } = (await take(shop, [fee, chargeback, charge])).counts!
  deepEqual([matched, open], [3, 0])
  deepEqual(await netOf(shop, payment_id), whole)
})

test('a chargeback of a charge that an earlier report had is that of its payment; one that comes before is so later', async () => {
  const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
  const { payment_id, charge, chargeback, fee } = await disputed(shop)
  await take(shop, [charge])
  deepEqual((await take(shop, [chargeback])).counts!.matched, 1)
  await take(shop, [fee])
  deepEqual(await netOf(shop, payment_id), whole)
  const other = await openShop({ connector: 'paypal', webhooks: 'on' })
  const its = await disputed(other)
  deepEqual((await take(other, [its.chargeback])).counts!.causes, { missing_here: 1 })
  await take(other, [its.charge])
  await other.wait('11 minutes')
  deepEqual(
    (await differencesOf(other)).map(({ cause, state }) => [cause, state]),
    [['missing_here', 'matched']],
  )
  deepEqual(await netOf(other, its.payment_id), { gross: 3500, fee: 0, net: 3500 })
})

const fetching = async (shop: Shop, merchant_connector_id = shop.merchant_connector_id): Promise<Body> => {
  const { data } = (await shop.call('GET', '/reconciliation/fetches')).body
  return data.find((one: Body) => one.merchant_connector_id === merchant_connector_id)
}

test('an app without the permission is shown which one it lacks, and its reports come once it has it', async () => {
  const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
  const { merchant_id, merchant_connector_id } = shop
  const paid = await shop.pay({ amount: 5000 })
  const renew = async (key1: string) => {
    const connector_account_details = { ...keysOf('paypal', `sandbox_${merchant_id}`), key1 }
    const asked = { connector_type: 'payment_processor', connector_account_details }
    equal((await shop.post(`/account/${merchant_id}/connectors/${merchant_connector_id}`, asked)).status, 200)
  }
  await renew('client_without_transaction_search')
  await shop.post('/reconciliation/fetches', { merchant_connector_id, fetch: 'daily' })
  await shop.wait('1 minute')
  match((await fetching(shop)).problem, /Transaction search/)
  await renew('client')
  await letDaysPass(shop, 3)
  equal((await fetching(shop)).problem, null)
  equal((await netOf(shop, paid.payment_id)).gross, 5000)
})

test('a payout that its recipient accepts days later is listed on the day on which it was sent: that day is read again', async () => {
  const shop = await openShop({ connector: 'paypal' })
  const { merchant_connector_id } = await addAccount(shop, 'paypal', {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    connector_account_details: keysOf('paypal', `sandbox_${shop.merchant_id}`),
    connector_webhook_details: { merchant_secret: shop.webhook_secret },
  })
  const { body } = await shop.post('/payouts/create', payOutBody({ to: recipients.wallet(ends.waits) }))
  await shop.post('/reconciliation/fetches', { merchant_connector_id, fetch: 'daily' })
  await letDaysPass(shop, 5)
  const [operation] = (await shop.processor.operations()).filter(({ type }) => type === 'payout')
  await shop.processor.decide(operation.id, 'approved')
  await letDaysPass(shop, 2)
  equal((await shop.call('GET', `/payouts/${body.payout_id}`)).body.status, 'success')
  equal((await balances(shop)).processor, -9900)
  await letDaysPass(shop, 6)
  equal((await balances(shop)).processor ?? 0, 0)
  deepEqual((await shop.call('GET', '/reconciliation/differences?state=open')).body.data, [])
})
