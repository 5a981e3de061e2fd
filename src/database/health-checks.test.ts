import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { join, openOwner } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop } from '../../test/shop.ts'

test('the operator is shown which database settings risk money, with the remedy; merchants are not', async () => {
  const shop = await openShop()
  const answer = await http('GET', `${shop.url}/deployment/database`, undefined, { 'api-key': ADMIN_KEY })
  equal(answer.status, 200, answer.text)
  const by = (name: string) => (answer.body.checks as Body[]).find(one => one.name === name)!
  // The databases of tests are fast, and not safe: the check finds each setting that is off.
  equal(answer.body.well, false)
  for (const name of ['fsync', 'full_page_writes', 'autovacuum']) {
    equal(`${by(name).value} ${by(name).well}`, 'off false')
    ok(by(name).remedy.includes(`${name} = on`))
  }
  for (const name of ['version', 'synchronous_commit', 'connections', 'longest_transaction', 'transaction_ids', 'standby_lag'])
    equal(by(name).well, true, answer.text)
  isRefused(await shop.call('GET', '/deployment/database'), 403, 'IR_22')
  isRefused(await http('GET', `${shop.url}/deployment/database`), 401, 'IR_01')
  const unreadable = await http('GET', `${shop.url}/deployment/database?colour=red`, undefined, { 'api-key': ADMIN_KEY })
  isRefused(unreadable, 400, 'IR_06', /colour/)
  const owner = await openOwner(shop)
  equal((await owner.get('/deployment/database')).status, 200, 'the first owner runs the deployment')
  isRefused(await (await join(shop, owner, 'admin')).get('/deployment/database'), 403, 'IR_22', /deployment/)
})
