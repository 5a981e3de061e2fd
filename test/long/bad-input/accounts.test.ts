import { equal } from 'node:assert/strict'
import test from 'node:test'
import type { TSchema } from 'typebox'
import { selfMade } from '../../certificate.ts'
import { type Body, openShop } from '../../shop.ts'
import { isUnharmed } from './afterwards.ts'
import { adminClient, attacks, count, judgeUnknownMember, rowsOf, shapeOf, unknownMember, unknownMembers } from './attacks.ts'
import { at, bodyWith, type Field } from './fields.ts'
import { type Hostile, hostileFor } from './hostile.ts'
import { each, faultOfAnswer, judge, openApiClient, openComplaints, same } from './knock.ts'

/**
 * Bad input in every field of the bodies that create merchants, API keys and connector accounts, and payments over
 * accounts with bad settings.
 */

/** Members that answers show masked. */
const hidden = new Set([
  'connector_account_details',
  'connector_webhook_details',
  'connector_wallets_details',
  'additional_merchant_data',
  'network_tokenization_credentials',
])
/** Apple Pay settings for web pages that are valid, so that nothing but the attacked field is wrong. */
const { certificate, key: certificate_keys } = selfMade('merchant.example.chairs')
const apple = {
  payment_request_data: { label: 'Chairs', supported_networks: ['visa'], merchant_capabilities: ['supports3DS'] },
  session_token_data: {
    ...{ merchant_identifier: 'merchant.example.chairs', initiative: 'web', initiative_context: 'chairs.example' },
    ...{ certificate, certificate_keys },
  },
}
const ofWallets: Record<string, object> = { apple_pay: { apple_pay: apple }, apple_pay_combined: { apple_pay_combined: { manual: apple } } }

/**
 * Gives a value without its null members: an enabled payment method is shown with every member, null if the request
 * did not contain it.
 */
const withoutNulls = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value), (_name, member) => (member === null ? undefined : member))

test('creating a merchant: a hostile value in any field is shown as it was sent, or refused by name', async t => {
  const shop = await openShop()
  const knock = adminClient(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createMerchantAccount')
  const list = [...attacks(shape, 1), ...unknownMembers(shape).map(field => ({ field, hostile: unknownMember }))]
  const before = Number((await shop.query('select count(*) from merchants'))[0].count)
  let created = 0
  await each(list, async ({ field, hostile }, i) => {
    const answer = await knock('POST', '/accounts', bodyWith(shape, { merchant_id: `m_${i}` }, field.path, hostile.raw))
    if (answer.status === 200) created++
    if (field.path.at(-1) === 'stranger') return judgeUnknownMember(complaints, field, answer)
    const verdict = judge(complaints, field, hostile, answer)
    if (verdict.is !== 'accepted') return
    const seen = (await knock('GET', `/accounts/${answer.body.merchant_id}`)).body
    if (!same(seen, answer.body)) complaints.about(field.path, hostile, answer, 'is shown otherwise a moment later')
    // Contract 6.2: a publishable key is always ours; a member that is absent here has a default.
    if (field.path[0] === 'publishable_key' || hidden.has(String(field.path[0])) || verdict.sent === undefined) return
    if (!same(at(seen, field.path), verdict.sent))
      complaints.about(field.path, hostile, answer, `is shown as ${JSON.stringify(at(seen, field.path))?.slice(0, 120)}`)
  })
  count(t, list.length, created)
  complaints.none()
  equal(Number((await shop.query('select count(*) from merchants'))[0].count) - before, created, 'a refused merchant leaves no row')
})

test('creating an API key: a hostile value in any field is stored as it was sent, or refused by name; an expiration keeps its time', async t => {
  const shop = await openShop()
  const knock = adminClient(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createApiKey')
  const list = [...attacks(shape, 1), ...unknownMembers(shape).map(field => ({ field, hostile: unknownMember }))]
  let created = 0
  await each(list, async ({ field, hostile }) => {
    const answer = await knock(
      'POST',
      `/api_keys/${shop.merchant_id}`,
      bodyWith(shape, { name: 'a', expiration: 'never' }, field.path, hostile.raw),
    )
    if (answer.status === 200) created++
    if (field.path.at(-1) === 'stranger') return judgeUnknownMember(complaints, field, answer)
    const verdict = judge(complaints, field, hostile, answer)
    if (verdict.is !== 'accepted') return
    const [kept] = await shop.query('select name, description, scopes, expires_at from api_keys where key_id = $1', [answer.body.key_id])
    const { path } = field
    // The proofs of a person's presence are asked of people only; they are neither stored nor shown.
    if (['password', 'passkey'].includes(String(path[0]))) {
      if (JSON.stringify(answer.body).includes(`"${path[0]}"`)) complaints.about(path, hostile, answer, 'is shown')
      return
    }
    if (path[0] !== 'expiration') {
      if (!same(at(kept, path), verdict.sent) || !same(at(answer.body, path), verdict.sent))
        complaints.about(path, hostile, answer, `is kept as ${at(kept, path)}`)
      return
    }
    // Times are stored to the millisecond.
    const moment = verdict.sent === 'never' ? null : Date.parse((verdict.sent as string).replace(/(\.\d{3})\d+/, '$1'))
    const shown = answer.body.expiration === 'never' ? null : Date.parse(answer.body.expiration)
    if (shown !== moment || (kept.expires_at?.getTime() ?? null) !== moment)
      complaints.about(field.path, hostile, answer, `is kept as ${answer.body.expiration}`)
  })
  count(t, list.length, created)
  complaints.none()
  equal(await rowsOf(shop, 'api_keys'), created + 1, 'a refused key leaves no row')
})

const shown = (path: Field['path'], body: Body): unknown =>
  path[0] === 'payment_methods_enabled' ? withoutNulls(at(body, path)) : at(body, path)

test('adding a connector account: a hostile value in any field is shown as it was sent, or refused by name', async t => {
  const shop = await openShop()
  const knock = adminClient(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createConnectorAccount')
  const PER_MERCHANT = 20
  const members = ['auth_type', 'api_key', 'stranger'].map(
    (name): Field => ({ path: ['connector_account_details', name], schema: { type: 'string' } as TSchema, holder: null }),
  )
  const baseUrl: Field = { path: ['metadata', 'base_url'], schema: { type: 'string', format: 'uri' } as TSchema, holder: null }
  const list = [
    ...attacks(shape),
    ...[...members, baseUrl].flatMap(field => hostileFor(field, true).map(hostile => ({ field, hostile }))),
    ...unknownMembers(shape).map(field => ({ field, hostile: unknownMember })),
  ]
  const merchants = new Map<string, Promise<string>>()
  const merchantFor = (field: Field, i: number): Promise<string> => {
    // Labels must differ within a profile.
    const name = field.path[0] === 'connector_label' ? `c_${i}` : `c_x${Math.floor(i / PER_MERCHANT)}`
    if (!merchants.has(name))
      merchants.set(
        name,
        knock('POST', '/accounts', JSON.stringify({ merchant_id: name })).then(() => name),
      )
    return merchants.get(name)!
  }
  const added = new Map<string, { field: Field; hostile: Hostile; sent: unknown; merchant_id: string }>()
  await each(list, async ({ field, hostile }, i) => {
    const merchant_id = await merchantFor(field, i)
    const host = {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      // With any connector, the credentials may be set later.
      connector_account_details:
        field.path[0] === 'connector_name' ? { auth_type: 'TemporaryAuth' } : { auth_type: 'HeaderKey', api_key: 'sandbox_nobody' },
      connector_label: `label ${i}`,
      disabled: ['status', 'connector_name'].includes(String(field.path[0])),
      ...(ofWallets[field.path[1] ?? ''] && { connector_wallets_details: structuredClone(ofWallets[field.path[1]!]) }),
    }
    const answer = await knock('POST', `/account/${merchant_id}/connectors`, bodyWith(shape, host, field.path, hostile.raw))
    if (field.path.at(-1) === 'stranger' && field.path.length !== 2) return judgeUnknownMember(complaints, field, answer)
    const verdict = judge(complaints, field, hostile, answer)
    if (verdict.is !== 'accepted') return
    added.set(answer.body.merchant_connector_id, { field, hostile, sent: verdict.sent, merchant_id })
    const { path } = field
    if (hidden.has(String(path[0])) || verdict.sent === undefined) return
    if (!same(shown(path, answer.body), verdict.sent))
      complaints.about(path, hostile, answer, `is shown as ${JSON.stringify(at(answer.body, path))?.slice(0, 120)}`)
  })
  const listed = new Map<string, Body>()
  await each([...new Set([...added.values()].map(one => one.merchant_id))], async merchant_id => {
    const answer = await knock('GET', `/account/${merchant_id}/connectors`)
    equal(answer.status, 200, answer.text)
    for (const account of answer.body) listed.set(account.merchant_connector_id, account)
  })
  for (const [id, { field, hostile, sent }] of added) {
    const account = listed.get(id)
    if (!account) complaints.about(field.path, hostile, null, 'is not listed')
    else if (sent !== undefined && Object.hasOwn(account, field.path[0]!) && !same(shown(field.path, account), sent))
      complaints.about(field.path, hostile, null, 'is listed otherwise')
  }
  count(t, list.length, added.size)
  complaints.none()
})

test('a payment over a connector account with hostile settings fails or stays processing, without a server error', async () => {
  const shop = await openShop()
  const admin = adminClient(shop)
  const settings: [string, object][] = [
    ['a key with a line end', { connector_account_details: { auth_type: 'HeaderKey', api_key: 'a\r\nx-evil: b' } }],
    ['a key that is no header', { connector_account_details: { auth_type: 'HeaderKey', api_key: 'ключ 👍' } }],
    ['an address that nobody answers', { metadata: { base_url: 'http://127.0.0.1:1' } }],
    ['an address with a name and password', { metadata: { base_url: 'http://a:b@127.0.0.1:1/x' } }],
    ['an address with a question', { metadata: { base_url: 'http://127.0.0.1:1/?a=b#c' } }],
    ['an address with blanks', { metadata: { base_url: ' http://127.0.0.1:1/\r\n' } }],
    ['an address with a path upwards', { metadata: { base_url: 'http://127.0.0.1:1/../../x' } }],
    ['a list of addresses', { metadata: { base_url: ['http://127.0.0.1:1'] } }],
  ]
  const complaints = openComplaints()
  for (const [i, [name, more]] of settings.entries()) {
    const merchant_id = `hostile_settings_${i}`
    await admin('POST', '/accounts', JSON.stringify({ merchant_id }))
    const { api_key } = (await admin('POST', `/api_keys/${merchant_id}`, JSON.stringify({ name: 'a', expiration: 'never' }))).body
    const account = {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_nobody' },
      ...more,
    }
    const added = await admin('POST', `/account/${merchant_id}/connectors`, JSON.stringify(account))
    const fault = faultOfAnswer(added)
    if (fault) complaints.about(['settings'], { name }, added, fault)
    if (added.status !== 200) continue
    const paid = await openApiClient(shop.url, { 'api-key': api_key })('POST', '/payments', JSON.stringify(shop.payBody({})))
    if (paid.status !== 200 || !['failed', 'processing'].includes(paid.body.status))
      complaints.about(['settings'], { name }, paid, `the payment is ${paid.body?.status}`)
  }
  complaints.none()
})

test('after the hostile input the service takes a payment, has logged no error, and its heap has not grown', isUnharmed)
