import { deepEqual, equal, ok } from 'node:assert/strict'
import { allTables } from '../src/database/table.ts'
import { type Keys, loadKeys, withNewKey, withoutOldKeys, writeKeys } from '../src/vault/keys.ts'
import { countOld, sealAnew } from '../src/vault/rotate.ts'
import { openVault } from '../src/vault/vault.ts'
import { type Body, card, openShop } from './shop.ts'

/** Gives card number `n` of a made-up bank, with digits that pass the Luhn check. */
function cardNumber(n: number): string {
  const digits = `400012${String(n).padStart(9, '0')}`
  const sum = [...digits]
    .reverse()
    .reduce((all, digit, i) => all + (i % 2 === 0 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]! : Number(digit)), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const AT_ONCE = 8

/** Runs a function for each number below `count` in turn, several at a time. */
async function each(count: number, run: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/**
 * Rotates the vault's keys while cards are read and payments run: nothing fails, and afterwards the old key decrypts
 * nothing in the database. `cards`: how many cards are saved. Gives the numbers of records that were encrypted again,
 * and of payments meanwhile.
 */
export async function rotateUnderLoad(cards: number): Promise<{ sealedAnew: number; paid: number }> {
  const shop = await openShop()
  const customers = Math.ceil(cards / 20)
  const person = (n: number) => ({ customer_id: `cus_${n}`, name: 'Grace Hopper', email: `grace${n}@example.com` })
  await each(customers, async n => equal((await shop.post('/customers', person(n), { 'idempotency-key': `customer-${n}` })).status, 200))
  const ids: string[] = []
  await each(cards, async n => {
    const saved = { payment_method: 'card', customer_id: `cus_${n % customers}`, payment_method_data: card(cardNumber(n)) }
    const { status, body, text } = await shop.post('/payment_methods', saved)
    equal(status, 200, text)
    ids[n] = body.payment_method_id
  })
  const waiting = await shop.create()
  const endpoint = await shop.post('/webhook_endpoints', { url: 'http://127.0.0.1:9/hooks' })
  equal(endpoint.status, 200, endpoint.text)
  await shop.profile({ outgoing_webhook_custom_http_headers: { 'x-from': 'switchyard' } })

  const before = loadKeys({ mode: 'live', keys: null, command: null, file: shop.keyFile })
  const after = withNewKey(before)
  const sealed = openVault(before).seal(
    shop.merchant_id,
    'unmatched_dispute d',
    '{"of": [], "dispute": "ask", "reference": "4242424242424242"}',
  )
  await shop.query(
    `insert into unmatched_disputes (merchant_id, merchant_connector_id, digest, connector, sealed_news, received_at, look_at)
     values ($1, $2, 'd', 'phonypay', $3, now(), now() + interval '1 day')`,
    [shop.merchant_id, shop.merchant_connector_id, sealed],
  )
  let rotating = true
  let paid = 0
  const failures: string[] = []
  const work = async (lane: number) => {
    for (let n = lane; rotating; n += 2) {
      const customer_id = `cus_${n % customers}`
      const token = (await shop.call('GET', `/customers/${customer_id}/payment_methods?limit=1`)).body.customer_payment_methods[0]
        .payment_token
      const pay = { customer_id, payment_method: 'card', payment_token: token, payment_method_data: undefined }
      const answers = [
        await shop.post('/payments', shop.payBody(pay), { 'idempotency-key': `pay-${n}` }),
        await shop.post('/payments', shop.payBody(pay), { 'idempotency-key': `pay-${n}` }),
        await shop.call('GET', `/customers/${customer_id}`),
        await shop.tryToPay(),
        await shop.post(`/payment_methods/${ids[n % cards]}/update`, { card: { card_exp_year: String(2031 + (n % 9)) } }),
      ]
      failures.push(...answers.filter(({ status }) => status !== 200).map(({ text }) => text))
      equal(answers[0]!.text, answers[1]!.text)
      paid += 2
    }
  }
  const lanes = [work(0), work(1)]
  writeKeys(shop.keyFile, after)
  // The work of the command runs in this process: each pause lasts until some more payments have been made.
  const pause = async () => {
    const enough = paid + 6
    while (paid < enough && failures.length === 0) await shop.call('GET', '/health')
  }
  const edges = { query: shop.service.context.query, vault: openVault(after), wait: pause }
  const { done: sealedAnew, unreadable } = await sealAnew(edges, after, () => {})
  deepEqual(unreadable, [])
  rotating = false
  await Promise.all(lanes)
  deepEqual(failures, [])
  equal(await countOld(edges, after), 0)
  ok(sealedAnew >= cards)

  writeKeys(shop.keyFile, withoutOldKeys(after))
  await opensOnlyWith(shop, before, withoutOldKeys(after))
  const confirmed = await shop.confirm(waiting.payment_id)
  equal(confirmed.body.status, 'succeeded', confirmed.text)
  equal((await shop.post('/customers', person(0), { 'idempotency-key': 'customer-0' })).status, 200)
  return { sealedAnew, paid }
}

/**
 * Verifies that the new keys alone decrypt everything encrypted in the database, and that the old keys decrypt
 * nothing.
 */
async function opensOnlyWith({ query }: Awaited<ReturnType<typeof openShop>>, old: Keys, now: Keys): Promise<void> {
  const [formerly, today] = [openVault(old), openVault(now)]
  const seen = new Set<string>()
  for (const table of allTables()) {
    for (const [column, { is }] of Object.entries(table.columns)) {
      for (const { member, record } of is.sealed) {
        for (const row of (await query(`select * from ${table.name}`)) as Body[]) {
          const kept = member === null ? row[column] : row[column]?.[member]?.sealed
          if (!kept) continue
          const sealed = member === null ? kept : Buffer.from(kept, 'base64')
          today.open(row.merchant_id, record(row), sealed)
          let opened = true
          try {
            formerly.open(row.merchant_id, record(row), sealed)
          } catch {
            opened = false
          }
          ok(!opened, `${table.name}.${column} opens with the old key`)
          seen.add(`${table.name}.${member ?? column}`)
        }
      }
    }
  }
  for (const place of [
    'connector_accounts.sealed',
    'customers.personal',
    'idempotency_keys.answer',
    'merchants.payment_response_hash_key',
    'unmatched_disputes.sealed_news',
    'profiles.outgoing_webhook_custom_http_headers',
    'profiles.payment_response_hash_key',
    'vault_records.sealed',
    'waiting_cvcs.sealed',
    'webhook_endpoints.sealed',
  ])
    ok(seen.has(place), `${place} was tried`)
}
