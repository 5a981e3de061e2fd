// Alone: it makes a database that cannot write.
import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop, type Shop } from '../../test/shop.ts'

/** PostgreSQL's own errors of a full disk and of no memory, raised where it would raise them: when a row is written. */
async function fill(shop: Shop, table: string, code: string): Promise<() => Promise<unknown>> {
  await shop.query(`create function full_${table}() returns trigger language plpgsql as $$ begin
    raise exception using errcode = '${code}', message = 'could not extend file "base/16384/16385": No space left on device'; end $$`)
  await shop.query(`create trigger full_${table} before insert on ${table} execute function full_${table}()`)
  return () => shop.query(`drop trigger full_${table} on ${table}; drop function full_${table}()`)
}

for (const [code, what] of [
  ['53100', 'disk'],
  ['53200', 'memory'],
] as const)
  test(`a payment that the database has no ${what} for is 503 with Retry-After, charges nobody, and succeeds later`, async () => {
    const shop = await openShop()
    const empty = await fill(shop, 'payments', code)
    const refused = await shop.tryToPay()
    isRefused(refused, 503, 'HE_00', /cannot write/)
    equal(Number(refused.headers['retry-after']) > 0, true)
    equal((await shop.processor.charges()).length, 0)
    await empty()
    equal((await shop.pay()).status, 'succeeded')
    equal((await shop.processor.charges()).length, 1)
  })

test('a result that the database has no room for is written later, and the customer is charged once', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  const empty = await fill(shop, 'outbox', '53100')
  const confirmed = shop.post(`/payments/${payment_id}/confirm`, {})
  await eventually(async () => (await shop.processor.charges()).length === 1, 'the customer is charged')
  await empty()
  equal((await confirmed).body.status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a service whose database cannot write is not ready, and the operator is told which disk', async () => {
  const shop = await openShop()
  const ready = () => http('GET', `${shop.url}/health/ready`)
  const disk = async () => {
    const { body } = await http('GET', `${shop.url}/deployment/database`, undefined, { 'api-key': ADMIN_KEY })
    return (body.checks as Body[]).find(({ name }) => name === 'disk')!
  }
  equal((await ready()).status, 200)
  equal((await disk()).well, true)
  const empty = await fill(shop, 'write_probes', '53100')
  await shop.wait('2 seconds')
  isRefused(await ready(), 503, 'HE_00', /database/)
  const { well, value } = await disk()
  equal(well, false)
  match(value, /base\/16384\/16385.*No space left/)
  await empty()
  equal((await ready()).status, 200)
  equal((await disk()).well, true)
})
