import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import pg from 'pg'
import { isRefused } from '../../test/refused.ts'
import { type Body, card, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { openReader } from '../database/connection.ts'
import { loadKeys, withNewKey, withoutOldKeys, writeKeys } from './keys.ts'
import { countOld, sealAnew } from './rotate.ts'
import { newIdentities, openSealedMessages } from './sealed-messages.ts'
import { openVault } from './vault.ts'

/**
 * The vault as a separate process: the properties that it has beside those of any vault
 * (`test/long/split-vault.test.ts` runs the tests of saved cards with it).
 */

process.env.TEST_VAULT = 'split'

const MASTERCARD = '5555555555554444'
const CUSTOMER = 'cus_grace'

/** Gives the records of a shop in the vault's own database. */
const held = (shop: Shop) => inVault(shop, 'select record, sealed from vault_records where merchant_id = $1 order by record')
const codesHeld = (shop: Shop) => inVault(shop, 'select payment_id, sealed from waiting_cvcs where merchant_id = $1')
async function inVault(shop: Shop, question: string): Promise<Body[]> {
  const client = new pg.Client({ connectionString: shop.split!.databaseUrl })
  await client.connect()
  try {
    return (await client.query(question, [shop.merchant_id])).rows
  } finally {
    await client.end()
  }
}
const ours = (shop: Shop) =>
  shop.query('select record, sealed from vault_records where merchant_id = $1 order by record', [shop.merchant_id])
const charges = async (shop: Shop) => (await shop.processor.charges()).length

async function save(shop: Shop, number: string = cards.approves): Promise<Body> {
  await shop.post('/customers', { customer_id: CUSTOMER })
  const saved = await shop.post('/payment_methods', { payment_method: 'card', customer_id: CUSTOMER, card: card(number).card })
  equal(saved.status, 200, saved.text)
  return saved.body
}
async function bySaved(shop: Shop): Promise<Body> {
  const [{ payment_token }] = (await shop.call('GET', `/customers/${CUSTOMER}/payment_methods`)).body.customer_payment_methods
  return { customer_id: CUSTOMER, payment_method_data: undefined, payment_token }
}

test('with a separate vault, card numbers are only in the vault’s database, and are deleted with the rows that use them', async () => {
  const shop = await openShop()
  const { payment_method_id } = await save(shop)
  equal((await shop.pay(await bySaved(shop))).status, 'succeeded')
  const waiting = await shop.create({ card: MASTERCARD })
  deepEqual(
    (await ours(shop)).map(({ sealed }) => [sealed[0], sealed.length]),
    Array(2).fill([3, 23]),
    'our rows hold references',
  )
  const names = (all: Body[]) => all.map(({ record }) => record.split(' ').slice(0, 2).join(' '))
  deepEqual(names(await held(shop)), names(await ours(shop)))

  const anew = { card: { card_number: MASTERCARD } }
  equal((await shop.post(`/payment_methods/${payment_method_id}/update`, anew)).status, 200)
  equal((await held(shop)).length, 3)
  await shop.wait('1 minute')
  equal((await held(shop)).length, 2, 'the number that was exchanged is forgotten')
  await shop.call('DELETE', `/payment_methods/${payment_method_id}`)
  await shop.wait('1 minute')
  deepEqual(names(await held(shop)), names(await ours(shop)))
  equal((await held(shop)).length, 1)
  equal((await shop.confirm(waiting.payment_id)).body.status, 'succeeded')
  for (let i = 0; i < 3; i++) await shop.wait('3 hours')
  deepEqual([await ours(shop), await held(shop)], [[], []], 'hours after the end of its payment, the vault has no number')
  ok(shop.split!.logs.every(line => !line.includes(cards.approves) && !line.includes(MASTERCARD)))
})

test('with a separate vault, a security code is only in the vault, is deleted after use, and after 15 minutes at the latest', async () => {
  const shop = await openShop()
  const codes = () => shop.query('select sealed from waiting_cvcs where merchant_id = $1', [shop.merchant_id])
  const used = await shop.create()
  deepEqual(
    (await codes()).map(({ sealed }) => [sealed[0], sealed.length]),
    [[3, 23]],
    'our row holds a reference',
  )
  equal((await codesHeld(shop)).length, 1)
  ok((await held(shop)).every(({ record }) => record.startsWith('card ')))
  equal((await shop.confirm(used.payment_id)).body.status, 'succeeded')
  equal((await shop.processor.operations()).at(-1).cvc_result, 'M')
  await shop.wait('1 minute')
  deepEqual(await codesHeld(shop), [])

  const exchanged = await shop.create()
  await shop.post(`/payments/${exchanged.payment_id}`, { payment_method: 'card', payment_method_data: card(MASTERCARD) })
  equal((await codesHeld(shop)).length, 2)
  await shop.wait('1 minute')
  equal((await codesHeld(shop)).length, 1, 'the code that was exchanged is forgotten')
  shop.clock.ahead += 15 * 60_000
  await shop.split!.forgetExpired()
  deepEqual(await codesHeld(shop), [], 'also while nobody tells the vault anything')
  equal((await shop.confirm(exchanged.payment_id)).body.status, 'succeeded', 'a server may confirm later, without the code')
  equal((await shop.processor.operations()).at(-1).cvc_result, 'P')
  await shop.wait('2 hours')
  deepEqual(await shop.query('select 1 from orphaned_records where merchant_id = $1', [shop.merchant_id]), [])
})

test('a card number that was stored in the vault but never used is deleted there; one in use stays', async () => {
  const shop = await openShop()
  const payment_id = 'pay_01M81MXHT81V1K05DBJR97H3CB'
  const waits = { payment_id, confirm: false, session_expiry: 86_400 }
  const created = await Promise.all([shop.tryToPay(waits), shop.tryToPay(waits)])
  deepEqual(
    created.map(({ status }) => status),
    [200, 200],
  )
  equal((await held(shop)).length, 2)
  await shop.wait('2 hours')
  deepEqual(
    (await held(shop)).map(({ record }) => record.split(' ')[1]),
    [payment_id],
  )
  deepEqual(await shop.query('select 1 from orphaned_records where merchant_id = $1', [shop.merchant_id]), [])
})

test('while the vault does not respond, payments that need it are refused as unavailable, and work again afterwards; others are made', async () => {
  const shop = await openShop()
  const { payment_method_id } = await save(shop)
  const saved = await bySaved(shop)
  const waiting = await shop.create()
  await shop.split!.stop()
  for (const refused of [
    await shop.tryToPay(saved),
    await shop.tryToPay({ confirm: false }),
    await shop.confirm(waiting.payment_id),
    await shop.post('/payment_methods', { payment_method: 'card', customer_id: CUSTOMER, card: card(MASTERCARD).card }),
  ]) {
    isRefused(refused, 503, 'HE_00', /vault/)
    ok(refused.headers['retry-after'])
  }
  equal(await charges(shop), 0)
  equal((await shop.query('select 1 from payments where merchant_id = $1', [shop.merchant_id])).length, 1)
  equal((await shop.pay()).status, 'succeeded', 'a payment whose number is not stored needs no vault')
  equal((await shop.call('GET', `/payment_methods/${payment_method_id}`)).status, 200, 'what needs no number is there')
  await shop.call('DELETE', `/payment_methods/${payment_method_id}`)
  await shop.wait('5 minutes')
  await shop.split!.again()
  equal((await shop.confirm(waiting.payment_id)).body.status, 'succeeded')
  equal(await charges(shop), 2)
  await shop.wait('2 hours')
  deepEqual(
    await held(shop).then(all => all.filter(({ record }) => record.startsWith('method'))),
    [],
    'what was deleted meanwhile is forgotten',
  )
})

test('an outdated or unreadable response of the vault counts as no response: nothing is charged, and the request can be retried', async () => {
  const shop = await openShop()
  const { setting, identities } = shop.split!
  await shop.split!.stop()
  const late = await openSealedMessages(identities.vault, () => Date.now() + shop.clock.ahead - 120_000)
  let answer = ''
  const impostor = createServer((request, response) => void request.resume().on('end', () => response.end(answer)))
  await new Promise<void>(done => impostor.listen(Number(new URL(setting.url).port), '127.0.0.1', done))
  try {
    for (answer of ['', 'x', await late.write({ is: 'done', id: 'ask_1' })])
      isRefused(await shop.tryToPay({ confirm: false }), 503, 'HE_00', /vault/)
  } finally {
    impostor.closeAllConnections()
    await new Promise(done => impostor.close(done))
    await shop.split!.again()
  }
  equal(await charges(shop), 0)
  const { payment_id } = await shop.create()
  equal((await shop.confirm(payment_id)).body.status, 'succeeded')
})

test('the vault rotates its key while card numbers are read from it', async () => {
  const shop = await openShop()
  await save(shop)
  const file = shop.split!.keyFile
  const reader = openReader(shop.split!.databaseUrl, 2, () => {})
  try {
    const before = loadKeys({ mode: 'live', keys: null, command: null, file })
    const after = withNewKey(before)
    writeKeys(file, after)
    const pay = async () => equal((await shop.pay(await bySaved(shop))).status, 'succeeded')
    await pay()
    const edges = { query: reader.query, vault: openVault(after), wait: pay }
    ok((await sealAnew(edges, after, () => {})).done > 0)
    equal(await countOld(edges, after), 0)
    writeKeys(file, withoutOldKeys(after))
    await pay()
    equal(
      await countOld({ query: shop.service.context.query }, loadKeys({ mode: 'live', keys: null, command: null, file: shop.keyFile })),
      0,
    )
  } finally {
    await reader.close()
  }
})

test('a tampered, outdated or foreign message to the vault is refused without a reason', async () => {
  const shop = await openShop()
  const { setting, identities, logs } = shop.split!
  const ask = { does: 'read', merchant_id: shop.merchant_id, record: 'card x', id: 'ask_1' }
  const send = (message: string) => http('POST', `${setting.url}/`, message, { 'content-type': 'application/jose' })
  const clock = () => Date.now() + shop.clock.ahead
  const good = await openSealedMessages(identities.service, clock)
  const answered = await send(await good.write(ask))
  equal(answered.status, 200)
  deepEqual(await good.read<{ is: string }>(answered.text).then(({ is, id }) => [is, id]), ['gone', 'ask_1'])
  const foreign = await newIdentities()
  const strange = { own: foreign.service.own, other: identities.service.other }
  const message = await good.write(ask)
  for (const bad of [
    '',
    'x',
    `${message.slice(0, -4)}AAAA`,
    await (await openSealedMessages(strange, clock)).write(ask),
    await (await openSealedMessages(identities.service, () => clock() - 120_000)).write(ask),
    await (await openSealedMessages(identities.vault, clock)).write(ask),
  ]) {
    const { status, text } = await send(bad)
    deepEqual([status, text], [400, ''])
  }
  await rejects((await openSealedMessages(foreign.service, clock)).read(answered.text))
  match(logs.join('\n'), /SIGNATURE_VERIFICATION_FAILED/)
})
