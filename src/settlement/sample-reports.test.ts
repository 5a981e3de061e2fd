import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { balances } from '../../test/settlement.ts'
import { type Body, openShop } from '../../test/shop.ts'
import { prove } from '../ledger/prove.ts'

/** Reports of sample data: a believable month for a first look at the reconciliation. */

test('sample payments come with a month of reports: most lines match, a few differ, payouts arrive, and the books are proved', async () => {
  const shop = await openShop()
  const { job_id } = (await shop.post('/sample_data', { payments: 130, days: 30 })).body
  const list = async (path: string): Promise<Body[]> => (await shop.call('GET', `/reconciliation/${path}`)).body.data
  await eventually(async () => {
    await shop.service.tick()
    return (await list('files')).length === 2 && (await list('files')).every(({ state }) => state === 'done')
  }, 'a report and a statement are read')
  equal((await shop.call('GET', `/sample_data/${job_id}`)).body.status, 'completed')
  const [statement, report] = await list('files')
  deepEqual([statement!.merchant_connector_id, report!.merchant_connector_id], [null, shop.merchant_connector_id])
  ok(report!.counts.matched > 60, String(report!.counts.matched))
  const causes = (await list('differences?state=open')).map(({ cause }) => cause)
  ok(causes.length >= 2 && causes.length < 8, causes.join())
  ok(causes.includes('missing_here') && causes.includes('amount_differs'), causes.join())
  const payouts = await list('payouts?limit=100')
  ok(payouts.some(({ arrived }) => arrived > 0) && payouts.some(({ paid_at, arrived }) => paid_at !== null && arrived === 0))
  const { bank = 0, fees = 0 } = await balances(shop)
  ok(bank > 0 && fees > 0)
  deepEqual(await prove(shop.service.context, shop.merchant_id), [])
})
