import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPayoutShop, payOutBody } from '../../test/payout-shop.ts'
import { type Browser, entered, join, openOwner, PASSWORD, signIn } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Answer, type Body, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import type { Context } from '../context.ts'
import type { Role } from './roles.ts'

/** Money that one user alone cannot move. */

/** The write at which the process dies once, by an exception. */
const dies = { atMove: false, atAnswer: false }
function dying(name: keyof typeof dies, isHere: boolean): void {
  if (!isHere || !dies[name]) return
  dies[name] = false
  throw new Error('the process is gone')
}
const wrap = (context: Context): Context => ({
  ...context,
  commit(change) {
    dying('atMove', change.head === 'payments')
    return context.commit(change)
  },
  query(statement, values) {
    dying('atAnswer', statement.name === 'keep_answer')
    return context.query(statement, values)
  },
})

/** Opens a shop in which 10.00 USD and more require a second person, with users of these roles. */
async function openTeam(setting: Body = { above: { USD: 999 } }, second: Role = 'admin') {
  await openPlace({}, wrap)
  const shop = await openPayoutShop()
  const owner = await openOwner(shop)
  const other = await join(shop, owner, second)
  const answer = await owner.post('/approvals/settings', setting)
  equal(answer.status, 200, answer.text)
  return { shop, owner, other }
}

const refund = (who: Browser, payment: Body, more: Body = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  who.call('POST', '/refunds', { payment_id: payment.payment_id, ...more }, headers)

/** Requests a refund that waits for a second person. */
async function waiting(who: Browser, payment: Body, more: Body = {}, headers?: Record<string, string>): Promise<Body> {
  const answer = await refund(who, payment, more, headers)
  equal(answer.status, 202, answer.text)
  equal(answer.body.status, 'pending')
  return answer.body
}
const approve = (who: Browser, { approval_id }: Body, body: Body = {}): Promise<Answer> =>
  who.post(`/approvals/${approval_id}/approve`, body)
const see = async (who: Browser, { approval_id }: Body): Promise<Body> => (await who.get(`/approvals/${approval_id}`)).body
const refundsOf = async (shop: Shop, { payment_id }: Body): Promise<Body[]> => (await shop.get(payment_id)).refunds ?? []

test('a refund above the limit is sent once another user approves it, in the name of the user who requested it', async () => {
  const { shop, owner, other } = await openTeam()
  const payment = await shop.pay()
  const asked = await waiting(owner, payment, { reason: 'came back' }, { 'idempotency-key': 'refund-1' })
  deepEqual(
    [asked.operation, asked.object_id, asked.amount, asked.currency, asked.request.reason, asked.asked_by, asked.asked_by_name],
    ['createRefund', payment.payment_id, 1250, 'USD', 'came back', owner.user.user_id, 'Olga Owner'],
  )
  deepEqual(await refundsOf(shop, payment), [])
  deepEqual((await other.get('/approvals?status=pending')).body.data, [asked])
  const [need] = (await other.get('/attention')).body.data
  deepEqual([need.kind, need.object_id, need.amount, need.due], ['approval_waiting', asked.approval_id, 1250, asked.expires_at])

  const answer = await approve(other, asked, { reason: 'seen the chair' })
  equal(answer.status, 200, answer.text)
  deepEqual(
    [answer.body.status, answer.body.decided_by, answer.body.reason, answer.body.request],
    ['executed', other.user.user_id, 'seen the chair', null],
  )
  const [made, ...more] = await refundsOf(shop, payment)
  deepEqual([made.refund_id, made.amount, made.status, more], [answer.body.result_id, 1250, 'succeeded', []])
  deepEqual((await other.get('/attention')).body.data, [])

  const log = (await owner.get(`/audit?object_kind=approval&object_id=${asked.approval_id}`)).body.data
  deepEqual(log.map(({ type, by }: Body) => `${type} ${by}`).slice(-2), [
    `approved user ${other.user.user_id}`,
    `asked user ${owner.user.user_id}`,
  ])
  const sent = (await shop.events(payment.payment_id)).find(({ type }) => type === 'refund_sent')!
  equal(sent.by, `user ${owner.user.user_id}`)
  // The first person's own key gives the refund itself, and the approval can be requested again.
  const again = await refund(owner, payment, { reason: 'came back' }, { 'idempotency-key': 'refund-1' })
  deepEqual([again.status, again.body.refund_id], [200, made.refund_id])
  deepEqual((await approve(other, asked)).body, answer.body)
})

test('users cannot approve their own requests, neither in another session nor with a key of their own', async () => {
  const { shop, owner, other } = await openTeam()
  const asked = await waiting(owner, await shop.pay())
  isRefused(await approve(owner, asked), 403, 'IR_22', /another person/)
  isRefused(await approve(entered(shop, await signIn(shop, owner.user.email)), asked), 403, 'IR_22', /another person/)
  const { api_key } = (await owner.post(`/api_keys/${shop.merchant_id}`, { name: 'mine', expiration: 'never', password: PASSWORD })).body
  const byKey = await http('POST', `${shop.url}/approvals/${asked.approval_id}/approve`, {}, { 'api-key': api_key })
  isRefused(byKey, 403, 'IR_22', /a person who is signed in/)
  isRefused(await owner.post(`/approvals/${asked.approval_id}/reject`, {}), 403, 'IR_22', /another person/)
  isRefused(await approve(await join(shop, owner, 'viewer'), asked), 403, 'IR_22', /payments:write/)
  const outsider = await openOwner(await openShop())
  isRefused(await approve(outsider, asked), 404, 'HE_02')
  isRefused(await outsider.get(`/approvals/${asked.approval_id}`), 404, 'HE_02')
  equal((await see(other, asked)).status, 'pending')
})

test('below the limit no approval is needed, but partial refunds add up; a currency without a limit needs none', async () => {
  const { shop, owner } = await openTeam({ above: { USD: 999 } })
  const payment = await shop.pay()
  equal((await refund(owner, payment, { amount: 500 })).status, 200)
  equal((await refund(owner, payment, { amount: 399 })).status, 200)
  equal((await waiting(owner, payment, { amount: 101 })).amount, 101)
  await waiting(owner, await shop.pay({ currency: 'EUR' }), { amount: 100 })
  equal((await owner.post(`/payments/${(await shop.pay()).payment_id}/cancel_post_capture`, {})).status, 202)
})

test('concurrent partial refunds cannot exceed the approval limit together', async () => {
  const { shop, owner } = await openTeam({ above: { USD: 500 } })
  const payment = await shop.pay()
  // A payment that others change at the same time may be busy: nothing was done, and the request is repeated.
  const tryRefund = async (): Promise<Answer> => {
    const answer = await refund(owner, payment, { amount: 200 })
    return answer.body.error?.code === 'HE_00' ? tryRefund() : answer
  }
  const answers = await Promise.all(Array.from({ length: 6 }, tryRefund))
  deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 202, 202, 202, 202])
})

test('requests with an API key are never held for approval', async () => {
  const { shop } = await openTeam({ above: { USD: 0 } })
  const payment = await shop.pay()
  equal((await shop.refund(payment.payment_id)).status, 200)
})

test('a request that several users approve concurrently and repeatedly is executed once', async () => {
  const { shop, owner, other } = await openTeam()
  const third = await join(shop, owner, 'operator')
  const payment = await shop.pay()
  const asks = await Promise.all(Array.from({ length: 8 }, () => waiting(owner, payment, { amount: 1000 }, { 'idempotency-key': 'once' })))
  equal(new Set(asks.map(({ approval_id }) => approval_id)).size, 1)
  isRefused(await refund(owner, payment, { amount: 1001 }, { 'idempotency-key': 'once' }), 422, 'IR_06')
  const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => approve(i % 2 ? other : third, asks[0]!)))
  ok(answers.some(({ status }) => status === 200))
  while ((await shop.service.tick()) > 0);
  equal((await see(owner, asks[0]!)).status, 'executed')
  deepEqual(
    (await refundsOf(shop, payment)).map(({ amount }) => amount),
    [1000],
  )
})

test('if a process dies before or after the money moves, the approved refund is still made, exactly once', async () => {
  const { shop, owner, other } = await openTeam()
  for (const name of ['atMove', 'atAnswer'] as const) {
    const payment = await shop.pay()
    const asked = await waiting(owner, payment)
    dies[name] = true
    const answer = await approve(other, asked)
    deepEqual([answer.status, answer.body.status, dies[name]], [200, 'approved', false], name)
    await shop.wait('3 minutes')
    const over = await see(other, asked)
    equal(over.status, 'executed', name)
    deepEqual(
      (await refundsOf(shop, payment)).map(({ refund_id }) => refund_id),
      [over.result_id],
      name,
    )
  }
})

test('a request that has become impossible is refused at approval with the reason', async () => {
  const { shop, owner, other } = await openTeam()
  const payment = await shop.pay()
  const asked = await waiting(owner, payment)
  equal((await shop.refund(payment.payment_id, 500)).status, 200)
  const { body } = await approve(other, asked)
  deepEqual([body.status, body.error_code, body.result_id], ['refused', 'IR_13', null])
  match(body.error_message, /500 are refunded already/)
  equal((await refundsOf(shop, payment)).length, 1)
})

test('an approval is valid only for the amount that the second user saw', async () => {
  const { shop, owner, other } = await openTeam()
  const payment = await shop.hold({ capture_method: 'manual_multiple' })
  equal((await shop.capture(payment.payment_id, 1000)).status, 200)
  const asked = await waiting(owner, payment)
  equal(asked.amount, 1000)
  equal((await shop.capture(payment.payment_id, 250)).status, 200)
  const { body } = await approve(other, asked)
  deepEqual([body.status, body.error_code], ['refused', 'IR_16'])
  match(body.error_message, /for 1000, but the amount is now 1250/)
  deepEqual(await refundsOf(shop, payment), [])
})

test('a request whose author has lost the right in the meantime is not executed at approval', async () => {
  const { shop, owner, other } = await openTeam()
  const payment = await shop.pay()
  const asked = await waiting(other, payment)
  equal((await owner.post(`/user/${other.user.user_id}`, { role: 'viewer' })).status, 200)
  const { body } = await approve(owner, asked)
  deepEqual([body.status, body.error_code], ['refused', 'IR_22'])
  deepEqual(await refundsOf(shop, payment), [])
})

test('a rejected request sends nothing, and an undecided one expires', async () => {
  const { shop, owner, other } = await openTeam({ above: { USD: 0 }, expires_after: 3600 })
  const payment = await shop.pay()
  const [no, late] = [await waiting(owner, payment), await waiting(owner, payment)]
  const rejected = await other.post(`/approvals/${no.approval_id}/reject`, { reason: 'agreed on half' })
  deepEqual([rejected.body.status, rejected.body.reason, rejected.body.decided_by_name], ['rejected', 'agreed on half', 'Some admin'])
  isRefused(await approve(other, no), 400, 'IR_16', /rejected already/)
  await shop.wait('59 minutes')
  equal((await see(other, late)).status, 'pending')
  await shop.wait('2 minutes')
  deepEqual([(await see(other, late)).status, (await see(other, late)).request], ['expired', null])
  isRefused(await approve(other, late), 400, 'IR_16', /expired already/)
  deepEqual(await refundsOf(shop, payment), [])
  equal((await other.get('/approvals?limit=1')).body.has_more, true)
  deepEqual(
    (await other.get(`/approvals?starting_after=${late.approval_id}`)).body.data.map((one: Body) => one.approval_id),
    [no.approval_id],
  )
})

test('once approval limits are set, one user alone cannot change them', async () => {
  const { shop, owner, other } = await openTeam()
  const asked = await owner.post('/approvals/settings', {})
  deepEqual([asked.status, asked.body.operation, asked.body.object_kind], [202, 'updateSecondPerson', 'merchant'])
  deepEqual((await owner.get('/approvals/settings')).body, { above: { USD: 999 } })
  isRefused(await approve(await join(shop, owner, 'operator'), asked.body), 403, 'IR_22', /users:write/)
  equal((await approve(other, asked.body)).body.status, 'executed')
  deepEqual((await owner.get('/approvals/settings')).body, {})
  equal((await refund(owner, await shop.pay())).status, 200)
  isRefused(await owner.post('/approvals/settings', { above: { XXX: 1 } }), 400, 'IR_07', /XXX/)
  isRefused(await owner.post('/approvals/settings', { above: { USD: -1 } }), 400, 'IR_06')
  isRefused(await other.get('/approvals?more=1'), 400, 'IR_06')
  isRefused(await http('GET', `${shop.url}/approvals`), 401, 'IR_01')
})

test('an operator can refund and approve up to the operators’ own limit', async () => {
  const { shop, owner, other } = await openTeam({ operator_refunds_up_to: { USD: 500 }, above: { USD: 100 } }, 'operator')
  const payment = await shop.pay()
  isRefused(await refund(other, payment), 403, 'IR_22', /up to 500 USD/)
  await waiting(other, payment, { amount: 500 })
  isRefused(await approve(other, await waiting(owner, payment)), 403, 'IR_22', /up to 500 USD/)
})

const payout = async (who: { post(path: string, body: unknown): Promise<Answer> }, more: Body = {}): Promise<Answer> =>
  who.post('/payouts/create', payOutBody({ auto_fulfill: false, ...more }))
const fulfill = (who: Browser, { payout_id }: Body): Promise<Answer> => who.post(`/payouts/${payout_id}/fulfill`, { payout_id })

test('a payout above the limit is sent once another user approves it, unless it was cancelled in the meantime', async () => {
  const { shop, owner, other } = await openTeam({ above: { EUR: 5000 } })
  isRefused(await payout(owner, { auto_fulfill: true }), 403, 'IR_22', /auto_fulfill/)
  equal((await payout(owner, { auto_fulfill: true, amount: 5000 })).body.status, 'success')
  equal((await payout(shop, { auto_fulfill: true })).body.status, 'success', 'a machine is not held')
  const made = (await payout(owner)).body
  equal(made.status, 'requires_fulfillment')
  const asked = await fulfill(owner, made)
  equal(asked.status, 202, asked.text)
  equal((await approve(other, asked.body)).body.result_id, made.payout_id)
  equal((await owner.get(`/payouts/${made.payout_id}`)).body.status, 'success')

  const changed = (await payout(owner)).body
  const before = await fulfill(owner, changed)
  equal((await shop.cancelPayout(changed.payout_id)).status, 200)
  const { body } = await approve(other, before.body)
  equal(body.status, 'refused')
  match(body.error_message, /cancelled/)
  equal((await owner.get(`/payouts/${changed.payout_id}`)).body.status, 'cancelled')
})

test('the creator of a payout cannot fulfill it if the merchant forbids that', async () => {
  const { shop, owner, other } = await openTeam({ maker_may_not_fulfill: true })
  const made = (await payout(owner)).body
  const fulfillOf = async (who: Pick<Browser, 'get'>) =>
    ((await who.get(`/payouts/${made.payout_id}/actions`)).body as Body[]).find(one => one.action === 'fulfill')!
  deepEqual([(await fulfillOf(owner)).allowed, (await fulfillOf(owner)).code], [false, 'IR_22'])
  equal((await fulfillOf(other)).allowed, true)
  isRefused(await fulfill(owner, made), 403, 'IR_22', /another person/)
  isRefused(await payout(owner, { auto_fulfill: true }), 403, 'IR_22', /auto_fulfill/)
  equal((await fulfill(other, made)).body.status, 'success')
  const { api_key } = (await owner.post(`/api_keys/${shop.merchant_id}`, { name: 'mine', expiration: 'never', password: PASSWORD })).body
  const byKey = await payout({ post: (path, body) => http('POST', shop.url + path, body, { 'api-key': api_key }) })
  isRefused(await fulfill(owner, byKey.body), 403, 'IR_22', /another person/)
  equal((await fulfill(other, byKey.body)).body.status, 'success')
})

test('approval limits can also be set with the admin key, and are shown in the merchant account', async () => {
  const { shop, owner } = await openTeam()
  const admin = { 'api-key': ADMIN_KEY }
  const path = `${shop.url}/accounts/${shop.merchant_id}`
  equal((await http('POST', path, { second_person: { above: { USD: 5 } } }, admin)).status, 200)
  deepEqual((await owner.get(`/accounts/${shop.merchant_id}`)).body.second_person, { above: { USD: 5 } })
  isRefused(await http('POST', path, { second_person: { above: { XXX: 5 } } }, admin), 400, 'IR_07', /XXX/)
})
