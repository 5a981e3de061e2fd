import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { openPayoutShop } from '../../test/payout-shop.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { openExchanges } from './exchanges.ts'

const operationsOf = async (shop: Shop, payment_id: string): Promise<Body[]> =>
  (await succeed(shop.call('GET', `/payments/${payment_id}/operations`))).data

/** Gives the exchanges of the n-th operation of a payment, once they are written. */
async function exchangesOf(shop: Shop, payment_id: string, n = 0): Promise<Body[]> {
  await shop.service.tick()
  const operation = (await operationsOf(shop, payment_id))[n]!
  const { size, data } = await succeed(shop.call('GET', `/payments/${payment_id}/operations/${operation.request_id}/exchanges`))
  deepEqual([size, operation.exchanges], [data.length, data.length])
  return data
}

test('processor requests and responses can be viewed with redacted credentials, and viewing is in the audit log', async () => {
  const shop = await openShop()
  const { payment_id } = (await shop.tryToPay({ card: cards.declines })).body
  const [exchange, ...others] = await exchangesOf(shop, payment_id)
  equal(others.length, 0)
  const [{ request_id, sent_at }] = (await operationsOf(shop, payment_id)) as [Body]
  deepEqual([exchange!.method, exchange!.is, exchange!.status, exchange!.why], ['POST', 'reply', 200, null])
  ok(exchange!.url.startsWith(shop.processor.url) && exchange!.at >= sent_at && exchange!.timing.total_ms >= 0)
  ok(JSON.stringify(exchange!.body).includes('1250') && JSON.stringify(exchange).includes(request_id), JSON.stringify(exchange))
  ok(JSON.stringify(exchange!.answer_body).includes('card_declined'), JSON.stringify(exchange))
  equal(exchange!.headers.authorization, '[redacted]')
  const { data: audit } = await succeed(shop.call('GET', '/audit?object_kind=disclosure'))
  const look = audit.find((entry: Body) => entry.type === 'exchanges_shown')
  ok(look.by.startsWith('secret_key '))
})

test('no card number, cardholder name or API key is in a stored exchange, in any encoding', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ card: cards.approves })
  await shop.capture(payment_id)
  const seen = JSON.stringify([await exchangesOf(shop, payment_id, 0), await exchangesOf(shop, payment_id, 1)])
  const rows = (await shop.query('select sealed from exchanges where object_id = $1', [payment_id])) as { sealed: Buffer }[]
  equal(rows.length, 2)
  const kept = rows.map(({ sealed }) => sealed.toString('latin1')).join()
  const { payment_method_data: given } = shop.payBody({})
  const { card_number, card_cvc, card_holder_name } = given.card
  const key = `sandbox_${shop.merchant_id}`
  for (const secret of [card_number, key, card_holder_name ?? 'Ada Byron']) {
    const bytes = Buffer.from(secret)
    const spelled = [
      secret,
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('hex'),
      secret.replace(/.{4}(?=.)/g, '$& '),
    ]
    for (const one of [...spelled, encodeURIComponent(secret)]) ok(!seen.includes(one) && !kept.includes(one), one)
  }
  ok(!new RegExp(`"${card_cvc}"|:${card_cvc}[,}]`).test(seen))
  ok(!kept.includes(payment_id) && !kept.includes('amount'))
})

test('a missing response is recorded as such, and so are the polls that follow', async () => {
  const shop = await openShop()
  const { payment_id } = (await shop.tryToPay({ card: cards.chargesAndHangs })).body
  const [silent] = await exchangesOf(shop, payment_id)
  deepEqual([silent!.is, silent!.status, silent!.answer_body], ['silence', null, null])
  ok(silent!.why.length > 0)
  await shop.wait('2 minutes')
  const [first, ...questions] = await exchangesOf(shop, payment_id)
  equal(first!.is, 'silence')
  ok(questions.length > 0 && questions.every(({ method, is }) => method === 'GET' && is === 'reply'))
})

test('stored exchanges are deleted after their retention period, and with the customer', async () => {
  const shop = await openShop()
  const count = async (payment_id: string) =>
    (await shop.query('select count(*)::int as count from exchanges where object_id = $1', [payment_id]))[0]!.count
  const { payment_id } = await shop.pay()
  const { customer_id } = await succeed(shop.post('/customers', { name: 'Ada Byron' }))
  const { payment_id: hers } = await shop.pay({ customer_id })
  await shop.service.tick()
  deepEqual([await count(payment_id), await count(hers)], [1, 1])
  equal((await shop.call('DELETE', `/customers/${customer_id}`)).status, 200)
  await shop.wait('1 minute')
  deepEqual([await count(payment_id), await count(hers)], [1, 0])
  await shop.wait('6 days')
  equal(await count(payment_id), 1)
  await shop.wait('2 days')
  equal(await count(payment_id), 0)
})

test('exchanges of successful operations are sampled, all others are stored; writes wait while the database is unavailable', async () => {
  const { service } = await openPlace()
  const { vault, random } = service.context
  const warned: object[] = []
  let isAway = true
  const written: number[] = []
  const log = openExchanges(
    {
      vault,
      random,
      log: { ...service.context.log, warn: facts => void warned.push(facts) },
      query: async (_statement, [rows]) => {
        if (isAway) throw new Error('away')
        written.push(JSON.parse(rows as string).length)
        return []
      },
    },
    7,
    10,
  )
  const at = service.context.now()
  const recorded = [
    { request: { method: 'GET' as const, url: 'https://x.example/', headers: {} }, reply: { is: 'silence' as const, why: 'x' }, at, ms: 1 },
  ]
  const of = (i: number) => ({ merchant_id: 'm', kind: 'payment', object_id: 'p', request_id: `REQ${i}X${i * 7919}` })
  const total = async () => {
    await log.write()
    return written.splice(0).reduce((sum, one) => sum + one, 0)
  }
  for (let i = 0; i < 3; i++) log.keep(of(i), recorded, 'declined', null)
  equal(await total(), 0)
  equal(warned.length, 1)
  isAway = false
  equal(await total(), 3)
  for (let i = 0; i < 1000; i++) log.keep(of(i), recorded, 'done', null)
  const sampled = await total()
  ok(sampled > 50 && sampled < 150, `${sampled} of 1000`)
  // Money has moved by then: an exchange that cannot be stored does not stop the operation.
  log.keep(of(1), [{ ...recorded[0]!, request: null as never }], 'declined', null)
  for (let i = 0; i < 1000; i++) log.keep(of(i), [], 'declined', null)
  equal(await total(), 0)
  for (let i = 0; i < 2100; i++) log.keep(of(i), recorded, 'unknown', null)
  equal(await total(), 200)
  deepEqual(warned.at(-1), { lost: 1900 })
})

test('the exchanges of a payout can be viewed by its merchant, without the account number', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut()
  await shop.service.tick()
  const [{ request_id }] = (await succeed(shop.call('GET', `/payouts/${payout_id}/operations`))).data
  const path = `/payouts/${payout_id}/operations/${request_id}/exchanges`
  const { data } = await succeed(shop.call('GET', path))
  ok(data.length > 0 && !JSON.stringify(data).includes('DE89'))
  isRefused(await shop.call('GET', `/payments/${payout_id}/operations/${request_id}/exchanges`), 404, 'HE_02')
  isRefused(await (await openShop()).call('GET', path), 404, 'HE_02')
  isRefused(await http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})

test('exchanges of another merchant get the same response as missing ones, and a publishable key is refused', async () => {
  const shop = await openShop()
  const [{ payment_id }, { payment_id: another }] = [await shop.pay(), await shop.pay()]
  const [{ request_id }] = (await operationsOf(shop, payment_id)) as [Body]
  const other = await openShop()
  const path = `/payments/${payment_id}/operations/${request_id}/exchanges`
  const foreign = await other.call('GET', path)
  isRefused(foreign, 404, 'HE_02')
  areTheSame(foreign, await other.call('GET', '/payments/pay_none/operations/none/exchanges'))
  isRefused(await shop.call('GET', `/payments/${another}/operations/${request_id}/exchanges`), 404, 'HE_02')
  isRefused(await http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
