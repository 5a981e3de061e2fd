import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { start } from '../src/service.ts'
import { ADMIN_KEY, http, newDatabase, testConfig } from './shop.ts'

/** Reads all bytes from a connection, from now on; `until` waits for a pattern. */
function listen(socket: ReturnType<typeof connect>) {
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
  })
  return async (wanted: RegExp): Promise<string> => {
    while (!wanted.test(received)) await new Promise(resolve => socket.once('data', resolve))
    const text = received
    received = ''
    return text
  }
}

/** Opens a separate service, which ends before the file does. */
async function openService() {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-stopping-'))
  const database = await newDatabase()
  const service = await start(testConfig(database.url, folder), { log: { info() {}, warn() {}, error() {} }, scheduler: 'by hand' })
  const tidy = async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { service, tidy }
}

test('a request during shutdown receives a 503 error with Retry-After, and its connection is closed', async () => {
  const { service, tidy } = await openService()
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const until = listen(socket)
  const ask = 'GET /payments/x HTTP/1.1\r\nhost: x\r\norigin: https://shop.example\r\n'
  // The second request has begun, so the connection is not idle when the service stops.
  socket.write(`${ask}\r\n${ask}`)
  match(await until(/\}\}$/), /^HTTP\/1\.1 401 /)
  const closed = service.close()
  // The last request is still open; jobs and deliveries have ended, so that none begins that would take its time.
  while (service.closes() !== 'requests') await new Promise(setImmediate)
  socket.write('\r\n')
  const answer = await until(/\}\}$/)
  match(answer, /^HTTP\/1\.1 503 /)
  for (const header of [
    /^connection: close\r$/im,
    /^retry-after: \d+\r$/im,
    /^content-type: application\/json/im,
    /^x-request-id: /im,
    /^access-control-allow-origin: \*\r$/im,
  ])
    match(answer, header)
  const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
  equal(error.code, 'HE_00')
  equal(error.type, 'api')
  match(error.message, /shutting down/)
  await closed
  await tidy()
})

test('neither an open event stream nor an idle connection delays the shutdown', {
  timeout: 180_000,
}, async () => {
  const { service, tidy } = await openService()
  const admin = { 'api-key': ADMIN_KEY }
  await http('POST', `${service.url}/accounts`, { merchant_id: 'chairs' }, admin)
  const { body } = await http('POST', `${service.url}/api_keys/chairs`, { name: 'server', expiration: 'never' }, admin)
  const agent = new Agent({ keepAlive: true })
  const stream = await new Promise<IncomingMessage>(resolve =>
    get(`${service.url}/events/stream`, { agent, headers: { 'api-key': body.api_key } }, resolve),
  )
  equal(stream.statusCode, 200)
  const ended = new Promise(resolve => stream.on('end', resolve).resume())
  const silent = connect(Number(new URL(service.url).port), '127.0.0.1')
  await new Promise(resolve => silent.once('connect', resolve))
  await service.close()
  await ended
  agent.destroy()
  silent.destroy()
  await tidy()
})

test('a service that cannot listen closes what it has opened, and leaves no connection to its database', async () => {
  const { service, tidy } = await openService()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-stopping-'))
  const database = await newDatabase()
  const taken = testConfig(database.url, folder, { port: Number(new URL(service.url).port) })
  const log = { info() {}, warn() {}, error() {} }
  await rejects(start(taken, { log, scheduler: 'by hand' }), /PORT/)
  const client = new pg.Client(database.url)
  await client.connect()
  const others = 'select application_name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  // A connection ends within a few looks at the server, and an idle one that is not closed only after many thousands.
  let left = await client.query(others)
  for (let looks = 0; looks < 1000 && left.rowCount !== 0; looks++) left = await client.query(others)
  deepEqual(left.rows, [])
  await client.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
  await service.close()
  await tidy()
})
