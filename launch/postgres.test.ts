import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { findNative } from './binaries.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { look } from './proc.mjs'
import { pathWithout, processesAbout, quick, talk, tempDir, until } from './rehearsal.ts'
import { chooseWay, command } from './server-user.ts'
import { fits } from './socket-dir.ts'
import { serversOf } from './stale-processes.ts'

const dataDir = tempDir()
const cluster = join(dataDir, 'cluster')
const start = () => startPostgres({ dataDir, settings: quick })

/** A process that starts PostgreSQL there and waits to be killed. */
function starter(dir: string, env: Record<string, string> = {}) {
  const script = join(tempDir(), 'starter.mjs')
  writeFileSync(
    script,
    `const { startPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))})
     const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dir)}, settings: ${JSON.stringify(quick)} })
     console.log('pid ' + pid + '.')
     setInterval(() => {}, 1000)`,
  )
  const talker = talk(process.execPath, [script], { env })
  after(() => void talker.child.kill('SIGKILL'))
  return talker
}

async function query(server: Postgres, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('PostgreSQL starts, stops and starts again with its data kept', async () => {
  const first = await startPostgres({ dataDir })
  assert.deepEqual(
    await query(first, "select current_database(), current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync"),
    [{ current_database: 'switchyard', fsync: 'on', sync: 'on' }],
  )
  await query(first, 'create table kept as select 7 as n')
  await first.stop()
  await first.stop()
  assert.equal(look(first.pid), null)
  const again = await start()
  assert.deepEqual(await query(again, 'select n from kept'), [{ n: 7 }])
  assert.equal((await query(again, "select * from pg_settings where name = 'listen_addresses' and setting <> ''")).length, 0)
  assert.equal(statSync(again.socketDir).mode & 0o077, 0)
  assert.ok(new URL(again.url).pathname === '/switchyard')
  await again.stop()
})

test('a second start on the same data is refused with the process id of the holder', async () => {
  const server = await start()
  await assert.rejects(start(), new RegExp(`in use by process ${process.pid} `))
  const other = starter(dataDir)
  await other.waitFor(`in use by process ${process.pid} `)
  await server.stop()
})

test('a stale pid file does not prevent a start, whether its pid is unused, of another program or of a zombie', async () => {
  const rest = `${cluster}\n1700000000\n5432\n${dataDir}/socket\n\n  1234567    123456\nready   \n`
  const zombie = talk('sh', ['-c', 'true & echo "child $!."; exec sleep 20'])
  await zombie.waitFor('.')
  for (const pid of [4_000_000, process.pid, Number(/\d+/.exec(zombie.output())![0])]) {
    writeFileSync(join(cluster, 'postmaster.pid'), `${pid}\n${rest}`)
    writeFileSync(join(dataDir, 'socket', '.s.PGSQL.5432.lock'), `${pid}\n${rest}`)
    await (await start()).stop()
  }
  writeFileSync(join(cluster, 'postmaster.pid'), '')
  await (await start()).stop()
  zombie.child.kill('SIGKILL')
})

test('a server left running by an earlier start is stopped before a new one starts', async () => {
  const way = chooseWay(findNative(), dataDir, [join(dataDir, 'socket')])
  const call = command(way, join(way.native, 'bin', 'postgres'), ['-D', cluster, '-c', 'listen_addresses=', '-k', join(dataDir, 'socket')])
  const orphan = spawn(call.command, call.args, { ...call.options, stdio: 'ignore', detached: true })
  await until('the orphan runs', () => existsSync(join(dataDir, 'socket', '.s.PGSQL.5432')))
  const lines: string[] = []
  const server = await startPostgres({ dataDir, settings: quick, log: line => lines.push(line) })
  assert.match(lines.join(), /left by an earlier start/)
  assert.equal(look(orphan.pid!), null)
  assert.deepEqual(await query(server, 'select n from kept'), [{ n: 7 }])
  await server.stop()
})

test('backends that outlive a killed server are stopped at the next start', async () => {
  const server = await start()
  const client = new pg.Client(server.url)
  client.on('error', () => {})
  await client.connect()
  client.query('do $$ begin loop end loop; end $$').catch(() => {})
  for (let busy = 0; busy === 0; )
    busy = (await query(server, "select 1 from pg_stat_activity where query like 'do $$%' and state = 'active'")).length
  process.kill(server.pid, 'SIGKILL')
  assert.match(await server.ended, /SIGKILL/)
  assert.ok(serversOf(cluster).length > 0)
  const again = await start()
  assert.deepEqual(await query(again, 'select n from kept'), [{ n: 7 }])
  await again.stop()
})

for (const [how, missing] of [
  ['with setpriv', []],
  ['without setpriv', ['setpriv']],
] as const) {
  test(`five seconds after the launcher is killed with -9, no process is left, ${how}`, async () => {
    const owner = starter(dataDir, missing.length === 0 ? {} : { PATH: pathWithout(...missing) })
    await owner.waitFor('.')
    const pid = Number(/\d+/.exec(owner.output())![0])
    assert.notEqual(look(pid), null)
    owner.child.kill('SIGKILL')
    await until('all gone', () => look(pid) === null && processesAbout(dataDir).length === 0)
  })
}

test('a cluster whose initialization was interrupted is created again', async () => {
  const dir = tempDir()
  const maker = starter(dir)
  await until('half a cluster', () =>
    readdirSync(dir).some(name => name.startsWith('cluster.making-') && existsSync(join(dir, name, 'base'))),
  )
  maker.child.kill('SIGKILL')
  await maker.ended
  assert.ok(!existsSync(join(dir, 'cluster')))
  const server = await startPostgres({ dataDir: dir, settings: quick })
  assert.deepEqual(
    readdirSync(dir).filter(name => name.includes('making')),
    [],
  )
  await server.stop()
})

test('a data folder whose path is too long or unusual for a socket is supported', async () => {
  const dir = join(tempDir(), 'it\'s, a "long" path, ', 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(dir, { recursive: true })
  for (const before of ['', mkdtempSync(join(tmpdir(), 'switchyard-'))]) {
    if (before !== '') writeFileSync(join(dir, 'socket-dir'), before) // as a start that crashed leaves it
    const server = await startPostgres({ dataDir: dir, settings: quick })
    if (before !== '') assert.equal(server.socketDir, before)
    assert.ok(fits(server.socketDir))
    assert.equal(statSync(server.socketDir).mode & 0o077, 0)
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
    await server.stop()
    assert.ok(!existsSync(server.socketDir))
  }
  const strange = join(dirname(dirname(dir)), 'short')
  const server = await startPostgres({ dataDir: strange, settings: quick })
  assert.equal(server.socketDir, join(strange, 'socket'))
  await server.stop()
})

test('a failed start reports the error message of PostgreSQL, and the next start succeeds', async () => {
  const conf = join(cluster, 'postgresql.conf')
  const before = readFileSync(conf)
  appendFileSync(conf, '\nsurely this is wrong\n')
  await assert.rejects(start(), /syntax error in file .*postgresql\.conf/s)
  writeFileSync(conf, before)
  await assert.rejects(
    startPostgres({ dataDir, settings: { ...quick, max_connections: 'many' } }),
    /invalid value for parameter "max_connections"/,
  )
  await (await start()).stop()
})

test('a start can be aborted, and leaves no process', async () => {
  const off = new AbortController()
  const dir = tempDir()
  const starting = startPostgres({ dataDir: dir, settings: quick, signal: off.signal })
  setTimeout(() => off.abort(new Error('called off')), 60)
  await assert.rejects(starting, /called off/)
  assert.deepEqual(processesAbout(dir), [])
  await (await startPostgres({ dataDir: dir, settings: quick })).stop()
})
