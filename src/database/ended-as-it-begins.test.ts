import { ok, rejects } from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { DatabaseAway, openReader } from './connection.ts'
import { statement } from './statement.ts'

/** A message of PostgreSQL's protocol. */
const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const accepted = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const ended = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'))

test('a database that closes a connection in its first response counts as unavailable, and the service does not crash', async () => {
  let connections = 0
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      connections++
      socket.end(Buffer.concat([accepted, ready, ended]))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const reader = openReader(`postgres://switchyard@127.0.0.1:${port}/none`, 2, () => {})
  await rejects(reader.query(statement('anything', 'select 1'), []), DatabaseAway)
  ok(connections > 0)
  await reader.close()
  server.close()
})
