import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Secret } from '../base/secret.ts'
import { later } from '../base/time.ts'
import type { Reply, Request } from '../context.ts'
import type { Account } from './connector.ts'
import type { Grant } from './conversation.ts'
import { tokenOf } from './tokens.ts'

const account = (): Account => ({ base_url: 'https://a.example', credentials: {}, webhook_secret: null, metadata: {} })
const ok: Reply = { is: 'reply', status: 200, headers: {}, body: '' }

/** Opens a processor whose tokens live for `life_s` seconds, and a clock. */
function stage(life_s: number, reply: () => Reply = () => ok) {
  let fetched = 0
  let now = '2026-01-01T00:00:00.000Z'
  function* fetch(): Generator<Request, Grant, Reply> {
    const answer = yield { method: 'POST', url: 'https://a.example/token', headers: {} }
    if (answer.is !== 'reply') return { is: 'unavailable', why: answer.why }
    return { is: 'granted', token: new Secret(`token ${++fetched}`), expires_in_s: life_s }
  }
  const ask = async (of: Account, instead_of: Secret | null = null) => {
    const grant = await tokenOf(
      of,
      { fetch, instead_of },
      () => now,
      async () => reply(),
    )
    return grant.is === 'granted' ? grant.token : grant.is
  }
  return {
    ask,
    fetched: () => fetched,
    pass(seconds: number) {
      now = later(now, seconds * 1000)
    },
  }
}

test('a token is used until a minute before it expires, or for half of its lifetime if that is short', async () => {
  for (const [life, good] of [
    [3600, 3539],
    [60, 29],
  ] as const) {
    const one = account()
    const { ask, fetched, pass } = stage(life)
    await ask(one)
    pass(good)
    await ask(one)
    equal(fetched(), 1, `${good} s of ${life}`)
    pass(1)
    await ask(one)
    equal(fetched(), 2, `${good + 1} s of ${life}`)
  }
})

test('a changed account is signed in again, and other accounts keep their tokens', async () => {
  const [one, other] = [account(), account()]
  const { ask, fetched } = stage(3600)
  const first = await ask(one)
  await ask(other)
  await ask({ ...one })
  equal(fetched(), 3)
  equal(await ask(one), first)
})

test('a rejected token is fetched again once, by the first request that reports it, and shared by all others', async () => {
  const one = account()
  const { ask, fetched } = stage(3600)
  const stale = (await ask(one)) as Secret
  const fresh = await Promise.all([ask(one, stale), ask(one, stale), ask(one)])
  equal(new Set([...fresh, await ask(one, stale)]).size, 1)
  equal(fetched(), 2)
})

test('a failed token request is not cached, and inspected objects do not show the token', async () => {
  const one = account()
  let reply: Reply = { is: 'silence', why: 'response timeout' }
  const { ask } = stage(3600, () => reply)
  deepEqual(await Promise.all([ask(one), ask(one)]), ['unavailable', 'unavailable'])
  reply = ok
  const token = await ask(one)
  equal((token as Secret).reveal(), 'token 1')
  equal(inspect([one, token], { depth: 9, showHidden: true }).includes('token 1'), false)
})
