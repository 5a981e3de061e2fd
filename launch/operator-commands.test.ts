import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readIdentity } from '../src/config.ts'
import { type Keys, withNewKey } from '../src/vault/keys.ts'
import { openSealedMessages } from '../src/vault/sealed-messages.ts'
import { binsImport, userLink, userReset2fa, vaultIdentities, vaultRotate } from '../test/operator-commands.ts'
import { http, openShop } from '../test/shop.ts'

/**
 * The commands of the operator of the service. What `npm run vault:rotate` refuses: that it seals anew is told in
 * `src/vault/rotate.test.ts`, and by itself in the long suite.
 */

/** Keys that no process has kept another version of for a long time: nothing waits for them. */
function writeOldKeys(file: string, keys: Keys): void {
  writeFileSync(file, JSON.stringify(keys))
  const before = Date.now() / 1000 - 60
  utimesSync(file, before, before)
}

test('vault:rotate cannot change keys given by KEYS, and refuses unknown arguments and invalid keys', async () => {
  const shop = await openShop()
  const settings = { DATABASE_URL: shop.databaseUrl, KEYS: readFileSync(shop.keyFile, 'utf8') }
  const rotate = await vaultRotate(settings)
  equal(rotate.code, 2, rotate.output)
  match(rotate.output, /all records are encrypted with k1\. Add a new key to KEYS, make it the active one/)
  match((await vaultRotate(settings, '--remove')).output, /the keys come from KEYS, which this command cannot change/)
  match((await vaultRotate(settings, '--again')).output, /--again is not a known argument/)
  match((await vaultRotate({ ...settings, KEYS: '{}' })).output, /KEYS does not contain valid keys/)
})

// After the test above: the service may seal with the key that is active for a moment here.
test('a key that still encrypts records is not removed from the key file; an unused key is removed', async () => {
  const shop = await openShop()
  await shop.create()
  const text = readFileSync(shop.keyFile, 'utf8')
  const next = withNewKey(JSON.parse(text) as Keys)
  writeOldKeys(shop.keyFile, next)
  const settings = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
  const refused = await vaultRotate(settings, '--remove')
  equal(refused.code, 2)
  match(refused.output, /records are not encrypted with k2 yet: run npm run vault:rotate first/)
  deepEqual(JSON.parse(readFileSync(shop.keyFile, 'utf8')), next)

  const back = { ...next, active: 'k1' }
  writeOldKeys(shop.keyFile, back)
  const removed = await vaultRotate(settings, '--remove')
  equal(removed.code, 0, removed.output)
  match(removed.output, /now contains only k1/)
  deepEqual(Object.keys((JSON.parse(readFileSync(shop.keyFile, 'utf8')) as Keys).sealing), ['k1'])
})

test('every npm command prints its help with --help, without any settings', () => {
  const root = join(import.meta.dirname, '..')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  for (const [name, script] of Object.entries(scripts)) {
    const args = script.split(' ').slice(1)
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args, '--help'], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })
    equal(status, 0, `${name}: ${stderr}`)
    match(stdout, new RegExp(name.startsWith('test') ? 'npm test' : `npm (run )?${name}`), name)
  }
})

const folder = mkdtempSync(join(tmpdir(), 'switchyard-bins-'))
after(() => rmSync(folder, { recursive: true }))

test('a BIN file is imported with progress and used by a running service; invalid lines are named, and an invalid file changes nothing', async () => {
  const shop = await openShop()
  const settings = { DATABASE_URL: shop.databaseUrl }
  const file = join(folder, 'bins.csv')
  const lines = Array.from({ length: 2500 }, (_, n) => `${41_000_000 + n},Visa,DEBIT,Bank ${n},GB`)
  writeFileSync(file, ['bin,network,type,issuer,country', ...lines, '424242,Visa,DEBIT,Known Bank,GB'].join('\n'))
  const imported = await binsImport(settings, file)
  equal(imported.code, 0, imported.output)
  match(imported.output, /1000 of 2501 entries[\s\S]*2501 of 2501 entries[\s\S]*Imported 2501 entries/)
  await shop.service.settings.refresh()
  equal((await shop.pay()).payment_method_data.card.card_issuer, 'Known Bank')

  writeFileSync(file, 'bin,network,type,issuer\n424243,Visa,DEBIT,Other Bank\n4,Visa')
  const inPart = await binsImport(settings, file)
  equal(inPart.code, 0, inPart.output)
  match(inPart.output, /Imported 1 entries\.\n1 invalid lines were skipped:\n {2}line 3: bin must have 6 to 8 digits/)

  writeFileSync(file, 'bin,network\n42424,Visa\n4,Visa')
  const refused = await binsImport(settings, file)
  equal(refused.code, 2)
  match(refused.output, /the import failed or is incomplete.*line 3: bin must have 6 to 8 digits/)
  match((await binsImport(settings, join(folder, 'none.csv'))).output, /none\.csv cannot be read: /)
  match((await binsImport(settings)).output, /one file argument is required/)
  equal((await shop.query("select issuer from card_bins where prefix = '424242'"))[0]!.issuer, 'Known Bank')
})

test('the identity files for both sides of a split vault are created, work together, and are never overwritten', async () => {
  const into = join(folder, 'identities')
  const made = await vaultIdentities(into)
  equal(made.code, 0, made.output)
  const [service, vault] = ['service', 'vault'].map(side => readIdentity(join(into, `${side}.json`)))
  const clock = () => 0
  const message = await (await openSealedMessages(service!, clock)).write({ id: 'ask_1', does: 'read' })
  equal((await (await openSealedMessages(vault!, clock)).read<{ does: string }>(message)).does, 'read')
  equal((await vaultIdentities(into)).code, 1, 'nothing is written over')
  throws(() => readIdentity(join(into, 'none.json')), /VAULT_IDENTITY .*none\.json cannot be read/)
  throws(() => readIdentity(null), /VAULT_IDENTITY must be set/)
})

test('links for a password reset and for the first owner are created without the service, and the service accepts them', async () => {
  const shop = await openShop()
  const env = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile, PUBLIC_URL: shop.url }
  const first = await userLink(env, '--merchant', shop.merchant_id)
  equal(first.code, 0, first.output)
  const tokenIn = (output: string) => /token=(\w+)/.exec(output)![1]
  const email = 'olga@shop.example'
  const password = 'correct horse battery staple'
  equal((await http('POST', `${shop.url}/user/first`, { token: tokenIn(first.output), email, password })).status, 200)
  const reset = await userLink(env, email)
  equal((await http('POST', `${shop.url}/user/password/reset`, { token: tokenIn(reset.output), password })).status, 200)
  const refused = await userLink(env, '--merchant', shop.merchant_id)
  equal(refused.code, 2)
  match(refused.output, /has an owner already/)
  match((await userLink(env)).output, /an e-mail address is required/)
  match((await userReset2fa(env, email)).output, /has no second factor/)
  match((await userReset2fa(env)).output, /an e-mail address is required/)
  match((await userReset2fa(env, 'nobody@shop.example')).output, /No such user exists/)
  match((await userLink(env, 'nobody@shop.example')).output, /No such user exists/)
})
