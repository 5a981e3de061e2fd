import { deepEqual, equal, match } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Keys, withNewKey } from '../src/vault/keys.ts'
import { openShop } from './shop.ts'
import { vaultRotate } from './vault-command.ts'

/** What `npm run vault:rotate` refuses. That it seals anew is told in `src/vault/rotate.test.ts`, and by itself in the long suite. */

test('a key that still seals something is not taken out of the key file; one that seals nothing is', async () => {
  const shop = await openShop()
  await shop.create()
  const text = readFileSync(shop.keyFile, 'utf8')
  const next = withNewKey(JSON.parse(text) as Keys)
  writeFileSync(shop.keyFile, JSON.stringify(next))
  const settings = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
  const refused = await vaultRotate(settings, '--remove')
  equal(refused.code, 2)
  match(refused.said, /records are not sealed with k2 yet: npm run vault:rotate first/)
  deepEqual(JSON.parse(readFileSync(shop.keyFile, 'utf8')), next)

  const back = { ...next, active: 'k1' }
  writeFileSync(shop.keyFile, JSON.stringify(back))
  const removed = await vaultRotate(settings, '--remove')
  equal(removed.code, 0, removed.said)
  match(removed.said, /holds k1 alone/)
  deepEqual(Object.keys((JSON.parse(readFileSync(shop.keyFile, 'utf8')) as Keys).sealing), ['k1'])
})

test('keys that come from elsewhere are the operator’s to change, and what is not known is refused', async () => {
  const shop = await openShop()
  const settings = { DATABASE_URL: shop.databaseUrl, KEYS: readFileSync(shop.keyFile, 'utf8') }
  const rotate = await vaultRotate(settings)
  deepEqual(rotate.code, 2)
  match(rotate.said, /everything is sealed with k1\. Add a new key to KEYS, make it the active one/)
  match((await vaultRotate(settings, '--remove')).said, /the keys come from KEYS, which is not this command's to write/)
  match((await vaultRotate(settings, '--again')).said, /--again is not known/)
  match((await vaultRotate({ ...settings, KEYS: '{}' })).said, /KEYS does not hold the deployment's keys/)
})
