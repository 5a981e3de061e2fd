import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { rotateUnderLoad } from '../../test/rotation.ts'
import { card, openPlace, openShop } from '../../test/shop.ts'
import { allTables } from '../database/table.ts'
import { loadKeys, withNewKey, withoutOldKeys, writeKeys } from './keys.ts'
import { countOld, sealAnew } from './rotate.ts'
import { openVault } from './vault.ts'

test('a key rotation during reads and payments fails no request, and afterwards the old key decrypts nothing', async () => {
  const { sealedAnew, paid } = await rotateUnderLoad(25)
  ok(sealedAnew > 25 && paid >= 6)
})

test('a rotation names a record that no key decrypts, goes on with all others, and leaves that record as it is', async () => {
  const shop = await openShop()
  const { customer_id } = (await shop.post('/customers', {})).body
  const save = async (number: string) =>
    (await shop.post('/payment_methods', { payment_method: 'card', customer_id, card: card(number).card })).body.payment_method_id as string
  const [damaged, whole] = [await save('4242424242424242'), await save('5555555555554444')]
  const bytes = async (id: string) =>
    (await shop.query('select sealed from vault_records where merchant_id = $1 and record = $2', [shop.merchant_id, `method ${id}`]))[0]!
      .sealed as Buffer
  const broken = Buffer.from(await bytes(damaged))
  broken[broken.length - 1]! ^= 1
  await shop.query('update vault_records set sealed = $3 where merchant_id = $1 and record = $2', [
    shop.merchant_id,
    `method ${damaged}`,
    broken,
  ])
  const before = loadKeys({ mode: 'live', keys: null, command: null, file: shop.keyFile })
  const after = withNewKey(before)
  writeKeys(shop.keyFile, after)
  const edges = { query: shop.service.context.query, vault: openVault(after), wait: async () => {} }
  const { done, unreadable } = await sealAnew(edges, after, () => {})
  ok(done >= 2)
  deepEqual(unreadable, [`vault_records.sealed (merchant_id ${shop.merchant_id}, record method ${damaged})`])
  deepEqual(await bytes(damaged), broken)
  const alone = openVault(withoutOldKeys(after))
  equal(alone.open(shop.merchant_id, `method ${whole}`, await bytes(whole)), '5555555555554444')
  equal(await countOld(edges, after), 1)
})

test('every encrypted column declares the record name that it is encrypted under', async () => {
  await openPlace()
  const columns = allTables().flatMap(table =>
    Object.entries(table.columns).map(([name, { is }]) => ({ place: `${table.name}.${name}`, is })),
  )
  deepEqual(
    columns.filter(({ is }) => is.sql === 'bytea' && is.sealed.length === 0).map(({ place }) => place),
    [],
  )
})
