import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply, Request } from '../world.ts'
import type { Conversation, Outcome } from './connector.ts'
import { converse } from './converse.ts'

const post = (url: string): Request => ({ method: 'POST', url, headers: {}, body: '{}' })

const ok: Reply = { is: 'reply', status: 200, headers: {}, body: '' }
const done: Outcome = { is: 'unknown', why: 'said by the connector' }

test('a conversation is carried to its end', async () => {
  const heard: string[] = []
  function* talk(): Conversation {
    yield post('http://a')
    yield post('http://b')
    return done
  }
  const outcome = await converse(async request => {
    heard.push(request.url.slice(0, 8))
    return ok
  }, talk())
  assert.deepEqual([heard, outcome], [['http://a', 'http://b'], done])
})

test('a connector that fails after it spoke leaves the outcome unknown, before that nothing was sent', async () => {
  function* talk(after: number): Conversation {
    for (let i = 0; i < after; i++) yield post('http://a')
    throw new Error('BODYSECRET')
  }
  const notSent: Reply = { is: 'not_sent', why: 'x' }
  assert.deepEqual(await converse(async () => ok, talk(0)), { is: 'not_sent', why: 'the connector failed' })
  assert.deepEqual(await converse(async () => ok, talk(1)), { is: 'unknown', why: 'the connector failed' })
  assert.equal((await converse(async () => notSent, talk(1))).is, 'not_sent')
  assert.equal((await converse(() => Promise.reject(new Error('broken')), talk(1))).is, 'unknown')
})

test('a conversation that runs in circles is cut after six requests', async () => {
  let sent = 0
  function* talk(): Conversation {
    for (;;) yield post('http://a')
  }
  const outcome = await converse(async () => {
    sent++
    return ok
  }, talk())
  assert.deepEqual([sent, outcome.is], [6, 'unknown'])
})
