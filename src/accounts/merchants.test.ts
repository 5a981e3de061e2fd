import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openPlace, openShop } from '../../test/shop.ts'

const admin = async (method: string, path: string, body?: Body) =>
  http(method, `${(await openPlace()).service.url}${path}`, body, { 'api-key': ADMIN_KEY })

test('a new merchant has a publishable key, a default profile, an organization and a payment response hash key', async () => {
  const { status, body } = await admin('POST', '/accounts', {
    merchant_id: 'teapots',
    merchant_name: 'Teapots Ltd',
    metadata: { since: '1847' },
  })
  equal(status, 200)
  deepEqual([body.merchant_id, body.merchant_name, body.metadata], ['teapots', 'Teapots Ltd', { since: '1847' }])
  match(body.publishable_key, /^pk_snd_[0-9a-f]{32}$/)
  match(body.organization_id, /^org_/)
  equal(body.product_type, 'orchestration')
  match(body.default_profile, /^pro_/)
  deepEqual([body.enable_payment_response_hash, body.payment_response_hash_key.length], [true, 64])
  deepEqual((await admin('GET', '/accounts/teapots')).body, body)
})

test('only one of several simultaneous requests with the same merchant_id creates the merchant', async () => {
  const ask = { merchant_id: 'saucers', publishable_key: 'pk_snd_mine' }
  const answers = await Promise.all([admin('POST', '/accounts', ask), admin('POST', '/accounts', ask), admin('POST', '/accounts', ask)])
  deepEqual(answers.map(answer => answer.status).sort(), [200, 400, 400])
  for (const answer of answers) if (answer.status !== 200) isRefused(answer, 400, 'HE_01', /saucers/)
  notEqual(answers.find(answer => answer.status === 200)!.body.publishable_key, 'pk_snd_mine', 'a publishable key is always ours')
})

test('an invalid merchant is refused with the name of the field', async () => {
  isRefused(await admin('POST', '/accounts', {}), 400, 'IR_04', /merchant_id/)
  isRefused(await admin('POST', '/accounts', { merchant_id: 'a b' }), 422, 'IR_05', /merchant_id/)
  isRefused(await admin('POST', '/accounts', { merchant_id: '@admin' }), 422, 'IR_05', /merchant_id/)
  isRefused(await admin('POST', '/accounts', { merchant_id: 'x'.repeat(65) }), 422, 'IR_06', /merchant_id/)
  isRefused(await admin('POST', '/accounts', { merchant_id: 'x', nickname: 'y' }), 400, 'IR_06', /nickname/)
  isRefused(await admin('POST', '/accounts', { merchant_id: 'x', return_url: 'nowhere' }), 400, 'IR_06', /return_url/)
  isRefused(await admin('POST', '/accounts', { merchant_id: 'list' }), 400, 'IR_07', /merchant_id/)
  isRefused(await admin('POST', '/accounts', { merchant_id: 'x', organization_id: 'org_x' }), 404, 'IR_37')
  isRefused(
    await admin('POST', '/accounts', { merchant_id: 'x', merchant_account_type: 'connected' }),
    422,
    'IR_06',
    /merchant_account_type/,
  )
  isRefused(await admin('POST', '/accounts', { merchant_id: 'x', sub_merchants_enabled: true }), 400, 'IR_16', /parent_merchant_id/)
  const orphan = { merchant_id: 'x', sub_merchants_enabled: true, parent_merchant_id: 'nobody' }
  isRefused(await admin('POST', '/accounts', orphan), 400, 'IR_07', /parent_merchant_id/)
  const unheard = { merchant_id: 'x', webhook_details: { payment_statuses_enabled: ['succeeded', 'requires_confirmation'] } }
  isRefused(await admin('POST', '/accounts', unheard), 422, 'IR_06', /payment_statuses_enabled\[1\]/)
  const twice = [
    { country: 'US', business: 'food' },
    { country: 'US', business: 'food' },
  ]
  isRefused(await admin('POST', '/accounts', { merchant_id: 'x', primary_business_details: twice }), 422, 'IR_06', /\[1\]/)
  isRefused(await admin('GET', '/accounts/x'), 404, 'HE_02')
})

test('two merchants with the same payment id each see only their own payment', async () => {
  const [one, two] = [await openShop(), await openShop()]
  const payment_id = `same_${'0'.repeat(25)}`
  await one.pay({ payment_id, amount: 100 })
  await two.pay({ payment_id, amount: 200 })
  deepEqual([(await one.get(payment_id)).amount, (await two.get(payment_id)).amount], [100, 200])
  equal((await one.refund(payment_id)).body.amount, 100)
  equal((await two.get(payment_id)).state_metadata, null)
})
