import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { vaultRotate } from '../operator-commands.ts'
import { rotateUnderLoad } from '../rotation.ts'
import { openShop } from '../shop.ts'

test('the vault key is rotated for 10,000 cards under load: nothing fails, and the old key decrypts nothing afterwards', async () => {
  const { sealedAnew } = await rotateUnderLoad(10_000)
  ok(sealedAnew >= 10_000)
})

test('npm run vault:rotate rotates the key beside a running service, and the old key can then be removed', async () => {
  const shop = await openShop()
  const waiting = await shop.create()
  const settings = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
  const rotating = vaultRotate(settings)
  let ended = false
  void rotating.then(() => {
    ended = true
  })
  let paid = 0
  while (!ended) {
    equal((await shop.pay()).status, 'succeeded')
    paid++
  }
  const { code, output } = await rotating
  equal(code, 0, output)
  ok(paid > 0)
  match(output, /was added to[\s\S]*Re-encrypted \d+ records[\s\S]*all records are encrypted with k\d+\.\n.*--remove to remove k\d+/)
  const removed = await vaultRotate(settings, '--remove')
  equal(removed.code, 0, removed.output)
  equal((await shop.confirm(waiting.payment_id)).body.status, 'succeeded')
})
