import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { newDatabase } from '../../test/shop.ts'
import { isAway } from './connection.ts'
import { usualDeadlines } from './connection-settings.ts'
import { openWriteConnection } from './write-connection.ts'

const database = await newDatabase()
after(() => database.drop())

const noPause = () => Promise.resolve()
const never = () => false

test('a connection is opened on request and forgotten when dropped, and a late drop of an old one is ignored', async () => {
  const connection = openWriteConnection(database.url, usualDeadlines, noPause)
  equal(connection.pipeline(), null)
  const connecting = connection.connect(never)
  equal(connection.isConnecting(), true)
  await connecting
  equal(connection.isConnecting(), false)
  const first = connection.pipeline()!
  const ended = await first.transaction([{ statement: { name: 'one', text: 'select 1' }, values: [] }])
  deepEqual(ended, { is: 'committed', rows: [1] })
  connection.drop(first)
  equal(connection.pipeline(), null)
  await connection.connect(never)
  const second = connection.pipeline()
  // The end of the first connection is reported late: the second is not dropped because of it.
  connection.drop(first)
  equal(connection.pipeline(), second)
  await connection.close()
})

test('while the database is unavailable, the connection is retried at growing intervals until no write waits for it', async () => {
  const pauses: number[] = []
  const connection = openWriteConnection('postgresql://nobody@127.0.0.1:1/none', usualDeadlines, async ms => void pauses.push(ms))
  let tries = 0
  await connection.connect(error => {
    ok(isAway(error))
    return ++tries < 9
  })
  deepEqual(pauses, [20, 40, 80, 160, 320, 500, 500, 500])
  deepEqual([connection.pipeline(), connection.isConnecting()], [null, false])
  await connection.close()
})
