import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { admits } from '../src/http/auth.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { type Permission, permissions, permissionsOf, type Role, roles } from '../src/users/roles.ts'
import { rightOf } from './access.ts'
import { type Browser, browser, entered, join, openOwner, signIn } from './people.ts'
import { isRefused } from './refused.ts'
import { openPlace, openShop, type Shop } from './shop.ts'

/**
 * Every operation of the interface, called by every role: the operation accepts exactly the roles that the table of
 * this folder allows (`access.ts`).
 */

const pathOf = ({ path }: Endpoint, merchant_id: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'merchant_id' ? merchant_id : `none_${name}`))

/**
 * Calls an operation with a body that no schema accepts: a caller who is refused because of the body had the right,
 * and nothing has happened.
 */
const knock = (who: Browser, endpoint: Endpoint, merchant_id: string) =>
  who.call(endpoint.method, pathOf(endpoint, merchant_id), endpoint.method === 'GET' ? undefined : '{', {
    'content-type': endpoint.form ? 'multipart/form-data' : 'application/json',
  })

/** Whether an operation answers with a stream, which has no end. */
const endless = (endpoint: Endpoint): boolean => endpoint.answers === 'stream'

async function tryEveryEndpoint(shop: Shop, who: Browser, role: Role, mode: 'test' | 'live', operator: boolean): Promise<void> {
  const has = permissionsOf(role, mode)
  for (const endpoint of endpoints.filter(one => one.auth.credential !== 'nothing' && !endless(one))) {
    const right = rightOf(endpoint)
    const needed = right?.permission as Permission | null | undefined
    const may = right !== null && (needed == null || has.has(needed) || (needed === 'deployment' && operator))
    // An operation that reads no body would be carried out, so it is not called.
    if (may && endpoint.method !== 'GET' && !endpoint.body) continue
    const answer = await knock(who, endpoint, shop.merchant_id)
    if (may) ok(![401, 403].includes(answer.status), `${role} ${mode} ${endpoint.name}: ${answer.text}`)
    else {
      isRefused(answer, 403, 'IR_22')
      if (right !== null) ok(answer.text.includes(needed!), `${endpoint.name} names ${needed}: ${answer.text}`)
    }
  }
}

test('every operation admits the roles of the permission table, and names the permission that other roles lack', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  equal(owner.user.operator, true)
  const team = new Map<Role, Browser>()
  for (const role of roles) team.set(role, await join(shop, owner, role))
  for (const role of roles) await tryEveryEndpoint(shop, team.get(role)!, role, 'test', false)
  await tryEveryEndpoint(shop, owner, 'owner', 'test', true)
})

test('a developer in live mode cannot write the ledger, payments, connectors or the blocklist, or activate routing', async () => {
  const { service } = await openPlace()
  const less = permissions.filter(one => permissionsOf('developer', 'test').has(one) && !permissionsOf('developer', 'live').has(one))
  deepEqual(less, ['ledger:write', 'payments:write', 'routing:activate', 'blocklist:write', 'connectors:write'])
  ok(service.url)
  for (const role of roles.filter(one => one !== 'developer')) deepEqual([...permissionsOf(role, 'live')], [...permissionsOf(role, 'test')])
})

test('the entry of every operation says the permission and the scope that the documentation of roles promises', () => {
  const said = ({ auth: { permission, scope } }: Endpoint) => (scope === null ? null : { permission, scope })
  for (const endpoint of endpoints) deepEqual(said(endpoint), rightOf(endpoint), `${endpoint.name}: change its \`auth\`, or test/access.ts`)
  // An operation that a secret key may call is open to some role: only operations for the admin key alone are the
  // operator's.
  const lost = endpoints.filter(one => admits(one.auth, 'secret') && rightOf(one)?.permission === 'deployment')
  deepEqual(
    lost.map(({ name }) => name),
    [],
  )
})

test('a signed-out or invalid session is refused with 401 at every operation', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const gone = entered(shop, await signIn(shop, owner.user.email))
  equal((await gone.post('/user/sign_out')).status, 200)
  for (const endpoint of endpoints.filter(one => one.auth.credential !== 'nothing')) {
    isRefused(await knock({ ...gone }, endpoint, shop.merchant_id), 401, 'IR_17')
    const half = { ...browser(shop, 'switchyard_session=swsess_short', null), user: null }
    isRefused(await knock(half, endpoint, shop.merchant_id), 401, 'IR_01')
  }
})
