import { ok, rejects } from 'node:assert/strict'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { openPlace, testConfig } from '../../test/shop.ts'
import { start } from '../service.ts'

const CLIENTS = 128

test('many clients that connect at once are accepted together, without an event-loop turn for each', async () => {
  const { service } = await openPlace()
  const sockets = Array.from({ length: CLIENTS }, () => connect(Number(new URL(service.url).port), '127.0.0.1'))
  let answered = 0
  for (const socket of sockets) socket.once('data', () => answered++).write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  let turns = 0
  // All clients wait before the first turn: the kernel completes connections by itself.
  while (answered < CLIENTS) {
    await new Promise(setImmediate)
    turns++
  }
  for (const socket of sockets) socket.destroy()
  ok(turns < CLIENTS / 2, `${turns} turns for ${CLIENTS} clients`)
})

test('a second deployment cannot listen on a port that is in use, although one service listens on it several times', async () => {
  const { service, databaseUrl, keyFile } = await openPlace()
  const port = Number(new URL(service.url).port)
  const log = { info() {}, warn() {}, error() {} }
  await rejects(start(testConfig(databaseUrl, dirname(keyFile), { port }), { log, scheduler: 'by hand' }), /PORT=\d+ is in use/)
})
