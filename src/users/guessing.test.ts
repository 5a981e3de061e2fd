import { deepEqual, equal } from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, mock, test } from 'node:test'
import { join, openOwner, PASSWORD, signIn, someEmail, tokenOf } from '../../test/people.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { http, openShop } from '../../test/shop.ts'

/**
 * Neither an answer nor the work for it reveals whether an account exists: the test counts each password derivation.
 */

const argon2 = mock.method(crypto, 'argon2')
syncBuiltinESMExports()
after(() => {
  argon2.mock.restore()
  syncBuiltinESMExports()
})

/** Gives the answer to a request, with the number of passwords derived for it. */
async function worked<T>(ask: () => Promise<T>): Promise<{ answer: T; derived: number }> {
  const before = argon2.mock.callCount()
  const answer = await ask()
  return { answer, derived: argon2.mock.callCount() - before }
}

test('signing in takes the same work for an unknown, a known, an invited and a removed address', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const [invited, removed] = [someEmail('invited'), await join(shop, owner, 'viewer')]
  equal((await owner.post('/user/invite', { email: invited, role: 'viewer', password: PASSWORD })).status, 200)
  equal((await owner.call('DELETE', `/user/${removed.user.user_id}`)).status, 200)
  const known = await worked(() => signIn(shop, owner.user.email, 'wrong wrong wrong'))
  isRefused(known.answer, 401, 'UR_01')
  equal(known.derived, 1)
  for (const email of [someEmail(), invited, removed.user.email]) {
    const other = await worked(() => signIn(shop, email, 'wrong wrong wrong'))
    areTheSame(other.answer, known.answer)
    equal(other.derived, known.derived, email)
  }
  equal((await worked(() => signIn(shop, owner.user.email))).derived, 1, 'the right one takes no more')
})

test('an attempt during the waiting time costs no password derivation, whether or not the account exists', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  for (const email of [owner.user.email, someEmail()]) {
    const { derived } = await worked(() => Promise.all(Array.from({ length: 12 }, () => signIn(shop, email, 'wrong wrong wrong'))))
    equal(derived, 10, email)
  }
})

test('asking for a new password or opening an unknown link costs no password derivation, whether or not the account exists', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const ask = (email: string) => worked(() => http('POST', `${shop.url}/user/password/forgotten`, { email }))
  const [known, unknown] = [await ask(owner.user.email), await ask(someEmail())]
  areTheSame(unknown.answer, known.answer)
  deepEqual([known.derived, unknown.derived], [0, 0])
  const wrong = tokenOf(`https://x.example/?token=swlink_${'A'.repeat(43)}`)
  for (const [path, more] of [
    ['/user/invite/accept', {}],
    ['/user/password/reset', {}],
    ['/user/first', { email: owner.user.email }],
  ] as const) {
    const { answer, derived } = await worked(() => http('POST', shop.url + path, { token: wrong, password: PASSWORD, ...more }))
    isRefused(answer, 401, 'UR_04')
    equal(derived, 0, path)
  }
})

test('an invitation does not reveal whether the person already has an account', async () => {
  const [shop, elsewhere] = [await openShop(), await openShop()]
  const owner = await openOwner(shop)
  const known = await join(elsewhere, await openOwner(elsewhere), 'viewer')
  const invite = async (email: string) => {
    const { answer, derived } = await worked(() => owner.post('/user/invite', { email, role: 'viewer', password: PASSWORD }))
    const { user_id: _id, created: _at, email: _email, ...shown } = answer.body.user
    return { shown, members: Object.keys(answer.body), derived }
  }
  deepEqual(await invite(known.user.email), await invite(someEmail()))
})
