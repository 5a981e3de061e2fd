import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { admits } from '../src/http/auth.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { members } from '../src/show/members.ts'
import { selfMade } from './certificate.ts'
import { examples } from './examples.ts'
import { openPayoutShop, payOutBody, recipients } from './payout-shop.ts'
import { isRefused } from './refused.ts'
import { type Answer, type Body, card, cards, http, openShop, type Shop } from './shop.ts'

/**
 * A browser with a client_secret, at every operation that browsers may call: with the right secret, with another
 * payment's, with another merchant's, with one that has expired, with one whose payment has been paid. The table of
 * endpoints lists the operations.
 */

const clientEndpoints = endpoints.filter(({ auth }) => admits(auth, 'client'))

/** A client secret, and the ids of the objects that it belongs to. */
type Held = { ids: Record<string, string>; client_secret: string }

const kindOf = ({ clientSecretOf: of }: Endpoint): 'payment' | 'payout' | 'payment method' | 'collect link' =>
  of === 'payout' || of === 'payment method' || of === 'collect link' ? of : 'payment'

/** Makes an object of this kind that waits for its customer. */
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
  if (kind === 'collect link') {
    const enabled_payment_methods = [{ payment_method: 'bank_transfer', payment_method_types: [] }]
    const { pm_collect_link_id, link } = (await shop.post('/payment_methods/collect', { customer_id, enabled_payment_methods })).body
    const [, client_secret] = (await http('GET', link)).text.match(/"client_secret":"(\w+)"/)!
    return { ids: { merchant_id: shop.merchant_id, pm_collect_link_id }, client_secret: client_secret! }
  }
  const { payment_id, client_secret } = await shop.create({ customer_id, payment_link: true })
  return { ids: { payment_id, payment_link_id: `plink_${payment_id}`, customer_id }, client_secret }
}

/** Bodies that are valid, so that only the secret can be wrong; other operations use the documentation's example. */
const bodies: Record<string, (ids: Record<string, string>) => Body> = {
  updatePayment: () => ({ payment_method: 'card', payment_method_data: card() }),
  confirmPayment: () => ({ payment_method: 'card', payment_method_data: card() }),
  createSessionTokens: ({ payment_id }) => ({ payment_id, wallets: [] }),
  savePaymentMethod: () => ({ payment_method_data: card() }),
  checkEligibility: () => ({ payment_method_type: 'card', payment_method_data: { card: { card_number: cards.approves } } }),
}

/**
 * Calls an operation as a browser of this shop, or without a client_secret as the shop's server. `named`: the ids in
 * the address and in the body.
 */
function knock(shop: Shop, endpoint: Endpoint, named: Record<string, string>, client_secret: string | null): Promise<Answer> {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? `missing_${name}`)
  const headers = { 'api-key': client_secret === null ? shop.api_key : shop.publishable_key }
  const query = client_secret === null ? '' : `?client_secret=${client_secret}`
  if (endpoint.method === 'GET') return http('GET', shop.url + path + query, undefined, headers)
  const body = bodies[endpoint.name]?.(named) ?? examples[endpoint.name]?.value ?? {}
  return http(endpoint.method, shop.url + path, { ...body, ...(client_secret !== null && { client_secret }) }, headers)
}

/** Operations that accept a right secret, and refuse these calls for another reason: the code of the refusal. */
const missing: Record<string, string> = { updatePaymentMethod: 'IR_19', confirmPayout: 'IR_39', calculateTax: 'IR_16', askIssuer: 'IR_16' }

/** The refusals that a browser receives once its payment has succeeded; all other operations answer as before. */
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

test('a valid client_secret is accepted at every operation for browsers', async () => {
  const shop = await openShop()
  for (const endpoint of clientEndpoints) {
    const mine = await held(shop, kindOf(endpoint))
    const answer = await knock(shop, endpoint, mine.ids, mine.client_secret)
    const code = missing[endpoint.name]
    if (code === undefined) ok(answer.status < 300, `${endpoint.name}: ${answer.text}`)
    else isRefused(answer, 400, code)
  }
  ok(clientEndpoints.length >= 14, `${clientEndpoints.length} operations`)
})

test('the client_secret of another object is rejected at every operation that names one', async () => {
  const shop = await openShop()
  for (const endpoint of clientEndpoints) {
    const kind = kindOf(endpoint)
    const [mine, other] = [await held(shop, kind), await held(shop, kind)]
    const names =
      /\{(?:payment|payment_link|payout|payment_method|pm_collect_link)_id\}/.test(endpoint.path) || endpoint.name === 'createSessionTokens'
    const answer = await knock(shop, endpoint, mine.ids, other.client_secret)
    if (names) isRefused(answer, 400, 'IR_09')
    else ok(answer.status < 300, `${endpoint.name} shows what the secret is of: ${answer.text}`)
    const guessed = `${mine.client_secret.slice(0, -1)}${mine.client_secret.endsWith('0') ? '1' : '0'}`
    const found = await knock(shop, endpoint, mine.ids, guessed)
    ok(['IR_09', 'HE_02'].includes(found.body.error?.code), `${endpoint.name} is opened by a guess: ${found.text}`)
  }
})

test('an object of another merchant is answered as not found, even with its own client_secret', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  for (const endpoint of clientEndpoints) {
    const foreign = await held(other, kindOf(endpoint))
    isRefused(await knock(shop, endpoint, foreign.ids, foreign.client_secret), 404, kindOf(endpoint) === 'collect link' ? 'IR_37' : 'HE_02')
  }
})

test('an expired client_secret is rejected at every operation for browsers', async () => {
  const shop = await openShop()
  const all: [Endpoint, Held][] = []
  for (const endpoint of clientEndpoints) all.push([endpoint, await held(shop, kindOf(endpoint))])
  await shop.wait('16 minutes')
  for (const [endpoint, { ids, client_secret }] of all) isRefused(await knock(shop, endpoint, ids, client_secret), 400, 'IR_08')
})

test('once a payment has succeeded, a browser can read it but not change it', async () => {
  const shop = await openShop()
  for (const endpoint of clientEndpoints.filter(one => kindOf(one) === 'payment')) {
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

/** Notes of the merchant that only its server may see, in fields that an answer could show. */
const secrets = ['margin of forty', 'risk of seven', 'note for the desk']

/** The shop's certificate for Apple Pay. */
const merchant = selfMade('merchant.example.chairs')

/** Opens a shop with much data about its customer, accounts and taxes. */
async function openTalkativeShop(): Promise<Shop> {
  const shop = await openShop()
  await shop.profile({ tax_rates: [{ country: 'NO', rate: 25 }] })
  const [metadata] = secrets.map(text => ({ note: text }))
  await shop.post('/customers', { customer_id: 'grace', metadata })
  await shop.post('/payment_methods', { payment_method: 'card', customer_id: 'grace', card: card().card, metadata })
  const session_token_data = {
    ...{ merchant_identifier: 'merchant.example.chairs', initiative: 'web', initiative_context: 'chairs.example' },
    ...{ certificate: merchant.certificate, certificate_keys: merchant.key, merchant_business_country: 'NO' },
  }
  const payment_request_data = { label: 'Chairs & Co', supported_networks: ['visa'], merchant_capabilities: ['supports3DS'] }
  await shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
    connector_type: 'payment_processor',
    connector_wallets_details: { apple_pay: { session_token_data, payment_request_data } },
  })
  return shop
}

/** Creates a payment with notes of its merchant. */
async function talkative(shop: Shop): Promise<Held> {
  const [metadata, frm_metadata, connector_metadata] = secrets.map(text => ({ note: text }))
  const more = { customer_id: 'grace', payment_link: true, metadata, frm_metadata, connector_metadata }
  const { payment_id, client_secret } = await shop.create(more)
  return { ids: { payment_id, payment_link_id: `plink_${payment_id}`, customer_id: 'grace' }, client_secret }
}

test('no response to a browser contains data meant for the server', async () => {
  const shop = await openTalkativeShop()
  const [, ofKey = ''] = merchant.key.split('\n')
  for (const endpoint of clientEndpoints.filter(one => kindOf(one) === 'payment')) {
    const { ids, client_secret } = await talkative(shop)
    const answer = await knock(shop, endpoint, ids, client_secret)
    for (const text of [...secrets, shop.api_key, shop.webhook_secret, ofKey, 'CERTIFICATE'])
      ok(!answer.text.includes(text), `${endpoint.name}: ${text}`)
    if (endpoint.name === 'createSessionTokens') ok(answer.body.session_token[0].session_token_data.signature, 'it is opened')
  }
})

test('a payment has the same fields for a browser and a server, and server-only fields are null for the browser', async () => {
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

/** Gives the paths of the members in an answer that have a value. */
function there(value: unknown, at = ''): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(one => there(one, at))
  if (typeof value !== 'object') return [at]
  return Object.entries(value).flatMap(([name, inside]) => there(inside, at === '' ? name : `${at}.${name}`))
}

/**
 * The members that an operation shows to only one of the two, browser or server; the table of payment members defines
 * those of payments.
 */
const ofOne: Record<string, { server?: string[]; browser?: string[] }> = {
  retrieveCustomer: { server: ['metadata.note'] },
  // The payments of this test have links: a visitor with a link sees few members of the card.
  listCustomerPaymentMethods: {
    server: [
      ...['card_fingerprint', 'card_isin', 'card_issuer'].map(name => `customer_payment_methods.card.${name}`),
      'customer_payment_methods.metadata.note',
    ],
    browser: ['is_guest_customer'],
  },
}
const ofPayments = Object.keys(members).filter(name => members[name]!.serverOnly)

test('an operation returns the same fields to a browser and a server, except those listed for only one of them', async () => {
  const shop = await openTalkativeShop()
  const compared: string[] = []
  // Without a client_secret, these operations answer another question to a server: the payment methods of the account
  // without a payment, and those that no customer has saved.
  const others = ['listPaymentMethods', 'listOwnPaymentMethods']
  const both = clientEndpoints.filter(one => kindOf(one) === 'payment' && admits(one.auth, 'secret') && !others.includes(one.name))
  for (const endpoint of both) {
    const [mine, twin] = [await talkative(shop), await talkative(shop)]
    const [browser, server] = [await knock(shop, endpoint, mine.ids, mine.client_secret), await knock(shop, endpoint, twin.ids, null)]
    deepEqual([browser.status, server.status], [200, 200], `${endpoint.name}: ${browser.text} ${server.text}`)
    const [seen, known] = [new Set(there(browser.body)), new Set(there(server.body))]
    const { server: servers = [], browser: browsers = [] } = ofOne[endpoint.name] ?? {}
    const isHidden = (name: string) => 'attempt_count' in server.body && ofPayments.includes(name.split('.')[0]!)
    const hidden = [...known].filter(name => !seen.has(name) && !isHidden(name))
    deepEqual([hidden, [...seen].filter(name => !known.has(name))], [servers, browsers], endpoint.name)
    compared.push(endpoint.name)
  }
  ok(compared.includes('createSessionTokens') && compared.length >= 12, String(compared))
})

test('a browser can set only the payout method and recipient of a payout, and cannot see its metadata', async () => {
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
    const value = name === 'routing' ? { type: 'single', data: 'phonypay' } : some(properties[name]!)
    isRefused(await byBrowser({ [name]: value }), 403, 'IR_22', new RegExp(name))
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

/** Gives a value that a schema accepts. */
function some(schema: TSchema): unknown {
  const { enum: all, type, items } = schema as { enum?: unknown[]; type?: string; items?: TSchema }
  if (all) return all[0]
  if (type === 'array') return [some(items!)]
  return type === 'integer' ? 1 : type === 'boolean' ? true : type === 'object' ? {} : 'x'
}
