import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '../../test/form.ts'
import { type Crossing, dyingService } from '../../test/long/dying.ts'
import { balances, differencesOf, line, proven, settledLines, take, takeLines } from '../../test/settlement.ts'
import { settlementFile } from '../../test/settlement-file.ts'
import { type Body, http, openShop, type Shop } from '../../test/shop.ts'
import type { SettlementLine } from './line.ts'
import { AccountTaken } from './write.ts'

/** A reader that dies, and readers at once: the ledger ends as after one reading. */

const columns = JSON.stringify({
  columns: {
    ...{ request_id: 'merchant_reference', reference: 'transaction', type: 'type', currency: 'currency', gross: 'gross', fee: 'fee' },
    batch: 'batch',
  },
  ...{ amounts: 'minor', types: { authorization: 'charge', reversal: 'refund' } },
})

/** A day of two currencies with their payouts: 976 and 315 less in USD, 1962 in EUR. */
async function soldInTwoCurrencies(): Promise<{ shop: Shop; report: string }> {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000, currency: 'USD' })
  await shop.pay({ amount: 2000, currency: 'EUR' })
  await shop.refund(payment_id, 300)
  const [header, ...rows] = (await settlementFile(shop)).trim().split('\n')
  const lines = rows.map(row => `${row},po_${row.split(',')[3]}`)
  const payouts = ['po_USD,,payout,USD,-661,0,-661,,po_USD', 'po_EUR,,payout,EUR,-1962,0,-1962,,po_EUR']
  return { shop, report: `${[`${header},batch`, ...lines, ...payouts].join('\n')}\n` }
}
const afterwards = { sales: -3000, refunds: 300, fees: 77, in_transit: 2623 }

const upload = (shop: Shop, url: string, report: string, mode: string) => {
  const { body, headers } = formOf({ file: report, merchant_connector_id: shop.merchant_connector_id, columns, mode })
  return http('POST', `${url}/reconciliation/files`, body, { 'api-key': shop.api_key, ...headers })
}
const filesOf = async (shop: Shop) => (await shop.call('GET', '/reconciliation/files')).body.data
/** Reports of one account are read one after the other. */
async function allRead(shop: Shop): Promise<void> {
  do await shop.wait('3 seconds')
  while ((await filesOf(shop)).some(({ state }: Body) => state === 'waiting'))
}
/**
 * The commits of an upload and its reading: the file, its last part, the account; then the postings of both currencies
 * and what follows. Of what is matched as a whole, the fourth is the file itself.
 */
const dead: readonly (readonly [mode: string, at: Crossing])[] = [
  ['what matches', 'commit.4.before'],
  ['what matches', 'commit.4.after'],
  ['all or nothing', 'commit.5.before'],
]

for (const [mode, at] of dead)
  test(`${mode}: a reader that is killed at ${at}, its lines written, leaves a report that is posted once`, async () => {
    const { shop, report } = await soldInTwoCurrencies()
    const died = await dyingService(shop, at, async (url, tick) => {
      equal((await upload(shop, url, report, mode)).status, 202)
      await tick()
    })
    equal(died, 'died')
    const [{ unposted }] = (await shop.query(
      'select count(*)::int as unposted from settlement_chunks where merchant_id = $1 and not posted',
      [shop.merchant_id],
    )) as [{ unposted: number }]
    // The postings of both currencies are commits at once.
    if (at.endsWith('before')) equal(unposted, 2)
    await shop.wait('20 minutes')
    await allRead(shop)
    deepEqual(await balances(shop), afterwards)
    await upload(shop, shop.url, report, mode)
    await allRead(shop)
    const [again, first] = await filesOf(shop)
    deepEqual([first.state, again.state, again.counts.known, again.counts.matched], ['done', 'done', 5, 0])
    deepEqual([await balances(shop), await differencesOf(shop)], [afterwards, []])
    await proven(shop)
  })

test('what a command that was killed has left is posted by the service, without another report', async () => {
  const { shop, report } = await soldInTwoCurrencies()
  await dyingService(shop, 'commit.4.before', async (url, tick) => {
    await upload(shop, url, report, 'what matches')
    await tick()
  })
  await shop.query('update settlement_files set work_at = null where merchant_id = $1', [shop.merchant_id])
  await shop.wait('12 minutes')
  deepEqual(await balances(shop), afterwards)
  const [{ state, problem }] = await filesOf(shop)
  deepEqual([state, /read it again/.test(problem)], ['failed', true])
  await proven(shop)
})

test('several readers of the same report at once post it once; those that come second are told to wait', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 2000 })
  const lines = await settledLines(shop)
  const read = await Promise.allSettled([1, 2, 3, 4].map(() => take(shop, lines)))
  const refused = read.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  ok(refused.length < 4 && refused.every(error => error instanceof AccountTaken), String(refused))
  deepEqual(await balances(shop), { sales: -3000, fees: 62, settled: 2938 })
  equal((await take(shop, lines)).counts!.known, 2)
  await proven(shop)
})

test('the same report that is uploaded three times at once is read three times, one after the other', async () => {
  const { shop, report } = await soldInTwoCurrencies()
  await Promise.all([1, 2, 3].map(() => upload(shop, shop.url, report, 'what matches')))
  await allRead(shop)
  const files = await filesOf(shop)
  deepEqual(files.map(({ counts }: { counts: { matched: number } }) => counts.matched).sort(), [0, 0, 5])
  deepEqual(await balances(shop), afterwards)
})

test('a reader that stalls loses the account to the next one, and writes nothing more when it goes on', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  const [sold] = await settledLines(shop)
  const fees = Array.from({ length: 5000 }, (_, i) => line({ at: i, type: 'fee', reference: `fee_${i}`, fee: 1 }))
  const lines = [...fees, sold!]
  let goOn = () => {}
  const stalled = new Promise<void>(resolve => (goOn = resolve))
  async function* slowly(): AsyncGenerator<SettlementLine> {
    yield* fees.slice(0, 4500)
    await stalled
    yield* lines.slice(4500)
  }
  const first = takeLines(shop, slowly())
  const [written] = [() => shop.query('select from settlement_lines where merchant_id = $1', [shop.merchant_id])]
  while ((await written()).length < 4000);
  await shop.wait('2 minutes')
  equal((await take(shop, lines)).counts!.known, 4000)
  goOn()
  await first.then(
    () => ok(false, 'the first reader has lost the account'),
    error => ok(error instanceof AccountTaken, String(error)),
  )
  deepEqual(await balances(shop), { sales: -1000, fees: 5024, settled: -4024 })
  await proven(shop)
})
