import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { ADMIN_KEY, card, http, newDatabase, testConfig } from '../../test/shop.ts'
import { openVaultProcess } from '../../test/split-vault.ts'
import type { Config } from '../config.ts'
import { start } from '../service.ts'
import { type Keys, newKeys, withNewKey, withoutOldKeys } from './keys.ts'
import { newIdentities } from './sealed-messages.ts'

/** A deployment whose service starts again and again on one database, with keys and settings of the test's choice. */
async function openDeployment(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-deployment-'))
  const database = await newDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const keyFile = join(folder, 'keys.json')
  const log = { info() {}, warn() {}, error() {} }
  return {
    keyFile,
    databaseUrl: database.url,
    rows: async (text: string) => (await client.query(text)).rows,
    keys: () => JSON.parse(readFileSync(keyFile, 'utf8')) as Keys,
    useKeys: (keys: Keys) => writeFileSync(keyFile, JSON.stringify(keys)),
    /** Starts the service, does `what` with its address and an API key of a new merchant, and stops it. */
    async run(what: (url: string) => Promise<unknown> = async () => {}, more: Partial<Config> = {}): Promise<void> {
      const service = await start(testConfig(database.url, folder, more), { log, scheduler: 'by hand' })
      try {
        await what(service.url)
      } finally {
        await service.close()
      }
    },
  }
}

const another = (): Keys => JSON.parse(newKeys())
const makeMerchant = async (url: string) => {
  const admin = { 'api-key': ADMIN_KEY }
  equal((await http('POST', `${url}/accounts`, { merchant_id: 'chairs' }, admin)).status, 200)
  const { body } = await http('POST', `${url}/api_keys/chairs`, { name: 'server', expiration: 'never' }, admin)
  return { 'api-key': body.api_key }
}

test('before the first merchant, a process with another sealing or lookup key is refused, and the refusal names the key', async t => {
  const deployment = await openDeployment(t)
  await deployment.run()
  const own = deployment.keys()
  const { lookup, sealing } = another()
  deployment.useKeys({ ...own, lookup })
  await rejects(
    deployment.run(),
    /KEY_FILE .*keys\.json does not contain the keys that this database was encrypted with: its key lookup is another one/,
  )
  deployment.useKeys({ ...own, sealing })
  await rejects(deployment.run(), /its key k1 is another one \(it would seal records that no other process can open\)/)
  deployment.useKeys(own)
  await deployment.run()
})

test('the keys themselves cannot be read from their checks', async t => {
  const deployment = await openDeployment(t)
  await deployment.run()
  const { lookup, sealing } = deployment.keys()
  const rows = JSON.stringify(await deployment.rows('select * from deployment_checks'))
  for (const key of [lookup, sealing.k1!])
    for (const form of ['base64', 'base64url', 'hex'] as const) ok(!rows.includes(Buffer.from(key, 'base64').toString(form)))
})

test('a key that was added is known to every later process, and one that seals nothing any more may be removed', async t => {
  const deployment = await openDeployment(t)
  await deployment.run(makeMerchant)
  const first = deployment.keys()
  const rotated = withNewKey(first)
  deployment.useKeys(rotated)
  await deployment.run()
  deployment.useKeys({ ...rotated, sealing: { ...rotated.sealing, k2: another().sealing.k1! } })
  await rejects(deployment.run(), /its key k2 is another one/)
  // The merchant's own keys are sealed with k1.
  deployment.useKeys(withoutOldKeys(rotated))
  await rejects(deployment.run(), /the key k1 is missing, and records are encrypted with it/)
  deployment.useKeys(rotated)
  await deployment.run()
})

test('a deployment without checks takes its keys only if its API keys, accounts and cards were made with them', async t => {
  const deployment = await openDeployment(t)
  let apiKey: Record<string, string> = {}
  await deployment.run(async url => {
    apiKey = await makeMerchant(url)
    const { customer_id } = (await http('POST', `${url}/customers`, {}, apiKey)).body
    const saved = { payment_method: 'card', customer_id, card: card().card }
    equal((await http('POST', `${url}/payment_methods`, saved, apiKey)).status, 200)
  })
  const own = deployment.keys()
  const before = () => deployment.rows('delete from deployment_checks')
  await before()
  deployment.useKeys({ ...own, lookup: another().lookup })
  await rejects(deployment.run(), /its key lookup is another one/)
  deepEqual(await deployment.rows('select * from deployment_checks'), [], 'nothing is written of refused keys')
  deployment.useKeys({ ...own, sealing: another().sealing })
  await rejects(deployment.run(), /does not contain the keys that this database was encrypted with/)
  deployment.useKeys(own)
  await deployment.run(async url => equal((await http('GET', `${url}/customers/list`, undefined, apiKey)).status, 200))
  deepEqual(
    (await deployment.rows('select name from deployment_checks order by name')).map(({ name }) => name),
    ['kind', 'lookup', 'sealing k1'],
  )
})

test('without VAULT_URL, no process starts on a deployment with a separate vault, and none takes the database of the other', async t => {
  const deployment = await openDeployment(t)
  const split = await openVaultProcess(await newDatabase(), Date.now)
  t.after(() => split.close())
  await deployment.run(undefined, {})
  await deployment.run(makeMerchant, { vault: split.setting })
  await rejects(deployment.run(), /VAULT_URL must be set: card numbers of this deployment are stored by the vault process/)
  await deployment.rows('delete from deployment_checks')
  await deployment.run(undefined, { vault: split.setting })
  await rejects(deployment.run(), /VAULT_URL must be set/)
  await rejects(deployment.run(undefined, { databaseUrl: split.databaseUrl }), /DATABASE_URL names the database of the vault process/)
  const { vault: identity } = await newIdentities()
  const keys = { mode: 'test', keys: null, command: null, file: deployment.keyFile } as const
  const config = { databaseUrl: deployment.databaseUrl, databaseConnections: 2, keys, identity, host: '127.0.0.1', port: 0 }
  const { startVault } = await import('./process.ts')
  await rejects(startVault(config, { info() {}, warn() {}, error() {} }), /DATABASE_URL names the database of a service/)
})

test('a service that its vault process does not recognize is refused; one that starts before the vault process takes payments', async t => {
  const deployment = await openDeployment(t)
  const split = await openVaultProcess(await newDatabase(), Date.now)
  t.after(() => split.close())
  const { service, vault } = await newIdentities()
  for (const identity of [service, vault, split.identities.vault])
    await rejects(deployment.run(undefined, { vault: { ...split.setting, identity } }), /VAULT_IDENTITY is not the other side of/)
  await split.stop()
  await deployment.run(
    async url => {
      const apiKey = await makeMerchant(url)
      const saved = { payment_method: 'card', customer_id: 'ada', card: card().card }
      await http('POST', `${url}/customers`, { customer_id: 'ada' }, apiKey)
      equal((await http('POST', `${url}/payment_methods`, saved, apiKey)).status, 503)
      await split.again()
      equal((await http('POST', `${url}/payment_methods`, saved, apiKey)).status, 200)
    },
    { vault: split.setting },
  )
})

test('a vault process with other keys is refused, and seals no card under them', async t => {
  const split = await openVaultProcess(await newDatabase(), Date.now)
  t.after(() => split.close())
  await split.stop()
  const own = readFileSync(split.keyFile, 'utf8')
  const keys = JSON.parse(own) as Keys
  for (const [name, wrong] of [
    ['k1', { ...keys, sealing: another().sealing }],
    ['lookup', { ...keys, lookup: another().lookup }],
  ] as const) {
    writeFileSync(split.keyFile, JSON.stringify(wrong))
    await rejects(split.again(), new RegExp(`its key ${name} is another one`))
  }
  writeFileSync(split.keyFile, own)
  await split.again()
})
