import { equal, ok } from 'node:assert/strict'
import { before, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Body, openPlace, openShop } from '../../shop.ts'

/**
 * Checks that must pass after a file of bad input. The service runs in the process of the file, so each file calls
 * them itself, in its last test.
 */

/** The allowed growth of the heap in megabytes since the first payment. */
const MAY_GROW = 24

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function megabytesHeld(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

let atFirst = 0
before(async () => {
  await (await openShop()).pay()
  atFirst = megabytesHeld()
})

export async function isUnharmed(t: TestContext): Promise<void> {
  const place = await openPlace()
  const shop = await openShop()
  equal((await shop.pay()).status, 'succeeded')
  // The lines of the request log wait in memory until they are written.
  await shop.service.tick()
  const errors = place.logs.filter(line => line.includes('"level":"error"'))
  equal(errors.length, 0, `${errors.length} errors in the log; the first:\n${errors.slice(0, 3).join('\n')}`)
  equal(({} as Body).polluted, undefined, 'nobody touched the prototype of all objects')
  place.logs.length = 0
  const now = megabytesHeld()
  t.diagnostic(`${Math.round(now)} MB of heap, ${Math.round(atFirst)} MB after the first payment`)
  ok(now - atFirst < MAY_GROW, `${Math.round(now - atFirst)} MB of heap more are still held than after the first payment`)
}
