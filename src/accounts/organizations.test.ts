import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openPlace } from '../../test/shop.ts'

const admin = async (method: string, path: string, body?: Body) =>
  http(method, `${(await openPlace()).service.url}${path}`, body, { 'api-key': ADMIN_KEY })

test('an organization has a name and lists its merchants', async () => {
  const { body } = await admin('POST', '/organization', { organization_name: 'Kitchens', organization_details: { seat: 'Ghent' } })
  match(body.organization_id, /^org_[0-9A-Za-z]{20}$/)
  deepEqual([body.organization_name, body.organization_details, body.organization_type], ['Kitchens', { seat: 'Ghent' }, 'standard'])
  for (const merchant_id of ['kettles', 'ladles']) await admin('POST', '/accounts', { merchant_id, organization_id: body.organization_id })
  await admin('POST', '/accounts', { merchant_id: 'stranger' })
  const list = async () =>
    (await admin('GET', `/accounts/list?organization_id=${body.organization_id}`)).body.map((one: Body) => one.merchant_id)
  deepEqual(await list(), ['kettles', 'ladles'])
  await admin('DELETE', '/accounts/ladles')
  deepEqual(await list(), ['kettles'])
})

test('a merchant created without an organization gets an organization of its own', async () => {
  const { organization_id } = (await admin('POST', '/accounts', { merchant_id: 'whisks' })).body
  const { status, body } = await admin('GET', `/organization/${organization_id}`)
  deepEqual([status, body.organization_name], [200, null])
  const renamed = (await admin('PUT', `/organization/${organization_id}`, { organization_name: 'Whisks', metadata: { a: 1 } })).body
  deepEqual([renamed.organization_name, renamed.metadata, renamed.created_at], ['Whisks', { a: 1 }, body.created_at])
})

test('an invalid organization is refused with the name of the field, and an unknown one is not found', async () => {
  isRefused(await admin('POST', '/organization', {}), 400, 'IR_04', /organization_name/)
  isRefused(await admin('POST', '/organization', { organization_name: 'x'.repeat(256) }), 422, 'IR_06', /organization_name/)
  isRefused(await admin('POST', '/organization', { organization_name: 'x', organization_id: 'mine' }), 400, 'IR_06', /organization_id/)
  isRefused(await admin('POST', '/organization', { organization_name: 'x', metadata: { a: 'x'.repeat(501) } }), 422, 'IR_06', /metadata/)
  isRefused(await admin('GET', '/organization/org_x'), 404, 'IR_37')
  isRefused(await admin('PUT', '/organization/org_x', { organization_name: 'x' }), 404, 'IR_37')
  isRefused(await admin('PUT', '/organization/org_x', { name: 'x' }), 400, 'IR_06', /name/)
  isRefused(await admin('GET', '/accounts/list?organization_id=org_x'), 404, 'IR_37')
  isRefused(await admin('GET', '/accounts/list'), 400, 'IR_04', /organization_id/)
  equal((await admin('GET', '/accounts/list')).status, 400, 'the list goes before the id')
})

test('the kv setting of a merchant is stored and returned', async () => {
  await admin('POST', '/accounts', { merchant_id: 'sieves' })
  deepEqual((await admin('GET', '/accounts/sieves/kv')).body, { merchant_id: 'sieves', kv_enabled: false })
  deepEqual((await admin('POST', '/accounts/sieves/kv', { kv_enabled: true })).body, { merchant_id: 'sieves', kv_enabled: true })
  deepEqual((await admin('GET', '/accounts/sieves/kv')).body.kv_enabled, true)
  isRefused(await admin('POST', '/accounts/sieves/kv', {}), 400, 'IR_04', /kv_enabled/)
})

test('an organization of type platform has one platform account, and all its other accounts are connected to it', async () => {
  const { body } = await admin('POST', '/organization', { organization_name: 'Mall', organization_type: 'platform' })
  const { organization_id } = body
  equal(body.organization_type, 'platform')
  const make = (merchant_id: string, merchant_account_type?: string, of: string = organization_id) =>
    admin('POST', '/accounts', { merchant_id, organization_id: of, merchant_account_type })
  isRefused(await make('stall_0'), 422, 'IR_06', /merchant_account_type/)
  isRefused(await make('stall_0', 'standard'), 422, 'IR_06', /merchant_account_type/)
  // Both requests are made at once: the database accepts one of them.
  const both = await Promise.all([make('mall_a', 'platform'), make('mall_b', 'platform')])
  deepEqual(both.map(one => one.status).sort(), [200, 422])
  const { merchant_id: platform, merchant_account_type } = both.find(one => one.status === 200)!.body
  equal(merchant_account_type, 'platform')
  deepEqual(
    [(await make('stall_1')).body.merchant_account_type, (await make('stall_2', 'connected')).body.merchant_account_type],
    ['connected', 'connected'],
  )
  isRefused(await make('mall_c', 'platform'), 422, 'IR_06', /merchant_account_type/)
  const { organization_id: standard } = (await admin('POST', '/organization', { organization_name: 'Kitchens' })).body
  for (const type of ['platform', 'connected']) isRefused(await make('ladle', type, standard), 422, 'IR_06', /merchant_account_type/)
  isRefused(await admin('POST', '/accounts', { merchant_id: 'ladle', merchant_account_type: 'connected' }), 422, 'IR_06')
  const named = (platform_merchant_id: string) => admin('PUT', `/organization/${organization_id}`, { platform_merchant_id })
  deepEqual([(await named(platform)).status, (await named(platform)).body.organization_type], [200, 'platform'])
  isRefused(await named('stall_1'), 400, 'IR_07', /platform_merchant_id/)
  // Even deleted, the account remains the platform of its connected accounts: no other account can become their
  // platform.
  equal((await admin('DELETE', `/accounts/${platform}`)).status, 200)
  isRefused(await make('mall_d', 'platform'), 422, 'IR_06', /merchant_account_type/)
})
