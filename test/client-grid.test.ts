import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { admits } from '../src/http/who.ts'
import { members } from '../src/show/members.ts'
import { examples } from './examples.ts'
import { openPayoutShop, payOutBody, recipients } from './payout-shop.ts'
import { isRefused } from './refused.ts'
import { type Answer, type Body, card, cards, http, openShop, type Shop } from './shop.ts'

/** A browser with a client_secret, at every door that it may knock at: the right secret, another's, another merchant's, one whose time is over, one whose payment is paid. The doors are read off the table of endpoints. */

const doors = endpoints.filter(({ takes }) => admits(takes, 'client'))

/** What a secret is of, and the ids that belong to it. */
type Held = { ids: Record<string, string>; client_secret: string }

const kindOf = ({ clientSecretOf }: Endpoint): 'payment' | 'payout' | 'payment method' =>
  clientSecretOf === 'payout' || clientSecretOf === 'payment method' ? clientSecretOf : 'payment'

/** Something of this kind that is waiting for its customer. */
async function held(shop: Shop, kind: ReturnType<typeof kindOf>): Promise<Held> {
  if (kind === 'payout') {
    const linked = { payout_link: true, customer_id: 'grace', confirm: false }
    const { payout_id, client_secret } = (await shop.post('/payouts/create', payOutBody(linked))).body
    return { ids: { payout_id }, client_secret }
  }
  const customer_id = 'grace'
  await shop.post('/customers', { customer_id })
  if (kind === 'payment method') {
    const { payment_method_id, client_secret } = (await shop.post('/payment_methods', { payment_method: 'card', customer_id })).body
    return { ids: { payment_method_id }, client_secret }
  }
  const { payment_id, client_secret } = await shop.create({ customer_id, payment_link: true })
  return { ids: { payment_id, payment_link_id: `plink_${payment_id}`, customer_id }, client_secret }
}

/** Bodies in which nothing but the secret can be wrong; else the documentation's example. */
const bodies: Record<string, (ids: Record<string, string>) => Body> = {
  updatePayment: () => ({ payment_method: 'card', payment_method_data: card() }),
  confirmPayment: () => ({ payment_method: 'card', payment_method_data: card() }),
  createSessionTokens: ({ payment_id }) => ({ payment_id, wallets: [] }),
  savePaymentMethod: () => ({ payment_method_data: card() }),
  checkEligibility: () => ({ payment_method_type: 'card', payment_method_data: { card: { card_number: cards.approves } } }),
}

/** Knocks as a browser of this shop. `named`: whose ids stand in address and body. */
function knock(shop: Shop, endpoint: Endpoint, named: Record<string, string>, client_secret: string): Promise<Answer> {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? `missing_${name}`)
  const headers = { 'api-key': shop.publishable_key }
  if (endpoint.method === 'GET') return http('GET', `${shop.url}${path}?client_secret=${client_secret}`, undefined, headers)
  const body = bodies[endpoint.name]?.(named) ?? examples[endpoint.name]?.value ?? {}
  return http(endpoint.method, shop.url + path, { ...body, client_secret }, headers)
}

/** Doors that a right secret opens, and behind which something else is missing here. */
const missing: Record<string, string> = { updatePaymentMethod: 'IR_19', confirmPayout: 'IR_39', calculateTax: 'IR_16', askIssuer: 'IR_16' }

/** What a browser hears once its payment has succeeded; all others answer as before. */
const afterwards: Record<string, string> = {
  confirmPayment: 'IR_16',
  updatePayment: 'IR_16',
  completeAuthorize: 'IR_16',
  checkEligibility: 'IR_16',
  checkEligibilityToo: 'IR_16',
  createSessionTokens: 'IR_16',
  calculateTax: 'IR_16',
  postSessionTokens: 'IR_16',
  askIssuer: 'IR_16',
}

test('the right secret opens every door of a browser', async () => {
  const shop = await openShop()
  for (const endpoint of doors) {
    const mine = await held(shop, kindOf(endpoint))
    const answer = await knock(shop, endpoint, mine.ids, mine.client_secret)
    const code = missing[endpoint.name]
    if (code === undefined) ok(answer.status < 300, `${endpoint.name}: ${answer.text}`)
    else isRefused(answer, 400, code)
  }
  ok(doors.length >= 14, `${doors.length} doors`)
})

test('the secret of another payment opens none that names one', async () => {
  const shop = await openShop()
  for (const endpoint of doors) {
    const kind = kindOf(endpoint)
    const [mine, other] = [await held(shop, kind), await held(shop, kind)]
    const names = /\{(?:payment|payment_link|payout|payment_method)_id\}/.test(endpoint.path) || endpoint.name === 'createSessionTokens'
    const answer = await knock(shop, endpoint, mine.ids, other.client_secret)
    if (names) isRefused(answer, 400, 'IR_09')
    else ok(answer.status < 300, `${endpoint.name} shows what the secret is of: ${answer.text}`)
    const guessed = `${mine.client_secret.slice(0, -1)}${mine.client_secret.endsWith('0') ? '1' : '0'}`
    const found = await knock(shop, endpoint, mine.ids, guessed)
    ok(['IR_09', 'HE_02'].includes(found.body.error?.code), `${endpoint.name} is opened by a guess: ${found.text}`)
  }
})

test('what another merchant has is as absent as what never was', async () => {
  const [shop, stranger] = [await openShop(), await openShop()]
  for (const endpoint of doors) {
    const theirs = await held(stranger, kindOf(endpoint))
    isRefused(await knock(shop, endpoint, theirs.ids, theirs.client_secret), 404, 'HE_02')
  }
})

test('after its time a secret opens nothing', async () => {
  const shop = await openShop()
  const all: [Endpoint, Held][] = []
  for (const endpoint of doors) all.push([endpoint, await held(shop, kindOf(endpoint))])
  await shop.wait('16 minutes')
  for (const [endpoint, { ids, client_secret }] of all) isRefused(await knock(shop, endpoint, ids, client_secret), 400, 'IR_08')
})

test('once its payment has succeeded a browser may look, and no more', async () => {
  const shop = await openShop()
  for (const endpoint of doors.filter(one => kindOf(one) === 'payment')) {
    const { ids, client_secret } = await held(shop, 'payment')
    const paid = { client_secret, payment_method: 'card', payment_method_data: card() }
    equal(
      (await http('POST', `${shop.url}/payments/${ids.payment_id}/confirm`, paid, { 'api-key': shop.publishable_key })).body.status,
      'succeeded',
    )
    const answer = await knock(shop, endpoint, ids, client_secret)
    const code = afterwards[endpoint.name]
    if (code === undefined) ok(answer.status < 300, `${endpoint.name}: ${answer.text}`)
    else isRefused(answer, 400, code)
  }
})

/** Noted by the merchant for itself, where it could turn up in an answer. */
const secrets = ['margin of forty', 'risk of seven', 'note for the desk']

test('nothing that is meant for the server is in any answer to a browser', async () => {
  const shop = await openShop()
  const [metadata, frm_metadata, connector_metadata] = secrets.map(text => ({ note: text }))
  await shop.post('/customers', { customer_id: 'grace', metadata })
  await shop.post('/payment_methods', { payment_method: 'card', customer_id: 'grace', card: card().card, metadata })
  for (const endpoint of doors.filter(one => kindOf(one) === 'payment')) {
    const more = { customer_id: 'grace', payment_link: true, metadata, frm_metadata, connector_metadata }
    const { payment_id, client_secret } = await shop.create(more)
    const answer = await knock(shop, endpoint, { payment_id, payment_link_id: `plink_${payment_id}`, customer_id: 'grace' }, client_secret)
    for (const text of [...secrets, shop.api_key, shop.webhook_secret]) ok(!answer.text.includes(text), `${endpoint.name}: ${text}`)
  }
})

test('the two views of a payment, member by member: the same, or null for a browser where the table says so', async () => {
  const shop = await openShop()
  const note = { note: 'for the desk' }
  const { payment_id, client_secret } = await shop.pay({
    customer_id: 'grace',
    metadata: note,
    frm_metadata: note,
    connector_metadata: note,
  })
  await shop.refund(payment_id, 100)
  const server = await shop.get(payment_id)
  const browser = (
    await http('GET', `${shop.url}/payments/${payment_id}?client_secret=${client_secret}`, undefined, { 'api-key': shop.publishable_key })
  ).body
  deepEqual(Object.keys(browser), Object.keys(server))
  const hidden: string[] = []
  for (const name of Object.keys(server)) {
    if (members[name]?.serverOnly || name === 'refunds') {
      equal(browser[name], null, name)
      if (server[name] !== null) hidden.push(name)
    } else deepEqual(browser[name], server[name], name)
  }
  for (const name of ['metadata', 'frm_metadata', 'connector_metadata', 'connector_label', 'refunds']) ok(hidden.includes(name), name)
})

test('of a payout a browser may say whereto it goes and who is paid, and nothing else; and see no note of the merchant’s', async () => {
  const shop = await openPayoutShop()
  const { properties } = endpoints.find(one => one.name === 'confirmPayout')!.body as { properties: Record<string, TSchema> }
  const may = [
    'client_secret',
    'customer_id',
    'payout_type',
    'payout_method_data',
    'billing',
    'email',
    'name',
    'phone',
    'phone_country_code',
  ]
  const note = { note: 'for the desk' }
  const linked = { payout_link: true, customer_id: 'grace', confirm: false, metadata: note, to: undefined }
  const { payout_id, client_secret } = await shop.payOut({ ...linked, payout_type: undefined, payout_method_data: undefined })
  const byBrowser = (body: Body) =>
    http('POST', `${shop.url}/payouts/${payout_id}/confirm`, { client_secret, ...body }, { 'api-key': shop.publishable_key })
  for (const name of Object.keys(properties)) {
    if (may.includes(name) || name === 'browser_info') continue
    const said = name === 'routing' ? { type: 'single', data: 'phonypay' } : some(properties[name]!)
    isRefused(await byBrowser({ [name]: said }), 403, 'IR_22', new RegExp(name))
  }
  isRefused(await byBrowser({ customer_id: 'somebody_else' }), 401, 'IR_18', /customer_id/)
  for (const [method, path] of [
    ['GET', `/payouts/${payout_id}`],
    ['POST', `/payouts/${payout_id}`],
    ['PUT', `/payouts/${payout_id}`],
    ['POST', `/payouts/${payout_id}/fulfill`],
    ['POST', `/payouts/${payout_id}/cancel`],
  ] as const)
    isRefused(
      await http(method, shop.url + path, method === 'GET' ? undefined : { client_secret }, { 'api-key': shop.publishable_key }),
      403,
      'IR_22',
    )
  const { body } = await byBrowser({ payout_method_data: recipients.bank() })
  deepEqual([body.status, body.metadata], ['success', null])
  deepEqual((await shop.getPayout(payout_id)).metadata, note)
})

/** Something that a schema takes. */
function some(schema: TSchema): unknown {
  const { enum: all, type, items } = schema as { enum?: unknown[]; type?: string; items?: TSchema }
  if (all) return all[0]
  if (type === 'array') return [some(items!)]
  return type === 'integer' ? 1 : type === 'boolean' ? true : type === 'object' ? {} : 'x'
}
