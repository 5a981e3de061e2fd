import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { mend, prove } from './prove.ts'

/** The books of a merchant: the movements of its money by account, and that they add up. */

/** Gives each account's balance, over all profiles and connector accounts. */
async function balances(shop: Shop, query = ''): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { account, balance } of (await shop.call('GET', `/ledger/balances?${query}`)).body.data)
    sums[account] = (sums[account] ?? 0) + balance
  return sums
}
const entries = async (shop: Shop, query = ''): Promise<Body[]> => (await shop.call('GET', `/ledger/entries?${query}`)).body.data
const proven = async (shop: Shop) => deepEqual(await prove(shop.service.context, shop.merchant_id), [])

test('a capture posts to the processor and sales accounts, and a refund to the processor and refunds accounts', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 5000 })
  deepEqual(await balances(shop), { processor: 5000, sales: -5000 })
  await shop.refund(payment_id, 1200)
  deepEqual(await balances(shop), { processor: 3800, refunds: 1200, sales: -5000 })
  const [refund, sale] = await entries(shop)
  deepEqual(
    [refund.object_id, refund.lines],
    [
      payment_id,
      [
        { account: 'processor', debit: 0, credit: 1200 },
        { account: 'refunds', debit: 1200, credit: 0 },
      ],
    ],
  )
  deepEqual([sale.type, sale.currency, sale.object_kind], ['captured', 'USD', 'payment'])
  await proven(shop)
})

test('an authorization, a decline and a void post nothing to the ledger', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ capture_method: 'manual' })
  await shop.tryToPay({ card: cards.declines })
  await shop.cancel(payment_id)
  deepEqual(await balances(shop), {})
  deepEqual(await entries(shop), [])
})

test('ledger balances are the same before and after the outbox is processed', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 700 })
  const before = (await shop.call('GET', '/ledger/balances')).body
  await shop.service.tick()
  deepEqual((await shop.call('GET', '/ledger/balances')).body, before)
  equal((await shop.query('select account from ledger_balances where merchant_id = $1', [shop.merchant_id])).length, 2)
  await proven(shop)
  await shop.pay({ amount: 300 })
  deepEqual(await balances(shop), { processor: 1000, sales: -1000 })
  await proven(shop)
})

test('a refund that fails days after its approval leaves the processor balance at the full amount', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id } = await shop.pay({ amount: 2000, card: cards.refundsFailLater })
  await shop.refund(payment_id, 500)
  await shop.wait('2 days')
  equal((await shop.get(payment_id)).refunds[0].status, 'failed')
  deepEqual(await balances(shop), { processor: 2000, sales: -2000, ...((await entries(shop)).length > 1 && { refunds: 0 }) })
  await proven(shop)
})

test('a partial approval that is not allowed is posted to suspense until it is refunded', async () => {
  const shop = await openShop()
  const { body } = await shop.tryToPay({ amount: 1000, card: cards.approvesHalf })
  await shop.wait('1 minute')
  equal((await shop.get(body.payment_id)).status, 'failed')
  deepEqual(await balances(shop), { processor: 0, suspense: 0 })
  const [back, taken] = await entries(shop)
  const putOn = (entry: Body, name: string) => entry.lines.find((line: Body) => line.account === name)
  deepEqual([putOn(taken, 'suspense').credit, putOn(back, 'suspense').debit], [500, 500])
  await proven(shop)
})

test('each partial capture posts its own ledger entry, and a cancel after capture offsets its sale', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 3000, capture_method: 'manual_multiple' })
  await shop.capture(payment_id, 1000)
  await shop.capture(payment_id, 500)
  deepEqual(await balances(shop), { processor: 1500, sales: -1500 })
  equal((await entries(shop, `object_id=${payment_id}`)).length, 2)
  const whole = await shop.pay({ amount: 800 })
  const { body } = await shop.post(`/payments/${whole.payment_id}/cancel_post_capture`, {})
  equal(body.status, 'cancelled_post_capture')
  deepEqual(await balances(shop), { processor: 1500, sales: -1500 })
  await proven(shop)
})

test('entries and balances are filtered by account, currency, profile, connector account, object and time, with pagination', async () => {
  const shop = await openShop()
  const first = await shop.pay({ amount: 1000 })
  await shop.wait('1 hour')
  await shop.pay({ amount: 2000, currency: 'EUR' })
  equal((await shop.refund(first.payment_id, 400)).body.status, 'succeeded')
  deepEqual(await balances(shop, 'currency=eur'), { processor: 2000, sales: -2000 })
  deepEqual(await balances(shop, 'account=refunds'), { refunds: 400 })
  deepEqual(await balances(shop, `profile_id=${first.profile_id}&currency=USD`), { processor: 600, refunds: 400, sales: -1000 })
  deepEqual(await balances(shop, 'merchant_connector_id=mca_of_nobody'), {})
  const amounts = async (query: string) => (await entries(shop, query)).map(entry => entry.lines[0].debit - entry.lines[0].credit)
  deepEqual(await amounts(''), [-400, 2000, 1000])
  deepEqual(await amounts('account=refunds'), [-400])
  deepEqual(await amounts(`object_id=${first.payment_id}`), [-400, 1000])
  deepEqual(await amounts(`merchant_connector_id=${shop.merchant_connector_id}&currency=EUR`), [2000])
  const [newest, middle] = await entries(shop)
  deepEqual(await amounts(`created_before=${middle.created}`), [1000])
  deepEqual(await amounts(`created_after=${middle.created}`), [-400, 2000])
  deepEqual(await amounts(`limit=1&starting_after=${newest.entry_id}`), [2000])
  const oldest = (await entries(shop)).at(-1)!
  deepEqual(await amounts(`limit=1&ending_before=${oldest.entry_id}`), [2000])
  deepEqual(await amounts(`ending_before=${oldest.entry_id}`), [-400, 2000])
  deepEqual(await amounts(`starting_after=${newest.entry_id}&ending_before=${oldest.entry_id}`), [2000])
  deepEqual(await amounts(`object_id=${first.payment_id}&ending_before=${oldest.entry_id}`), [-400])
  isRefused(await shop.call('GET', '/ledger/entries?starting_after=pay_1'), 400, 'IR_06', /starting_after/)
  isRefused(await shop.call('GET', '/ledger/entries?ending_before=pay_1'), 400, 'IR_06', /ending_before/)
  isRefused(await shop.call('GET', '/ledger/entries?account=gold'), 400, 'IR_06', /account/)
  isRefused(await shop.call('GET', '/ledger/balances?currency=EURO'), 422, 'IR_06', /currency/)
  isRefused(await http('GET', `${shop.url}/ledger/balances`), 401, 'IR_01')
  isRefused(await http('GET', `${shop.url}/ledger/entries`), 401, 'IR_01')
  const other = await openShop()
  deepEqual([await balances(other), await entries(other)], [{}, []])
})

test('ledger entries are exported with the same filters: one line per side as CSV, whole entries as JSON lines', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 2000, currency: 'EUR' })
  await shop.refund(payment_id, 400)
  const file = async (query: string) => (await shop.call('GET', `/ledger/export?${query}`)).text
  const [header, ...lines] = (await file('')).trim().split('\r\n')
  equal(header!.split(',').slice(0, 9).join(), 'entry_id,created,type,object_kind,object_id,account,debit,credit,currency')
  deepEqual(
    lines.map(line => line.split(',').slice(5, 9).join()),
    ['processor,0,400,USD', 'refunds,400,0,USD', 'processor,2000,0,EUR', 'sales,0,2000,EUR', 'processor,1000,0,USD', 'sales,0,1000,USD'],
  )
  const whole = (await file(`format=jsonl&object_id=${payment_id}&account=sales`)).trim().split('\n')
  deepEqual(
    whole.map(line => JSON.parse(line)),
    await entries(shop, `object_id=${payment_id}&account=sales`),
  )
  equal((await file('currency=CHF')).trim(), header)
  isRefused(await shop.call('GET', '/ledger/export?format=xls'), 400, 'IR_06', /format/)
  isRefused(await shop.call('GET', '/ledger/export?limit=5'), 400, 'IR_06', /limit/)
  isRefused(await shop.call('GET', '/ledger/export?created_after=yesterday'), 422, 'IR_05', /created_after/)
  isRefused(await http('GET', `${shop.url}/ledger/export`), 401, 'IR_01')
  equal(await (await openShop()).call('GET', '/ledger/export').then(({ text }) => text.trim()), header)
})

test('an export of thousands of ledger entries contains each entry once', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  await shop.query(
    `insert into changes (event_id, object_id, kind, version, merchant_id, type, by, was, posted, created)
      select 'evt_' || lpad(to_hex(n), 32, '0'), object_id || n, kind, version, merchant_id, type, by, was, posted, created
      from changes, generate_series(1, 2300) n where merchant_id = $1 and posted is not null`,
    [shop.merchant_id],
  )
  const lines = (await shop.call('GET', '/ledger/export?format=jsonl')).text.trim().split('\n')
  const ids = lines.map(line => JSON.parse(line).entry_id)
  deepEqual([ids.length, new Set(ids).size, ids.toSorted().reverse().join() === ids.join()], [2301, 2301, true])
})

test('missing ledger entries and altered balances are found by the check, and repaired once', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 900 })
  await shop.refund(payment_id, 300)
  await shop.service.tick()
  await shop.query('update changes set posted = null where merchant_id = $1', [shop.merchant_id])
  await shop.query('update ledger_balances set debit = 7 where merchant_id = $1 and debit > 0', [shop.merchant_id])
  const faults = await prove(shop.service.context, shop.merchant_id)
  equal(faults.at(-1)!.object_id, payment_id)
  match(faults.at(-1)!.message, /payment: its entries are missing -900 in sales, 300 in refunds/)
  match(faults[0]!.message, /balance processor .* has 7 debited and 300 credited, but its entries sum up to 0 and 0/)
  equal(await mend(shop.service.context, shop.merchant_id), 1)
  await proven(shop)
  deepEqual(await balances(shop), { processor: 600, refunds: 300, sales: -900 })
  equal(await mend(shop.service.context, shop.merchant_id), 0)
  equal((await entries(shop)).length, 1)
  await shop.query(
    `update changes set posted = '{"profile_id":"p","currency":"USD","entries":{"processor":1}}' where merchant_id = $1 and posted is not null`,
    [shop.merchant_id],
  )
  match((await prove(shop.service.context, shop.merchant_id))[0]!.message, /entry evt_\w+ does not balance/)
})

test('balances that change during every recount are given up after 20 attempts, and reported by the check', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 900 })
  await shop.service.tick()
  const { context } = shop.service
  let counts = 0
  const spoil = () => shop.query('update ledger_balances set debit = debit + 7 where merchant_id = $1', [shop.merchant_id])
  const query: typeof context.query = async (asked, values) => {
    const rows = await context.query(asked, values)
    if (asked.name === 'ledger_recount') counts++
    if (asked.name === 'ledger_recount') await spoil()
    return rows as never
  }
  equal(await mend({ query, commit: context.commit, by: context.by }, shop.merchant_id), 0)
  equal(counts, 20)
  deepEqual(
    (await prove(context, shop.merchant_id)).map(({ message }) => message.split(' has ')[0]!.split(' ').slice(0, 2).join(' ')),
    ['balance processor', 'balance sales'],
  )
  equal(await mend(context, shop.merchant_id), 0)
  await proven(shop)
})
