import { deepEqual, equal, ok } from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { migrate } from '../src/database/migrate.ts'
import { endFile } from './endings.ts'
import { payBody } from './merchant.ts'
import { MIGRATIONS, nextMigrations, writeMigrations } from './next-release.ts'
import { isRefused } from './refused.ts'
import { asThen, type Recorded, recordDay, sayAgain } from './releases.ts'
import { http, newDatabase, openPlace } from './shop.ts'

/**
 * While a release is rolled out, processes of the release before still run, on the schema of the new one. The
 * statements of releases are recorded (`releases/VERSION.json`, once, when the release is made: `--record`). This
 * release is tested against the next one, of which only one thing is known: it may add to any table.
 */

const root = join(import.meta.dirname, '..')
const folder = join(import.meta.dirname, 'releases')
const migrations = readdirSync(join(root, MIGRATIONS)).sort()

const recorded: Record<string, Recorded> = { 'this release': await recordDay(migrations) }
if (process.env.RECORD) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(folder, `${version}.json`), JSON.stringify(recorded['this release']))
}
for (const file of readdirSync(folder).filter(file => file.endsWith('.json')))
  recorded[file] = JSON.parse(readFileSync(join(folder, file), 'utf8'))

/** Makes an empty database with the schema of these migrations; `bring` applies further ones. */
async function migrated(t: TestContext, files: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const [database, lying] = [await newDatabase('template0'), mkdtempSync(join(tmpdir(), 'switchyard-migrations-'))]
  t.after(async () => {
    await database.drop()
    rmSync(lying, { recursive: true })
  })
  const bring = async (files: readonly string[], more: Readonly<Record<string, string>>) => {
    for (const file of files) copyFileSync(join(root, MIGRATIONS, file), join(lying, file))
    writeMigrations(lying, more)
    await migrate(database.url, { folder: lying, wait: ms => new Promise(done => setTimeout(done, ms)) })
  }
  await bring(files, more)
  return { url: database.url, bring }
}

for (const [release, past] of Object.entries(recorded)) {
  test(`the recorded statements of ${release} cover the main tables`, () => {
    for (const table of ['payments', 'processor_operations', 'refunds', 'changes', 'listings', 'outbox', 'idempotency_keys', 'deliveries'])
      ok(
        past.statements.some(text => text.includes(`insert into ${table} `)),
        table,
      )
    ok(past.statements.length > 60 && past.calls.length > 150, `${past.statements.length} statements, said ${past.calls.length} times`)
  })

  test(`every recorded statement of ${release} has the same result on the schema of the next release`, async t => {
    deepEqual(await sayAgain((await migrated(t, migrations, nextMigrations)).url, past), [])
  })

  test(`a database of ${release} is migrated to the next schema while its statements run, and their results do not change`, async t => {
    const { url, bring } = await migrated(t, past.migrations)
    const wrong = await sayAgain(url, past, () => Promise.all([1, 2].map(() => bring(migrations, nextMigrations))))
    deepEqual(wrong, [])
  })

  test(`data written by ${release} is shown unchanged by the next release, which continues with it`, async t => {
    t.after(endFile)
    const { url } = await migrated(t, migrations, nextMigrations)
    await sayAgain(url, past)
    const { service } = await openPlace(
      { keys: { mode: 'test', keys: past.shop.keys, command: null, file: null } },
      context => context,
      async () => ({ url, drop: async () => {} }),
    )
    const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      http(method, service.url + path, body, { 'api-key': past.shop.api_key, ...headers })
    for (const { path, body } of past.shown) deepEqual(asThen(body, (await call('GET', path)).body), body, path)
    const paid = await call('POST', '/payments', payBody())
    deepEqual([paid.status, paid.body.status], [200, 'succeeded'], paid.text)
    isRefused(await call('POST', `${past.shown[0]!.path}/cancel`, {}), 400, 'IR_16')
    const kept = await call('POST', '/payments', past.kept, { 'idempotency-key': 'k-1' })
    deepEqual([kept.status, kept.body.status, kept.headers['idempotent-replayed']], [200, 'succeeded', 'true'])
    equal(kept.body.payment_id, past.kept.payment_id)
  })
}
