import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, http, openShop } from '../../test/shop.ts'

test('following the request log forwards returns every line once and applies the filters', async () => {
  const shop = await openShop()
  const other = await openShop()
  const all = async (query = ''): Promise<Body[]> => (await shop.call('GET', `/logs${query}`)).body.data
  const ids = (lines: Body[]) => lines.map(({ log_id }) => log_id)
  for (let i = 0; i < 3; i++) {
    await shop.pay({})
    isRefused(await shop.tryToPay({ amount: -1 }), 400, 'IR_06')
    isRefused(await shop.call('GET', `/payments/pay_${'0'.repeat(25)}${i}`), 404, 'HE_02')
  }
  await shop.service.tick()
  const lines = await all('?created_after=2020-01-01T00:00:00Z')
  const [newest, oldest] = [lines[0]!, lines.at(-1)!]
  // A line that is younger than three seconds may still get another line before it.
  deepEqual(await all(`?after_log=${oldest.log_id}`), [])
  await shop.wait('3 seconds')
  deepEqual(await all(`?after_log=${oldest.log_id}`), lines.slice(0, -1))
  deepEqual(await all(`?after_log=${oldest.log_id}&limit=2`), lines.slice(-3, -1))
  deepEqual(await all(`?after_log=${oldest.log_id}&before_log=${newest.log_id}`), lines.slice(1, -1))
  deepEqual(await all(`?after_log=${newest.log_id}`), [])
  deepEqual(await all(`?after_log=${oldest.log_id}&created_before=2020-01-01T00:00:00Z`), [])
  const refused = lines.filter(({ error_code }) => error_code === 'IR_06')
  equal(refused.length, 3)
  deepEqual(ids(await all('?error_code=IR_06')), ids(refused))
  deepEqual(ids(await all(`?error_code=IR_06&after_log=${refused[2]!.log_id}&limit=1`)), ids(refused.slice(1, 2)))
  deepEqual(await all('?error_code=IR_99'), [])
  deepEqual(
    await all(`?by=${encodeURIComponent(newest.by)}`),
    lines.filter(({ by }) => by === newest.by),
  )
  deepEqual(await all('?by=client'), [])
  deepEqual(await all(`?object_id=${lines.find(({ route }) => route === '/payments')!.object_id}&by=admin`), [])
  // A cursor of another merchant is only a point in time, and shows none of that merchant's lines.
  deepEqual((await other.call('GET', `/logs?after_log=${oldest.log_id}&by=${encodeURIComponent(newest.by)}`)).body.data, [])
  isRefused(await shop.call('GET', `/logs?after_log=${'x'.repeat(300)}`), 422, 'IR_06', /after_log/)
  isRefused(await http('GET', `${shop.url}/logs?after_log=${oldest.log_id}`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
