import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { Agent, createServer } from 'node:http'
import https from 'node:https'
import { after, test } from 'node:test'
import { createMollieClient, type MollieClient, PaymentMethod, SequenceType } from '@mollie/api-client'
import { openShop, openTestSandbox } from '../test-shop.ts'

/**
 * Mollie's dialect as its own client library finds it: it pays, captures, releases, refunds, lists and charges by
 * mandate.
 */

const { url } = await openTestSandbox()
const SECRET = 'a webhook secret'

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
const address = `http://127.0.0.1:${(postbox.address() as { port: number }).port}/`

function openClient(key = `sandbox_${randomUUID()}`) {
  // The library speaks TLS only: it makes its agent as it is opened, and gets one that speaks none.
  const { Agent: secure } = https
  Object.assign(https, { Agent })
  const client = createMollieClient({ apiKey: key, apiEndpoint: `${url}/mollie/` })
  Object.assign(https, { Agent: secure })
  return { client, sandbox: openShop(url, { key }) }
}
type Ask = Parameters<MollieClient['payments']['create']>[0]
const usual: Ask = { amount: { currency: 'EUR', value: '12.50' }, description: 'Chairs', redirectUrl: 'https://shop.example/back' }
const amount = (value: string, currency = 'EUR') => ({ value, currency })

/** The shopper goes to the page and decides there. */
async function decide(page: string | undefined, decision: 'accept' | 'reject') {
  const answer = await fetch(`${page}/${decision}`, { method: 'POST', redirect: 'manual' })
  equal(answer.status, 302)
}

test('the Mollie client library pays by iDEAL, and finds the payment by its id and in the list', async () => {
  const { client } = openClient()
  const open = await client.payments.create({ ...usual, method: PaymentMethod.ideal, metadata: { request_id: 'order-1' } })
  deepEqual([open.status, open.amount, open.metadata], ['open', amount('12.50'), { request_id: 'order-1' }])
  match(open.id, /^tr_\w+$/)
  await decide(open._links.checkout?.href, 'accept')
  equal((await client.payments.get(open.id)).status, 'paid')
  const other = await client.payments.create({ ...usual, method: PaymentMethod.eps })
  const page = await client.payments.page({ limit: 1 })
  deepEqual([page.map(({ id }) => id), page.nextPageCursor], [[other.id], open.id])
  await rejects(openClient('sk_invalid').client.payments.page(), { statusCode: 401 })
  await rejects(client.payments.get('tr_unknown'), { statusCode: 404 })
})

test('a payment that the shopper rejects is cancelled; one that the shopper abandons expires', async () => {
  const { client, sandbox } = openClient()
  const rejected = await client.payments.create({ ...usual, method: PaymentMethod.paypal })
  await decide(rejected._links.checkout?.href, 'reject')
  equal((await client.payments.get(rejected.id)).status, 'canceled')
  const left = await client.payments.create({ ...usual, method: PaymentMethod.ideal })
  await sandbox.advance(16 * 60)
  equal((await client.payments.get(left.id)).status, 'expired')
  equal((await sandbox.charges()).length, 0)
})

test('test amounts of card payments select the failure', async () => {
  const { client } = openClient()
  const open = await client.payments.create({ ...usual, amount: amount('1007.00'), method: PaymentMethod.creditcard })
  await decide(open._links.checkout?.href, 'accept')
  const { status, details } = await client.payments.get(open.id)
  deepEqual([status, (details as { failureReason?: string }).failureReason], ['failed', 'insufficient_funds'])
})

test('an idempotency key returns the same payment for one hour', async () => {
  const { client, sandbox } = openClient()
  const idempotencyKey = randomUUID()
  const first = await client.payments.create({ ...usual, method: PaymentMethod.ideal, idempotencyKey })
  equal((await client.payments.create({ ...usual, method: PaymentMethod.ideal, idempotencyKey })).id, first.id)
  await sandbox.advance(3600)
  equal((await client.payments.create({ ...usual, method: PaymentMethod.ideal, idempotencyKey })).id === first.id, false)
})

test('an authorization is captured in part, and the rest is released', async () => {
  const { client } = openClient()
  const hold = await client.payments.create({ ...usual, method: PaymentMethod.creditcard, captureMode: 'manual' as never })
  await decide(hold._links.checkout?.href, 'accept')
  const held = await client.payments.get(hold.id)
  deepEqual([held.status, held.amountCaptured], ['authorized', amount('0.00')])
  const part = await client.paymentCaptures.create({ paymentId: hold.id, amount: amount('5.00') })
  deepEqual([(part as unknown as { status: string }).status, part.amount], ['succeeded', amount('5.00')])
  equal((await client.paymentCaptures.get(part.id, { paymentId: hold.id })).id, part.id)
  await client.payments.releaseAuthorization(hold.id)
  const after_ = await client.payments.get(hold.id)
  deepEqual([after_.status, after_.amountCaptured], ['paid', amount('5.00')])
  await rejects(client.payments.releaseAuthorization(hold.id), { statusCode: 422 })
})

test('a refund is pending for days before it is refunded', async () => {
  const { client, sandbox } = openClient()
  const open = await client.payments.create({ ...usual, method: PaymentMethod.ideal })
  await decide(open._links.checkout?.href, 'accept')
  const refund = await client.paymentRefunds.create({ paymentId: open.id, amount: amount('5.00'), description: 'damaged' })
  equal(refund.status, 'pending')
  await sandbox.advance(2 * 24 * 3600)
  equal((await client.paymentRefunds.get(refund.id, { paymentId: open.id })).status, 'refunded')
  await rejects(client.paymentRefunds.create({ paymentId: open.id, amount: amount('7.51') }), { statusCode: 422 })
})

test('a first payment creates a mandate to charge the customer again; an unknown mandate is refused', async () => {
  const { client, sandbox } = openClient()
  const customer = await client.customers.create({ name: 'Ada Byron', email: 'ada@example.com' })
  const first = await client.payments.create({
    ...usual,
    method: PaymentMethod.creditcard,
    sequenceType: SequenceType.first,
    customerId: customer.id,
  })
  equal(first.mandateId, undefined)
  await decide(first._links.checkout?.href, 'accept')
  const { mandateId } = await client.payments.get(first.id)
  match(mandateId ?? '', /^mdt_\w+$/)
  const again = { amount: usual.amount, description: 'again', sequenceType: SequenceType.recurring, customerId: customer.id }
  equal((await client.payments.create({ ...again, mandateId: mandateId! })).status, 'paid')
  await rejects(client.payments.create({ ...again, mandateId: 'mdt_unknown' }), { statusCode: 422, field: 'mandateId' })
  equal((await sandbox.charges()).length, 2)
})

test('a direct debit is charged with its mandate, and is pending for days before it is paid', async () => {
  const { client, sandbox } = openClient()
  const customer = await client.customers.create({ name: 'Ada Byron' })
  const mandate = await client.customerMandates.create({
    customerId: customer.id,
    method: PaymentMethod.directdebit as never,
    consumerName: 'Ada Byron',
    consumerAccount: 'NL55INGB0000000000',
  })
  equal(mandate.status, 'valid')
  const debit = await client.payments.create({
    amount: usual.amount,
    description: 'March',
    sequenceType: SequenceType.recurring,
    customerId: customer.id,
    mandateId: mandate.id,
  })
  equal(debit.status, 'pending')
  await sandbox.advance(2 * 24 * 3600)
  equal((await client.payments.get(debit.id)).status, 'paid')
})

test('unknown fields at any depth and invalid amounts are refused, and nothing is paid', async () => {
  const { client, sandbox } = openClient()
  const create = (more: object) => client.payments.create({ ...usual, method: PaymentMethod.ideal, ...more } as Ask)
  for (const more of [
    { bogus: 1 },
    { amount: { ...amount('12.50'), bogus: 1 } },
    { amount: amount('12.5') },
    { amount: amount('12.50', 'JPY') },
    { billingAddress: { email: 'ada@example.com', bogus: 1 } },
    { captureMode: 'manual' },
    { method: 'giropay' },
    { method: 'klarna' },
  ])
    await rejects(create(more), { statusCode: 422 }, JSON.stringify(more))
  deepEqual(await sandbox.charges(), [])
})

test('a payment with a webhookUrl gets an unsigned webhook with only its id; other webhooks are signed events', async () => {
  const { client, sandbox } = openClient()
  await sandbox.settings({ webhook_url: address, webhook_secret: SECRET })
  const named = await client.payments.create({ ...usual, method: PaymentMethod.ideal, webhookUrl: address })
  await decide(named._links.checkout?.href, 'accept')
  await sandbox.advance(0)
  const { headers, text } = letters.at(-1)!
  deepEqual([headers['content-type'], text], ['application/x-www-form-urlencoded', `id=${named.id}`])
  equal(headers['x-mollie-signature'], undefined)
  const other = await client.payments.create({ ...usual, method: PaymentMethod.ideal })
  await decide(other._links.checkout?.href, 'accept')
  await sandbox.advance(0)
  const event = letters.at(-1)!
  equal(event.headers['x-mollie-signature'], `sha256=${createHmac('sha256', SECRET).update(event.text).digest('hex')}`)
  const { resource, type, entityId } = JSON.parse(event.text)
  deepEqual([resource, type, entityId], ['event', 'payment.paid', other.id])
})

/** Makes a hold that the shopper has approved. */
async function held({ client }: ReturnType<typeof openClient>) {
  const hold = await client.payments.create({ ...usual, method: PaymentMethod.creditcard, captureMode: 'manual' as never })
  await decide(hold._links.checkout?.href, 'accept')
  return hold.id
}

test('money moved in the dashboard is in the payment, without metadata, and in the lists', async () => {
  const opened = openClient()
  const { client, sandbox } = opened
  const id = await held(opened)
  await sandbox.move(id, 'capture', { amount: 500 })
  await sandbox.move(id, 'void')
  await sandbox.move(id, 'refund', { amount: 200, reason: 'damaged' })
  await sandbox.move(id, 'dispute', { amount: 300 })
  const got = await client.payments.get(id, { embed: ['captures', 'refunds', 'chargebacks'] as never })
  deepEqual([got.status, got.amountCaptured, got.amountRemaining], ['paid', amount('5.00'), amount('3.00')])
  const { captures, refunds, chargebacks } = (got as unknown as { _embedded: Record<string, Record<string, unknown>[]> })._embedded
  deepEqual(
    [captures, refunds, chargebacks].map(list => list!.map(one => [one.amount, one.metadata ?? null])),
    [[[amount('5.00'), null]], [[amount('2.00'), null]], [[amount('3.00'), null]]],
  )
  equal(refunds![0]!.description, 'damaged')
  const other = await client.payments.create({ ...usual, method: PaymentMethod.ideal })
  await decide(other._links.checkout?.href, 'accept')
  await sandbox.move(other.id, 'refund')
  const listed = await client.refunds.page({ limit: 1 })
  deepEqual([listed.map(one => one.paymentId), listed.nextPageCursor], [[other.id], refunds![0]!.id])
  deepEqual(
    (await client.chargebacks.page()).map(one => one.paymentId),
    [id],
  )
})

test('what the dashboard has captured, released or refunded already is refused; a duplicate refund is a conflict for an hour', async () => {
  const opened = openClient()
  const { client, sandbox } = opened
  const id = await held(opened)
  await sandbox.move(id, 'capture')
  await rejects(client.payments.releaseAuthorization(id), { statusCode: 422 })
  await rejects(client.paymentCaptures.create({ paymentId: id, amount: amount('1.00') }), { statusCode: 422 })
  await sandbox.move(id, 'refund', { amount: 200 })
  const refund = (value: string) => client.paymentRefunds.create({ paymentId: id, amount: amount(value) })
  await rejects(refund('10.51'), { statusCode: 422, field: 'amount.value', message: 'The specified amount cannot be refunded' })
  await rejects(refund('2.00'), { statusCode: 409, message: 'A duplicate refund has been detected' })
  await sandbox.advance(3600)
  equal((await refund('2.00')).status, 'pending')
  const released = await held(opened)
  await sandbox.move(released, 'void')
  equal((await client.payments.get(released)).status, 'canceled')
  await rejects(client.paymentCaptures.create({ paymentId: released, amount: amount('1.00') }), { statusCode: 422 })
})
