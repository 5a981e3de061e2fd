import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSandbox } from '../sandbox/server.ts'
import { cards, openPlace, openShop, type Shop } from './shop.ts'

/**
 * Two shops at one processor, with the service's own timeout (20 s). The processor belongs to this file: it is closed
 * while calls to it still hang, so that the test does not wait for them.
 */
const folder = mkdtempSync(join(tmpdir(), 'switchyard-slow-'))
const sandbox = await openSandbox({ port: 0, host: '127.0.0.1', ledgerFile: join(folder, 'sandbox.jsonl') })
process.env.TEST_SANDBOX_URL = sandbox.url
let closing: Promise<void> | undefined
const closeProcessor = () => {
  closing ??= sandbox.close()
  return closing
}
after(() => rmSync(folder, { recursive: true, force: true }))
await openPlace({ processorTimeoutMs: 20_000 })

/** Waits until this number of the shop's payments are at the processor, or on their way there. */
async function areBegun(shop: Shop, many: number, signal: AbortSignal): Promise<void> {
  const count = 'select count(*)::int as begun from processor_operations where merchant_id = $1'
  while (!signal.aborted && (await shop.query(count, [shop.merchant_id]))[0].begun < many);
}

test('hanging payments of a merchant block neither the payments of another merchant nor polls of the same one', {
  timeout: 180_000,
}, async t => {
  t.after(closeProcessor)
  const [slow, other] = await Promise.all([openShop(), openShop()])
  const unheard = await slow.pay({ card: cards.chargesAndResets })
  equal(unheard.status, 'processing')

  const hanging = Promise.all(Array.from({ length: 90 }, () => slow.pay({ card: cards.hangs })))
  await areBegun(slow, 91, t.signal)

  const paid = await Promise.all(Array.from({ length: 20 }, () => other.pay()))
  for (const payment of paid) deepEqual([payment.status, payment.error_code], ['succeeded', null])
  equal((await other.processor.charges()).length, 20)
  equal((await slow.sync(unheard.payment_id)).status, 'succeeded', 'questions have turns of their own')

  await closeProcessor()
  for (const payment of await hanging) deepEqual([payment.status, payment.error_code], ['processing', null])
})
