import { deepEqual, equal, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../../launch/postgres.ts'
import { DatabaseAway, openReader } from './connection.ts'
import { openWriter } from './writer.ts'

/** A standby server, to which an address may lead for a moment after a failover. */

const folder = mkdtempSync(join(tmpdir(), 'switchyard-standby-'))
const dataDir = join(folder, 'pg')
const settings = { fsync: 'off' }
const first = await startPostgres({ dataDir, settings })
const { url } = first
const ask = async (text: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(text).finally(() => client.end())
}
await ask('create table kept (id int primary key)')
await first.stop()
await first.ended
writeFileSync(join(dataDir, 'cluster', 'standby.signal'), '')
const standby = await startPostgres({ dataDir, settings })
const reader = openReader(url, 2, () => {})
let now = 0
const writer = openWriter(
  url,
  ms => pause(ms),
  () => now,
)
after(async () => {
  await writer.close()
  await reader.close()
  await standby.stop()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (id: number) => ({
  statement: { name: 'keep', text: 'insert into kept (id) values ($1) on conflict do nothing' },
  values: [id],
  proof: { statement: { name: 'kept', text: 'select 1 from kept where id = $1' }, values: [id] },
  key: String(id),
})

test('a standby counts as unavailable: it is neither read nor written, and is used once it is promoted', async () => {
  equal((await ask('select pg_is_in_recovery() as follows')).rows[0].follows, true)
  const count = { name: 'count', text: 'select count(*)::int as n from kept' }
  await rejects(reader.query(count, []), DatabaseAway)
  const refused = rejects(writer.write(insert(1)), DatabaseAway)
  now += 3000
  await refused
  const waits = writer.write(insert(2))
  await ask('select pg_promote()')
  equal(await waits, true)
  deepEqual(await reader.query(count, []), [{ n: 1 }])
})
