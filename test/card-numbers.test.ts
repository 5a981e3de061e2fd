import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, test } from 'node:test'
import { passesLuhn } from '../src/base/card-number.ts'
import type { Context } from '../src/context.ts'
import { isRefused } from './refused.ts'
import { ADMIN_KEY, type Answer, type Body, card, cards, http, openPlace, openShop, type Shop } from './shop.ts'

/**
 * Card numbers in fields where none belongs: they reach no row, no log and no answer, and the refusal names the field
 * without quoting its value.
 */

const PLAIN = '4539578763621486'
const spellings = [
  PLAIN,
  '4539 5787 6362 1486',
  '4539-5787-6362-1486',
  '4539.5787.6362.1486',
  '4539/5787/6362/1486',
  '4539_5787_6362_1486',
  PLAIN.split('').join('\u200b'),
  `card ${PLAIN} 12/30`,
  `a_${PLAIN}`,
]

const hidden = (answer: Answer, number = PLAIN): void => {
  const digits = (answer.text + JSON.stringify(answer.headers)).replace(/[\s._/\u200b-]/g, '')
  ok(!digits.includes(number), answer.text)
}

/** Verifies that no row of any table and no line of the log contains the number, in any grouping. */
async function nowhere(shop: Shop, number = PLAIN): Promise<void> {
  const tables = await shop.query(
    "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  ok(tables.length > 8)
  for (const { table_name } of tables)
    for (const { row } of await shop.query(`select t::text as row from ${table_name} t`))
      ok(!row.replace(/[\s._/\u200b-]/g, '').includes(number), `${table_name}: ${row}`)
  for (const line of (await openPlace()).logs) ok(!line.replace(/[\s._/\u200b-]/g, '').includes(number), line)
}

const ECHOED = '5425233430109903'
/** Imitates a processor that repeats a card number in every text of its answer. */
let echoes = false
const echoing = (context: Context): Context => ({
  ...context,
  async send(request, sender) {
    const reply = await context.send(request, sender)
    if (!echoes || reply.is !== 'reply') return reply
    const body = JSON.parse(reply.body)
    if (!('reference' in body)) return reply
    const echo = { reference: ECHOED, authorization_code: ECHOED, network_transaction_id: '5425.2334.3010.9903', arn: `x_${ECHOED}` }
    return { ...reply, body: JSON.stringify({ ...body, ...echo }) }
  },
})

/** Imitates a processor whose payment ids are numbers of sixteen digits, which look like card numbers by chance. */
const numbered = new Map<string, string>()
let numbers = false
function numberOf(id: string): string {
  const begun = `45395787${String(numbered.size).padStart(7, '0')}`
  const digit = [...'0123456789'].find(last => passesLuhn(begun + last))
  const number = numbered.get(id) ?? begun + digit
  numbered.set(id, number)
  return number
}
const numbering = (context: Context): Context => ({
  ...context,
  async send(request, sender) {
    if (!numbers) return context.send(request, sender)
    const meant = (text: string) => [...numbered].reduce((now, [id, number]) => now.replaceAll(number, id), text)
    const reply = await context.send({ ...request, url: meant(request.url) }, sender)
    return reply.is === 'reply' ? { ...reply, body: reply.body.replace(/auth_\w+/g, numberOf) } : reply
  },
})

before(() => openPlace({}, context => numbering(echoing(context))))

test('a card number in any text field of a payment is refused, and the error names the field', async () => {
  const shop = await openShop()
  const withCard = (more: Body) => ({ payment_method_data: { card: { ...card().card, ...more } } })
  for (const pan of spellings) {
    const places: [Body, RegExp][] = [
      [withCard({ card_holder_name: pan }), /(?:^|: )payment_method_data\.card\.card_holder_name looks like /],
      [withCard({ nick_name: pan }), /(?:^|: )payment_method_data\.card\.nick_name looks like /],
      [withCard({ card_cvc: pan }), /(?:^|: )payment_method_data\.card\.card_cvc looks like /],
      [{ description: pan }, /(?:^|: )description looks like /],
      [{ customer_id: pan }, /(?:^|: )customer_id looks like /],
      [{ merchant_order_reference_id: pan }, /(?:^|: )merchant_order_reference_id looks like /],
      [{ metadata: { note: pan } }, /(?:^|: )metadata\.note looks like /],
      [{ metadata: { [pan]: 1 } }, /(?:^|: )a member name of metadata looks like /],
      [{ metadata: { notes: [{ deep: pan }] } }, /(?:^|: )metadata\.notes\[0\]\.deep looks like /],
      [{ connector_metadata: { card: { card_number: pan } } }, /(?:^|: )connector_metadata\.card\.card_number looks like /],
      [{ billing: { address: { line1: pan } } }, /(?:^|: )billing\.address\.line1 looks like /],
      [{ order_details: [{ product_name: pan, quantity: 1, amount: 1 }] }, /(?:^|: )order_details\[0\]\.product_name looks like /],
      [{ [pan]: 'x' }, /(?:^|: )a member name looks like /],
      [{ payment_method_data: { [pan]: {} } }, /(?:^|: )a member name of payment_method_data looks like /],
    ]
    for (const [more, names] of places) {
      const answer = await shop.tryToPay({ ...shop.payBody(), ...more })
      isRefused(answer, 400, 'IR_06', names)
      hidden(answer)
    }
  }
  const asNumber = await shop.tryToPay({ metadata: { note: Number(PLAIN) } })
  isRefused(asNumber, 400, 'IR_06', /(?:^|: )metadata\.note looks like /)
  hidden(asNumber)
  equal((await shop.processor.operations()).length, 0)
  await nowhere(shop)
})

test('a card number in any other request body is refused, and the error names the field', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold()
  const asks: [string, Body][] = [
    [`/payments/${payment_id}/confirm`, { description: PLAIN }],
    [`/payments/${payment_id}/capture`, { statement_descriptor_suffix: PLAIN }],
    [`/payments/${payment_id}/capture`, { stranger: PLAIN }],
    [`/payments/${payment_id}/cancel`, { cancellation_reason: PLAIN }],
    ['/refunds', { payment_id, reason: PLAIN }],
    [`/account/${shop.merchant_id}/connectors`, { connector_label: PLAIN }],
  ]
  for (const [path, body] of asks) {
    const answer = await shop.post(path, body)
    isRefused(answer, 400, 'IR_06', new RegExp(`(?:^|: )${Object.keys(body).at(-1)} looks like `))
    hidden(answer)
  }
  for (const [path, body] of [
    ['/accounts', { merchant_id: PLAIN }],
    [`/api_keys/${shop.merchant_id}`, { name: PLAIN, expiration: 'never' }],
  ] as const) {
    const answer = await http('POST', shop.url + path, body, { 'api-key': ADMIN_KEY })
    isRefused(answer, 400, 'IR_06', new RegExp(`(?:^|: )${Object.keys(body)[0]} looks like `))
    hidden(answer)
  }
  await nowhere(shop)
})

test('a card number in a URL, a query or a header is not quoted, stored or logged', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  const answers = [
    await shop.call('GET', `/nowhere/${PLAIN}`),
    await shop.call('GET', '/nowhere/4539%205787%206362%201486'),
    await shop.call('GET', `/payments/${PLAIN}`),
    await shop.call('DELETE', `/payments/${PLAIN}`),
    await http(
      'POST',
      `${shop.url}/api_keys/${PLAIN}`,
      { name: 'k', expiration: 'never' },
      { 'api-key': ADMIN_KEY, 'idempotency-key': 'a' },
    ),
    await shop.call('GET', `/payments/${payment_id}?${PLAIN}=1`),
    await shop.call('GET', `/payments/${payment_id}?client_secret=${PLAIN}`),
    await shop.call('GET', `/events?object_id=${PLAIN}`),
    await shop.post('/payments', `{"amount": ${PLAIN}, "card": "${PLAIN}" ${PLAIN}}`),
    await shop.call('GET', `/payments/${payment_id}`, undefined, { 'x-profile-id': PLAIN }),
    await shop.call('GET', `/payments/${payment_id}`, undefined, { 'api-key': PLAIN }),
  ]
  for (const answer of answers) {
    ok(answer.status >= 400, answer.text)
    hidden(answer)
  }
  const named = await shop.call('GET', `/payments/${payment_id}`, undefined, { 'x-request-id': PLAIN })
  hidden(named)
  match(String(named.headers['x-request-id']), /^[0-9a-f]{8}-/, 'a name of ours instead')
  await nowhere(shop)
})

test('an Idempotency-Key that looks like a card number works, and is stored as a digest', async () => {
  const shop = await openShop()
  const pay = () => shop.tryToPay({}, { 'idempotency-key': PLAIN })
  const [first, second] = [await pay(), await pay()]
  equal(second.text, first.text)
  equal(second.headers['idempotent-replayed'], 'true')
  notEqual((await shop.tryToPay({}, { 'idempotency-key': '4539578763621487' })).body.payment_id, first.body.payment_id)
  equal((await shop.processor.charges()).length, 2)
  await nowhere(shop)
})

test('an order number that looks like a card number is accepted with a letter before it; other numbers as they are', async () => {
  const shop = await openShop()
  for (const merchant_order_reference_id of [`o${PLAIN}`, '1000000000000008', '4539578763621487', '0190d1a2-4539-7876-8362-148612345678'])
    equal(
      (await shop.pay({ merchant_order_reference_id, metadata: { ean: '5901234123457', phone: '+6281234567890' } })).status,
      'succeeded',
    )
})

test('a card number that a processor echoes is never stored, shown or logged, and the payment continues', async () => {
  const shop = await openShop({ connector: 'bridge' })
  echoes = true
  // While the service holds the card number, an answer that contains it is not valid; in a later query, the answer is
  // understood.
  const begun = await shop.tryToPay({ card: ECHOED, capture_method: 'manual' })
  hidden(begun, ECHOED)
  const held = await shop.sync(begun.body.payment_id)
  equal(held.status, 'requires_capture', JSON.stringify(held))
  const answers = [
    await shop.call('GET', `/payments/${held.payment_id}?force_sync=true`),
    await shop.capture(held.payment_id),
    await shop.refund(held.payment_id, 500),
  ]
  for (const answer of answers) {
    equal(answer.status, 200, answer.text)
    hidden(answer, ECHOED)
  }
  equal((await shop.sync(held.payment_id)).status, 'succeeded')
  equal(answers[2]!.body.status, 'succeeded')
  // Two payments under one such id remain two.
  const [one, two] = [await shop.pay({ card: ECHOED }), await shop.pay({ card: ECHOED })]
  deepEqual([(await shop.sync(one.payment_id)).status, (await shop.sync(two.payment_id)).status], ['succeeded', 'succeeded'])
  await nowhere(shop, ECHOED)
  echoes = false
})

test('a processor reference that looks like a card number is kept, and works for captures, refunds and status queries', async () => {
  const shop = await openShop()
  numbers = true
  const [held, lost] = [await shop.hold(), await shop.pay({ card: cards.chargesAndResets })]
  match(held.connector_transaction_id, /^45395787\d{8}$/)
  const { body } = await shop.capture(held.payment_id, 1000)
  deepEqual([body.status, body.connector_transaction_id], ['partially_captured', held.connector_transaction_id])
  equal((await shop.refund(held.payment_id, 500)).body.status, 'succeeded')
  await shop.wait('10 seconds')
  const found = await shop.sync(lost.payment_id)
  deepEqual([found.status, /^45395787\d{8}$/.test(found.connector_transaction_id)], ['succeeded', true])
  equal((await shop.refund(lost.payment_id)).body.status, 'succeeded')
  numbers = false
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.refunded]),
    [
      [1000, 500],
      [1250, 1250],
    ],
  )
})

const signedBy = (secret: string, body: string) => {
  const t = Math.floor(Date.now() / 1000)
  return { 'bridge-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}` }
}

test('a webhook that echoes a card number finds its payment, and the card number is not stored or logged', async () => {
  const shop = await openShop({ connector: 'bridge' })
  echoes = true
  const { payment_id } = await shop.pay({ card: ECHOED })
  echoes = false
  const { merchant_id, merchant_connector_id, webhook_secret } = shop
  const [operation] = await shop.query('select request_id from processor_operations where merchant_id = $1', [merchant_id])
  const update = {
    version: 1,
    operation: {
      request_id: operation!.request_id,
      type: 'authorize',
      status: 'approved',
      captured: 1250,
      held: 0,
      authorization_code: ECHOED,
      reference: ECHOED,
      amount: 1250,
      currency: 'USD',
    },
  }
  for (const request_id of [operation!.request_id, 'of_nobody']) {
    const body = JSON.stringify({ ...update, operation: { ...update.operation, request_id } })
    const answer = await http('POST', `${shop.url}/webhooks/${merchant_id}/${merchant_connector_id}`, body, signedBy(webhook_secret, body))
    equal(answer.status, 200, answer.text)
  }
  equal((await shop.get(payment_id)).status, 'succeeded')
  await nowhere(shop, ECHOED)
})
