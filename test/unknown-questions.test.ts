import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { admits } from '../src/http/auth.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { isRefused } from './refused.ts'
import { openShop } from './shop.ts'

/** Lists of all kinds are defined by one table, and refuse alike. */

test('list, count and search operations refuse an unknown filter, and name it', async () => {
  const shop = await openShop()
  const asked = endpoints.filter(
    ({ name, path, auth }) =>
      !path.includes('{') && admits(auth, 'secret') && /^(list|search|filters?|aggregate|export|retrieve)[A-Z]/.test(name),
  )
  ok(asked.length > 40, 'they are all here')
  const taken: string[] = []
  for (const { name, method, path } of asked) {
    const unknown = { colour: 'red' }
    const answer = method === 'GET' ? await shop.call('GET', `${path}?colour=red`) : await shop.call(method, path, unknown)
    if (answer.status < 300) {
      // An operation without filters ignores unknown parameters; a text that contains a null character is refused
      // everywhere.
      taken.push(name)
      isRefused(await shop.call(method, `${path}?colour=%00`), 400, 'IR_06', /colour/)
    } else isRefused(answer, answer.status, answer.body.error.code, /colour/)
  }
  deepEqual(
    taken.filter(name => !/^filters|Fallback/.test(name)),
    ['listCustomers', 'listCustomersWithCount', 'listOwnPaymentMethods', 'listPaymentMethods'],
    'as existing clients send more than they mean',
  )
})

test('evidence that is not a multipart form is refused', async () => {
  const shop = await openShop()
  isRefused(await shop.call('PUT', '/disputes/evidence', { dispute_id: 'dp_1' }), 400, 'IR_04', /multipart/)
})
