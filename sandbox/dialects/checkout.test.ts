import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Checkout } from 'checkout-sdk-node'
import { openShop, openTestSandbox } from '../test-shop.ts'

/** Checkout.com's dialect as its own client library finds it: it pays, captures, voids, refunds and looks up. */

const { url } = await openTestSandbox()
const SECRET = 'a signature key'

type Letter = { headers: Record<string, string | string[] | undefined>; text: string }
const letters: Letter[] = []
const postbox = createServer(async (asked, answer) => {
  let text = ''
  for await (const chunk of asked) text += chunk
  letters.push({ headers: asked.headers, text })
  answer.writeHead(200).end()
})
await new Promise<void>(resolve => postbox.listen(0, '127.0.0.1', resolve))
after(() => postbox.close())

// biome-ignore lint/suspicious/noExplicitAny: the library says nothing of its answers
type Reply = any
/** As its documentation says it: keys are optional. */
type Payments = {
  request(body: object, key?: string): Promise<Reply>
  get(id: string): Promise<Reply>
  getPaymentList(query: object): Promise<Reply>
  getActions(id: string): Promise<Reply>
} & Record<'capture' | 'void' | 'refund' | 'increment', (id: string, body: object) => Promise<Reply>>

type Disputes = {
  get(query: object): Promise<Reply>
  provideEvidence(id: string, body: object): Promise<Reply>
} & Record<'getDetails' | 'accept' | 'getEvidence' | 'submit', (id: string) => Promise<Reply>>
type Files = { upload(body: object): Promise<Reply>; getFile(id: string): Promise<Reply> }

function openClient(key = `sandbox_${randomUUID()}`) {
  // The library speaks to Checkout.com only, and knows its keys by their looks: where it goes and by which key is ours.
  const client = new Checkout(`sk_sbox_${'a'.repeat(26)}`, { environment: 'sandbox', subdomain: 'abcdefgh' })
  Object.assign(client.config, { host: `${url}/checkout`, sk: `Bearer ${key}` })
  const { payments, disputes, files } = client as unknown as { payments: Payments; disputes: Disputes; files: Files }
  return { payments, disputes, files, sandbox: openShop(url, { key }) }
}
const pay = (payments: Payments, more: object = {}, card: object = {}, key?: string): Promise<Reply> =>
  payments.request(
    {
      source: { type: 'card', number: '4242424242424242', expiry_month: 3, expiry_year: 2090, cvv: '100', ...card },
      amount: 1250,
      currency: 'USD',
      reference: `order-${randomUUID()}`,
      processing_channel_id: 'pc_sandbox',
      ...more,
    },
    key,
  )

test('the Checkout.com client library pays, and finds the payment by its id and its reference', async () => {
  const { payments } = openClient()
  const paid = await pay(payments, { reference: 'order-1' })
  deepEqual([paid.status, paid.approved, paid.response_code, paid.amount], ['Authorized', true, '10000', 1250])
  match(paid.id, /^pay_\w+$/)
  equal((await payments.get(paid.id)).status, 'Captured')
  const found = await payments.getPaymentList({ reference: 'order-1' })
  deepEqual([found.total_count, found.data[0].id], [1, paid.id])
  equal((await payments.getPaymentList({ reference: 'order-2' })).total_count, 0)
  await rejects(openClient('sk_invalid').payments.getPaymentList({ reference: 'order-1' }), { http_code: 401 })
  await rejects(payments.get('pay_unknown'), { http_code: 404 })
})

test('an idempotency key returns the same payment; the key of a refused request can be used again', async () => {
  const { payments, sandbox } = openClient()
  await rejects(pay(payments, {}, { number: '4242424242424241' }, 'key-1'), { http_code: 422 })
  const paid = await pay(payments, {}, {}, 'key-1')
  equal((await pay(payments, {}, {}, 'key-1')).id, paid.id)
  equal((await sandbox.charges()).length, 1)
})

test('an authorization is captured in part and the rest voided; each is listed as an action of the payment', async () => {
  const { payments } = openClient()
  const hold = await pay(payments, { capture: false })
  const first = await payments.capture(hold.id, { amount: 500, capture_type: 'NonFinal', reference: 'part-1' })
  match(first.action_id, /^act_\w+$/)
  const half = await payments.get(hold.id)
  deepEqual([half.status, half.balances.total_captured, half.balances.available_to_capture], ['Partially Captured', 500, 750])
  await payments.void(hold.id, { reference: 'rest' })
  await rejects(payments.capture(hold.id, { amount: 100 }), { http_code: 403 })
  await payments.refund(hold.id, { amount: 200, reference: 'back' })
  const actions = (await payments.getActions(hold.id)) as Reply[]
  deepEqual(actions.map(({ type, reference, approved }) => [type, reference, approved]).slice(0, 3), [
    ['Refund', 'back', true],
    ['Void', 'rest', true],
    ['Capture', 'part-1', true],
  ])
})

test('an estimated authorization is incremented, and its actions list each amount', async () => {
  const { payments, sandbox } = openClient()
  const hold = await pay(payments, { capture: false, authorization_type: 'Estimated', reference: 'hold' })
  const raised = await payments.increment(hold.id, { amount: 500, reference: 'more' })
  deepEqual([raised.status, raised.approved, raised.amount, raised.balances.total_authorized], ['Authorized', true, 500, 1750])
  await payments.increment(hold.id, { amount: 250, reference: 'again' })
  await sandbox.fault('increment', 'decline')
  equal((await payments.increment(hold.id, { amount: 100, reference: 'no' })).status, 'Declined')
  const actions = (await payments.getActions(hold.id)) as Reply[]
  deepEqual(
    actions.map(({ type, reference, amount, approved }) => [type, reference, amount, approved]),
    [
      ['Authorization', 'no', 100, false],
      ['Authorization', 'again', 250, true],
      ['Authorization', 'more', 500, true],
      ['Authorization', 'hold', 1250, true],
    ],
  )
  equal((await payments.get(hold.id)).balances.total_authorized, 2000)
  const final = await pay(payments, { capture: false })
  await rejects(payments.increment(final.id, { amount: 500 }), { http_code: 403 })
  for (const wrong of [{ amount: 0 }, {}, { amount: 5, bogus: 1 }]) await rejects(payments.increment(hold.id, wrong), { http_code: 422 })
})

test('a stored card can be charged again by its source id; an unknown source id is refused', async () => {
  const { payments } = openClient()
  const first = await pay(payments, { payment_type: 'Unscheduled' }, { store_for_future_use: true })
  const { id } = first.source
  const again = { source: { type: 'id', id }, merchant_initiated: true, payment_type: 'Unscheduled', previous_payment_id: first.id }
  equal((await pay(payments, again)).approved, true)
  await rejects(pay(payments, { ...again, source: { type: 'id', id: 'src_unknown' } }), { http_code: 422 })
})

test('a field that the API does not have is refused at any depth, and nothing is paid', async () => {
  const { payments, sandbox } = openClient()
  for (const [more, card] of [
    [{ bogus: true }, {}],
    [{ '3ds': { enabled: true, bogus: 1 } }, {}],
    [{ customer: { bogus: 1 } }, {}],
    [{}, { bogus: 1 }],
    [{}, { billing_address: { street: 'x' } }],
  ])
    await rejects(pay(payments, more, card), { http_code: 422 })
  deepEqual(await sandbox.charges(), [])
})

test('the last digits of a USD amount select the response code', async () => {
  const { payments } = openClient()
  for (const [amount, code] of [
    [1205, '20005'],
    [1251, '20051'],
    [1254, '30033'],
  ])
    deepEqual(
      [(await pay(payments, { amount })).response_code, (await pay(payments, { amount, currency: 'JPY' })).response_code],
      [code, '10000'],
    )
})

test('webhooks are signed over their raw body', async () => {
  const { payments, sandbox } = openClient()
  const { port } = postbox.address() as { port: number }
  await sandbox.settings({ webhook_url: `http://127.0.0.1:${port}/`, webhook_secret: SECRET })
  const paid = await pay(payments)
  await sandbox.advance(0)
  const { headers, text } = letters.at(-1)!
  equal(headers['cko-signature'], createHmac('sha256', SECRET).update(text).digest('hex'))
  const { type, data } = JSON.parse(text)
  deepEqual([type, data.id], ['payment_approved', paid.id])
})

test('a dispute is answered with an uploaded file and won; after submission it can be neither submitted again nor accepted', async () => {
  const { payments, disputes, files, sandbox } = openClient()
  const paid = await pay(payments)
  const raise = () => sandbox.call('POST', `/control/payments/${paid.id}/dispute`, { amount: 800 })
  await raise()
  const { total_count, data } = await disputes.get({ payment_id: paid.id })
  const { id } = data[0]
  const details = await disputes.getDetails(id)
  deepEqual([total_count, details.status, details.amount, details.payment.id], [1, 'evidence_required', 800, paid.id])
  match(id, /^dsp_\w{22}$/)
  const path = join(tmpdir(), `${randomUUID()}.pdf`)
  await writeFile(path, '%PDF-1.7')
  const { id: file } = await files.upload({ file: createReadStream(path), purpose: 'dispute_evidence' })
  equal((await files.getFile(file)).size, 8)
  await rejects(disputes.submit(id), { http_code: 422 })
  for (const wrong of [{}, { bogus: 'x' }, { invoice_or_receipt_file: 'file_unknown' }, { additional_evidence_text: 'x'.repeat(501) }])
    await rejects(disputes.provideEvidence(id, wrong), { http_code: 422 })
  await disputes.provideEvidence(id, { invoice_or_receipt_file: file, additional_evidence_text: 'winning_evidence' })
  equal((await disputes.getDetails(id)).status, 'evidence_required', 'it is only attached')
  deepEqual(await disputes.getEvidence(id), { invoice_or_receipt_file: file, additional_evidence_text: 'winning_evidence' })
  await disputes.submit(id)
  equal((await disputes.getDetails(id)).status, 'won')
  await rejects(disputes.submit(id), { http_code: 403 })
  await rejects(disputes.accept(id), { http_code: 403 })
  await rejects(disputes.getDetails('dsp_unknown'), { http_code: 404 })
  await rejects(openClient('sk_invalid').disputes.getDetails(id), { http_code: 401 })
})

test('a dispute can be accepted only once', async () => {
  const { payments, disputes, sandbox } = openClient()
  const paid = await pay(payments)
  await sandbox.call('POST', `/control/payments/${paid.id}/dispute`, {})
  const { id } = (await disputes.get({ payment_id: paid.id })).data[0]
  await disputes.accept(id)
  equal((await disputes.getDetails(id)).status, 'accepted')
  await rejects(disputes.accept(id), { http_code: 403 })
})

test('a payout to a card or a bank account is pending, is found by its id and its reference, and cannot be refunded', async () => {
  const { payments, sandbox } = openClient()
  const account_holder = { type: 'individual', first_name: 'Ada', last_name: 'Byron' }
  const payOut = (destination: object, more: object = {}, key?: string): Promise<Reply> =>
    payments.request(
      {
        source: { type: 'currency_account', id: 'ca_sandbox' },
        ...{ destination: { account_holder, ...destination }, amount: 1250, currency: 'EUR', reference: 'payout-1' },
        ...{ billing_descriptor: { reference: 'March' }, processing_channel_id: 'pc_sandbox' },
        ...more,
      },
      key,
    )
  const card = { type: 'card', number: '4242424242424242', expiry_month: 12, expiry_year: 2040 }
  const received = await payOut(card, { instruction: { funds_transfer_type: 'FD' } }, 'key-1')
  deepEqual([received.status, received.reference], ['Pending', 'payout-1'])
  equal((await payOut(card, { instruction: { funds_transfer_type: 'FD' } }, 'key-1')).id, received.id)
  const paid = await payments.get(received.id)
  deepEqual([paid.status, paid.amount, paid.destination.type], ['Paid', 1250, 'card'])
  equal((await payments.getPaymentList({ reference: 'payout-1' })).data[0].id, received.id)
  await rejects(payments.refund(received.id, {}), { http_code: 403 })
  const bank = { type: 'bank_account', iban: 'DE89370400440532013000', country: 'DE' }
  equal((await payOut(bank, { instruction: { purpose: 'March', scheme: 'instant' } })).status, 'Pending')
  for (const [destination, more] of [
    [{ ...card, number: '4242424242424241' }, {}],
    [{ ...card, account_holder: { type: 'individual', first_name: 'Ada' } }, {}],
    [{ ...bank, country: undefined }, {}],
    [card, { source: { type: 'currency_account', id: 'x' } }],
    [card, { billing_descriptor: {} }],
    [card, { instruction: { bogus: 1 } }],
    [bank, { instruction: { scheme: 'pigeon' } }],
    [card, { amount: 0 }],
  ] as const)
    await rejects(payOut(destination, more), { http_code: 422 })
  equal((await sandbox.call('GET', '/control/ledger')).json.payouts.length, 2)
})

test('a SEPA debit needs both address lines, is pending for days, and can be returned by the bank', async () => {
  const { payments, sandbox } = openClient()
  const address = { address_line1: '1 Way', address_line2: 'Top', city: 'Here', zip: '12345', country: 'DE' }
  const source = (billing_address: object) => ({
    ...{ type: 'sepa', country: 'DE', account_number: 'DE37370400440532010259', currency: 'EUR', mandate_id: 'mine' },
    ...{ date_of_signature: '2026-03-01', account_holder: { first_name: 'Ada', last_name: 'Byron', billing_address } },
  })
  const draw = (billing: object): Promise<Reply> =>
    payments.request({
      source: source(billing),
      ...{ amount: 1250, currency: 'EUR', reference: `order-${randomUUID()}`, processing_channel_id: 'pc_sandbox' },
    })
  await rejects(draw({ ...address, address_line2: undefined }))
  await rejects(draw({ ...address, address_line2: 'more than ten' }))
  const begun = await draw(address)
  deepEqual([begun.status, begun.source.type], ['Pending', 'sepa'])
  await sandbox.advance(6 * 86_400)
  equal((await payments.get(begun.id)).status, 'Captured')
  deepEqual(
    (await payments.getActions(begun.id)).map(({ type, amount }: Reply) => [type, amount]),
    [
      ['Return', 1250],
      ['Capture', 1250],
      ['Authorization', 1250],
    ],
  )
})

test('money moved in the dashboard is in the balances and actions, without a reference, and webhooks show the balances of then', async () => {
  const { payments, sandbox } = openClient()
  const { port } = postbox.address() as { port: number }
  await sandbox.settings({ webhook_url: `http://127.0.0.1:${port}/`, webhook_secret: SECRET })
  const hold = await pay(payments, { capture: false, reference: 'hold-1' })
  await sandbox.move(hold.id, 'capture', { amount: 1000, final: true })
  await sandbox.move(hold.id, 'refund', { amount: 300 })
  const { status, balances } = await payments.get(hold.id)
  equal(status, 'Partially Refunded')
  deepEqual([balances.total_captured, balances.available_to_capture, balances.total_refunded], [1000, 0, 300])
  const actions = (await payments.getActions(hold.id)) as Reply[]
  deepEqual(
    actions.map(({ type, reference, amount }) => [type, reference, amount]),
    [
      ['Refund', undefined, 300],
      ['Capture', undefined, 1000],
      ['Authorization', 'hold-1', 1250],
    ],
  )
  const told = letters.map(({ text }) => JSON.parse(text)).filter(({ data }) => data.id === hold.id && data.balances)
  deepEqual(
    told.map(({ type, data }) => [
      type,
      data.reference,
      data.action_id,
      data.amount,
      data.balances.total_captured,
      data.balances.total_refunded,
    ]),
    [
      ['payment_captured', undefined, actions[1].id, 1000, 1000, 0],
      ['payment_refunded', undefined, actions[0].id, 300, 1000, 300],
    ],
  )
  const other = await pay(payments, { capture: false })
  await sandbox.move(other.id, 'void')
  equal((await payments.get(other.id)).status, 'Voided')
  await rejects(payments.capture(other.id, { amount: 1250 }), { http_code: 403 })
  await rejects(payments.refund(hold.id, { amount: 701 }), { http_code: 403 })
})

test('disputes are listed by their last change, the latest first, with the reference of their payment', async () => {
  const { payments, disputes, sandbox } = openClient()
  const paid = await pay(payments, { reference: 'order-a' })
  const other = await pay(payments, { reference: 'order-b' })
  for (const { id } of [paid, other]) {
    await sandbox.move(id, 'dispute')
    await sandbox.advance(3600)
  }
  const all = (await disputes.get({ limit: 250 })).data as Reply[]
  deepEqual(
    all.map(one => [one.payment_id, one.payment_reference, one.status, one.payment]),
    [
      [other.id, 'order-b', 'evidence_required', undefined],
      [paid.id, 'order-a', 'evidence_required', undefined],
    ],
  )
  await disputes.accept(all[1].id)
  const first = (query: object) => disputes.get(query).then(({ data }) => data.map((one: Reply) => one.payment_reference))
  deepEqual(await first({ limit: 1 }), ['order-a'], 'the last changed')
  deepEqual(await first({ limit: 1, skip: 1 }), ['order-b'])
  deepEqual(await first({ from: encodeURIComponent(all[0].last_update) }), ['order-a', 'order-b'])
  deepEqual(await first({ to: encodeURIComponent(all[0].last_update) }), ['order-b'])
  deepEqual(await first({ payment_id: paid.id }), ['order-a'])
  for (const wrong of [{ limit: 251 }, { limit: 0 }, { from: 'yesterday' }]) await rejects(disputes.get(wrong), { http_code: 422 })
})
