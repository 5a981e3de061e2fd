import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { openPayoutShop, payOutBody, recipients } from '../../test/payout-shop.ts'
import { openReceiver } from '../../test/receiver.ts'
import { type Body, cards, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { DatabaseAway } from '../database/connection.ts'

/** The data of a customer who is deleted are erased from the customer's payments as well. */

const personal = ['Hopper', 'grace@example.com', '2025550143', 'Harbour', 'ZQ-2220', 'Netscape', '203.0.113.77', 'Amazing', 'Murray']

const grace = {
  customer_id: 'cus_grace',
  email: 'grace@example.com',
  name: 'Grace Hopper',
  phone: '2025550143',
  phone_country_code: '+1',
  billing: {
    address: { first_name: 'Grace', last_name: 'Hopper', line1: '12 Harbour Street', zip: 'ZQ-2220', country: 'US' },
    phone: { number: '2025550143', country_code: '+1' },
    email: 'grace@example.com',
  },
  shipping: { address: { first_name: 'Grace', last_name: 'Murray', line1: '12 Harbour Street', country: 'CA' } },
  browser_info: { user_agent: 'Netscape', ip_address: '203.0.113.77', language: 'en' },
  customer_acceptance: {
    acceptance_type: 'online',
    accepted_at: '2026-01-01T00:00:00Z',
    online: { ip_address: '203.0.113.77', user_agent: 'Netscape' },
  },
  metadata: { order: '1048' },
}
const herCard = (number: string = cards.approves) => ({
  card: {
    card_number: number,
    card_exp_month: '12',
    card_exp_year: '2040',
    card_cvc: '737',
    card_holder_name: 'Grace Hopper',
    nick_name: 'Amazing',
  },
  billing: { address: { last_name: 'Hopper', country: 'US' }, email: 'grace@example.com' },
})

/** The statements at which the database is away once, and those at which the process dies. */
const away = new Set<string>()
const deadly = new Map<string, { met: () => void; buried: Promise<never> }>()

before(async () => {
  await openPlace({}, context => ({
    ...context,
    query(statement, values) {
      if (away.delete(statement.name)) return Promise.reject(new DatabaseAway('it went'))
      const death = deadly.get(statement.name)
      deadly.delete(statement.name)
      death?.met()
      return death?.buried ?? context.query(statement, values)
    },
  }))
})

/** Gives the rows of every table that contain one of these words, each row as one text. */
async function find(shop: Shop, texts: readonly string[]): Promise<string[]> {
  const tables = (await shop.query(
    `select table_name as name, bool_or(column_name = 'merchant_id') as theirs from information_schema.columns where table_schema = 'public' group by 1`,
  )) as { name: string; theirs: boolean }[]
  ok(tables.length > 20)
  const found: string[] = []
  for (const { name, theirs: owned } of tables) {
    const where = owned ? 'where t.merchant_id = $1' : 'where $1::text is not null'
    for (const { row } of (await shop.query(`select t::text as row from ${name} t ${where}`, [shop.merchant_id])) as { row: string }[])
      for (const word of texts) if (row.toLowerCase().includes(word.toLowerCase())) found.push(`${name}: ${word}`)
  }
  return [...new Set(found)].sort()
}

const forget = async (shop: Shop): Promise<void> => {
  equal((await shop.call('DELETE', '/customers/cus_grace')).status, 200)
  await shop.wait('1 minute')
}

test('deleting a customer erases the personal data from all tables: payments, history, idempotency keys, events, vault', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  equal((await shop.post('/webhook_endpoints', { url: receiver.url })).status, 200)
  const pay = (more: Body, key: string) => shop.post('/payments', shop.payBody({ ...grace, ...more }), { 'idempotency-key': key })
  const paid = (await pay({ payment_method_data: herCard() }, 'paid')).body
  equal((await shop.refund(paid.payment_id, 100)).status, 200)
  const held = (await pay({ payment_method_data: herCard(), capture_method: 'manual' }, 'held')).body
  const declined = (await pay({ payment_method_data: herCard(cards.declines) }, 'declined')).body
  const unconfirmed = (await pay({ payment_method_data: herCard(), confirm: false }, 'unconfirmed')).body
  const later = (await pay({ payment_method_data: undefined, payment_method: undefined, confirm: false, billing: undefined }, 'later')).body
  const confirmed = await http(
    'POST',
    `${shop.url}/payments/${later.payment_id}/confirm`,
    { client_secret: later.client_secret, payment_method: 'card', payment_method_data: herCard(), billing: grace.billing },
    { 'api-key': shop.publishable_key },
  )
  equal(confirmed.body.status, 'succeeded', confirmed.text)
  equal(
    (
      await shop.post('/payment_methods', {
        payment_method: 'card',
        customer_id: 'cus_grace',
        card: herCard().card,
        billing: grace.billing,
      })
    ).status,
    200,
  )
  await shop.wait('1 minute')
  ok((await find(shop, personal)).length >= 9, 'while she is there, they do')
  ok(receiver.received.length > 0)

  await forget(shop)
  deepEqual(await find(shop, personal), [])
  const kept = await shop.query(`select record from vault_records where merchant_id = $1 and record not like 'customer%'`, [
    shop.merchant_id,
  ])
  deepEqual(kept, [], 'no number is kept either')
  deepEqual(await shop.query('select 1 from waiting_cvcs where merchant_id = $1', [shop.merchant_id]), [])

  const now = await shop.get(paid.payment_id)
  deepEqual(
    [
      now.status,
      now.amount,
      now.customer_id,
      now.name,
      now.email,
      now.billing.address.line1,
      now.billing.address.country,
      now.browser_info,
    ],
    ['succeeded', 1250, 'cus_grace', 'Redacted', 'Redacted', 'Redacted', 'US', null],
  )
  const { card } = now.payment_method_data
  deepEqual([card.card_holder_name, card.nick_name, card.last4, now.metadata], ['Redacted', 'Redacted', '4242', { order: '1048' }])

  // The payments continue.
  equal((await shop.capture(held.payment_id)).body.status, 'succeeded')
  equal((await shop.refund(paid.payment_id, 200)).status, 200)
  equal((await shop.get(declined.payment_id)).status, 'failed')
  equal((await shop.confirm(unconfirmed.payment_id)).body.error.code, 'IR_06', 'its card is gone')

  // A repeated key gives the payment as it is now, without the erased data.
  const again = await pay({ payment_method_data: herCard() }, 'paid')
  deepEqual([again.status, again.body.payment_id, again.body.name], [200, paid.payment_id, 'Redacted'])
  const events = await shop.events(paid.payment_id)
  match(JSON.stringify(events), /payment_succeeded/)
  ok(!personal.some(word => JSON.stringify(events).includes(word)))
  deepEqual(await find(shop, personal), [])
})

test('repeated idempotency keys of payouts and saved cards return no erased data, and the request log keeps no user agent', async () => {
  const shop = await openPayoutShop()
  const { customer_id, name, email, phone, billing } = grace
  const to = { bank: { ...recipients.bank().bank, account_holder_name: 'Grace Hopper' } }
  const payOut = () =>
    shop.post('/payouts/create', payOutBody({ customer_id, name, email, phone, billing, to }), { 'idempotency-key': 'out' })
  const method = { payment_method: 'card', customer_id, card: herCard().card, billing }
  const save = () => shop.post('/payment_methods', method, { 'idempotency-key': 'saved' })
  const paidOut = (await payOut()).body
  equal(paidOut.name, 'Grace Hopper')
  equal((await save()).status, 200)
  const payment = await shop.create({ ...grace, payment_method_data: undefined, payment_method: undefined })
  const body = { client_secret: payment.client_secret, payment_method: 'card', payment_method_data: herCard() }
  const headers = { 'api-key': shop.publishable_key, 'user-agent': 'Netscape' }
  equal((await http('POST', `${shop.url}/payments/${payment.payment_id}/confirm`, body, headers)).body.status, 'succeeded')
  await shop.wait('1 minute')
  ok((await find(shop, ['Netscape'])).includes('request_logs: Netscape'))
  await forget(shop)
  await shop.wait('2 minutes')
  deepEqual(await find(shop, personal), [])
  const again = await payOut()
  deepEqual([again.status, again.body.payout_id, again.body.status, again.body.name], [200, paidOut.payout_id, 'success', 'Redacted'])
  ok(!personal.some(word => again.text.includes(word)), again.text)
  const anew = await save()
  ok(anew.status >= 400 && !personal.some(word => anew.text.includes(word)), anew.text)
  deepEqual(await find(shop, personal), [])
})

test('a database failure after the commit of a customer deletion leaves no ephemeral key and no stored response', async () => {
  const shop = await openShop()
  const made = async () => {
    equal((await shop.post('/customers', { customer_id: 'cus_grace', name: 'Grace Hopper' }, { 'idempotency-key': 'made' })).status, 200)
    equal((await shop.post('/ephemeral_keys', { customer_id: 'cus_grace' })).status, 200)
  }
  await made()
  away.add('forget_tokens_of_customer')
  await forget(shop)
  equal(away.size, 0)
  deepEqual(await shop.query('select 1 from ephemeral_keys where merchant_id = $1', [shop.merchant_id]), [])
  deepEqual(
    await shop.query('select 1 from idempotency_keys where merchant_id = $1 and answer is not null and head_id = $2', [
      shop.merchant_id,
      'cus_grace',
    ]),
    [],
  )
  const again = await shop.post('/customers', { customer_id: 'cus_grace', name: 'Grace Hopper' }, { 'idempotency-key': 'made' })
  ok(!again.text.includes('Hopper'), again.text)
})

test('the scheduler completes a customer deletion whose process crashed after the commit', async () => {
  const shop = await openShop()
  const made = { customer_id: 'cus_grace', name: 'Grace Hopper' }
  equal((await shop.post('/customers', made, { 'idempotency-key': 'made' })).status, 200)
  equal((await shop.post('/ephemeral_keys', { customer_id: 'cus_grace' })).status, 200)
  const save = { payment_method: 'card', customer_id: 'cus_grace', card: herCard().card }
  equal((await shop.post('/payment_methods', save)).status, 200)
  equal((await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods.length, 1)
  const { payment_id } = await shop.pay({ ...grace, payment_method_data: herCard() })
  const standsForHer = () =>
    shop.query(
      `select 'token' as left_over from payment_tokens where merchant_id = $1 union all select 'key' from ephemeral_keys where merchant_id = $1
        union all select 'answer' from idempotency_keys where merchant_id = $1 and answer is not null and head_id = 'cus_grace'`,
      [shop.merchant_id],
    )
  const dying = Promise.withResolvers<void>()
  const buried = Promise.withResolvers<never>()
  deadly.set('forget_tokens_of_customer', { met: dying.resolve, buried: buried.promise })
  const dead = shop.call('DELETE', '/customers/cus_grace')
  await dying.promise
  equal((await standsForHer()).length, 3, 'nothing of it is done yet')
  await shop.wait('1 minute')
  deepEqual(await standsForHer(), [])
  deepEqual(await find(shop, personal), [])
  equal((await shop.get(payment_id)).name, 'Redacted')
  buried.reject(new DatabaseAway('it died'))
  await dead
})

test('a payment in progress is not disturbed by a customer deletion: its data is erased once the processor has responded', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ ...grace, payment_method_data: herCard(cards.approvesLater) })
  await shop.call('DELETE', '/customers/cus_grace')
  await shop.service.tick()
  ok((await find(shop, ['Hopper'])).includes('payments: Hopper'))
  await shop.wait('1 hour')
  equal((await shop.get(payment_id)).status, 'succeeded')
  await shop.wait('2 minutes')
  deepEqual(await find(shop, personal), [])
})

test('other customers and guest payments are not affected by the deletion of a customer', async () => {
  const shop = await openShop()
  const hers = await shop.pay({ ...grace, payment_method_data: herCard() })
  const others = await shop.pay({ ...grace, customer_id: 'cus_ada', payment_method_data: herCard() })
  const guests = await shop.pay({ ...grace, customer_id: undefined, payment_method_data: herCard() })
  await forget(shop)
  deepEqual(
    [(await shop.get(hers.payment_id)).name, (await shop.get(others.payment_id)).name, (await shop.get(guests.payment_id)).name],
    ['Redacted', 'Grace Hopper', 'Grace Hopper'],
  )
})
