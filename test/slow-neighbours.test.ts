import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSandbox } from '../sandbox/server.ts'
import { cards, openPlace, openShop, type Shop } from './shop.ts'

/**
 * Two shops at the one processor, and the service's own patience (20 s). The processor is this file's own: it is closed over those whom it left hanging, so that
 * nobody waits for them.
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

/** So many payments of the shop are begun, and nobody has heard their end. */
async function areUnderWay(shop: Shop, many: number): Promise<void> {
  const count = "select count(*)::int as open from operations where merchant_id = $1 and state = 'open'"
  for (let i = 0; i < 10_000; i++) if ((await shop.query(count, [shop.merchant_id]))[0].open === many) return
  throw new Error(`${many} payments never got under way`)
}

test('a shop whose payments hang does not refuse another shop its payments, nor itself its questions', { timeout: 60_000 }, async t => {
  t.after(closeProcessor)
  const [slow, other] = await Promise.all([openShop(), openShop()])
  const unheard = await slow.pay({ card: cards.chargesAndResets })
  equal(unheard.status, 'processing')

  let answered = 0
  const hanging = Array.from({ length: 150 }, () => slow.pay({ card: cards.hangs }).finally(() => answered++))
  const all = Promise.all(hanging)
  await areUnderWay(slow, 150)

  const paid = await Promise.all(Array.from({ length: 20 }, () => other.pay()))
  for (const payment of paid) deepEqual([payment.status, payment.error_code], ['succeeded', null])
  equal((await slow.sync(unheard.payment_id)).status, 'succeeded', 'questions have turns of their own')
  equal(answered, 0, 'and all of this while the slow ones were under way')
  equal((await other.processor.charges()).length, 20)

  await closeProcessor()
  const ends = (await all).map(payment => `${payment.status} ${payment.error_code}`)
  const silent = ends.filter(end => end === 'processing null').length
  ok(silent >= 70, `${silent} were sent: that many may be under way at once`)
  equal(ends.filter(end => end === 'failed not_sent').length, 150 - silent, 'the others were never sent, and say so')
})
