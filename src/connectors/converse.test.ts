import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply, Request } from '../context.ts'
import type { Conversation, Outcome } from './connector.ts'
import { noting } from './conversation.ts'
import { type Carrier, converse as carried } from './converse.ts'
import { unscreened } from './port.ts'

const post = (url: string): Request => ({ method: 'POST', url, headers: {}, body: '{}' })

const note = async () => true
const token: Carrier['token'] = async () => ({ is: 'unavailable', why: 'nobody gives tokens here' })
const converse = (send: Carrier['send'], conversation: Conversation, more: Partial<Carrier> = {}) =>
  carried({ send, note, token, screen: { digest: () => 'digest', isCard: () => true }, ...more }, unscreened(conversation))

const ok: Reply = { is: 'reply', status: 200, headers: {}, body: '' }
const done: Outcome = { is: 'unknown', why: 'said by the connector' }

test('a conversation with a processor runs to its end', async () => {
  const urls: string[] = []
  function* talk(): Conversation {
    yield post('http://a')
    yield post('http://b')
    return done
  }
  const outcome = await converse(async request => {
    urls.push(request.url.slice(0, 8))
    return ok
  }, talk())
  assert.deepEqual([urls, outcome], [['http://a', 'http://b'], done])
})

test('a connector that throws after a request leaves the outcome unknown, and before it not sent', async () => {
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

test('a conversation that does not end is stopped after sixteen requests', async () => {
  let sent = 0
  function* talk(): Conversation {
    for (;;) yield post('http://a')
  }
  const outcome = await converse(async () => {
    sent++
    return ok
  }, talk())
  assert.deepEqual([sent, outcome.is], [16, 'unknown'])
})

test('a noted reference is stored before the next request is sent, and is added to an outcome without a reference', async () => {
  const order: string[] = []
  const write = async (reference: string) => {
    await null
    order.push(`written ${reference}`)
    return true
  }
  const send = async (request: Request) => {
    order.push(request.url)
    return ok
  }
  function* talk(outcome: Outcome): Conversation {
    yield post('http://create')
    yield* noting('ord_1')
    yield post('http://confirm')
    return outcome
  }
  const no: Outcome = { is: 'declined', reference: null, code: 'card_declined', processor_code: '', message: '', facts: {} }
  assert.deepEqual(await converse(send, talk(done), { note: write }), { ...done, reference: 'ord_1' })
  assert.deepEqual(order, ['http://create', 'written ord_1', 'http://confirm'])
  assert.deepEqual(await converse(send, talk({ is: 'not_sent', why: 'x' })), { is: 'not_sent', why: 'x', reference: 'ord_1' })
  assert.deepEqual(await converse(send, talk(no)), { ...no, reference: 'ord_1' })
  assert.deepEqual(await converse(send, talk({ ...done, reference: 'pay_2' } as Outcome)), { ...done, reference: 'pay_2' })
})

test('a reference that cannot be stored stops the conversation, and is kept in the outcome', async () => {
  const sent: string[] = []
  const send = async (request: Request) => {
    sent.push(request.url)
    return ok
  }
  function* talk(): Conversation {
    yield post('http://create')
    yield* noting('ord_1')
    yield post('http://confirm')
    return done
  }
  for (const note of [async () => false, () => Promise.reject(new Error('refused by the database'))]) {
    const outcome = await converse(send, talk(), { note })
    assert.ok(outcome.is === 'unknown')
    assert.equal(outcome.reference, 'ord_1')
  }
  assert.deepEqual(sent, ['http://create', 'http://create'])
})

test('a conversation that only notes references is stopped too', async () => {
  function* talk(): Conversation {
    for (;;) yield* noting('ord_1')
  }
  assert.equal((await converse(async () => ok, talk())).is, 'not_sent')
})
