import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { accountAt, usualAsk } from '../../../test/card-ask.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import { unwrapped } from '../all.ts'
import type { AuthorizeRequest, DeclineCode, Outcome, SyncRequest } from '../connector.ts'
import { phonypay } from './connector.ts'

const account = accountAt('http://127.0.0.1:8081', { api_key: 'sandbox_shop' }, {}, 'whsec')

const ask: AuthorizeRequest<'card'> = {
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'USD' },
  capture: 'automatic',
  instrument: { is: 'card', number: new Secret('4111111111111111'), exp_month: 12, exp_year: 2030, cvc: new Secret('737'), holder: null },
  ...usualAsk,
}
const authorization = { reference: 'auth_1', request_id: 'REQ1' }
const captureAsk = { request_id: 'REQ2', authorization, money: { amount: 500, currency: 'USD' }, rest: 'release' } as const
const voidAsk = { request_id: 'REQ3', authorization, money: { amount: 1250, currency: 'USD' } } as const
const refundAsk = { request_id: 'REQ4', authorization, money: { amount: 300, currency: 'USD' }, reason: 'damaged' } as const
const syncAsk: SyncRequest = {
  verb: 'authorize',
  request_id: 'REQ1',
  reference: 'auth_1',
  money: { amount: 1250, currency: 'USD' },
  authorization: null,
}

const approved = {
  id: 'auth_1',
  object: 'operation',
  type: 'authorization',
  payment: 'auth_1',
  reference: 'REQ1',
  status: 'approved',
  amount: 1250,
  currency: 'USD',
  decline: null,
  redirect_url: null,
  payment_state: { status: 'captured', authorized: 1250, captured: 1250, refunded: 0 },
  network_transaction_id: '123456789012345',
  authorization_code: 'A1B2C3',
  eci: '07',
  avs_result: 'Y',
  cvc_result: 'M',
  arn: null,
  hold_expires_at: null,
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-01T10:00:00.000Z',
}
const held = {
  ...approved,
  payment_state: { status: 'authorized', authorized: 1250, captured: 0, refunded: 0 },
  hold_expires_at: '2026-03-08T10:00:00.000Z',
}
const captured = { ...approved, id: 'cap_1', type: 'capture', reference: 'REQ2', amount: 500, arn: '74000000000000000000001' }
const voided = {
  ...approved,
  id: 'void_1',
  type: 'void',
  reference: 'REQ3',
  payment_state: { status: 'voided', authorized: 1250, captured: 0, refunded: 0 },
}
const refunded = { ...approved, id: 'ref_1', type: 'refund', reference: 'REQ4', amount: 300, arn: '74000000000000000000002' }
const declined = (code: string, message = 'No.') => ({
  ...approved,
  status: 'declined',
  decline: { code, message, network_code: '05', network_advice: null },
  payment_state: { status: 'declined', authorized: 0, captured: 0, refunded: 0 },
})
const failed = (code: string, message = 'It cannot be.') => ({ error: { code, message, param: null } })

const authorize = (status: number, body: unknown): Outcome => rehearse(phonypay.authorize(ask, account), [replied(status, body)]).outcome
test('a card is saved, charged by its mandate, and charged by a network transaction id', () => {
  const sent = (more: object) => {
    const { requests, outcome } = rehearse(phonypay.authorize({ ...ask, ...more }, account), [
      replied(200, { ...approved, mandate: 'mdt_1' }),
    ])
    assert.equal(outcome.is === 'done' && outcome.facts.connector_mandate_id, 'mdt_1')
    const { card = null, mandate, network_transaction_id, store, initiator, category } = JSON.parse(requests[0]!.body!)
    return [card && Object.keys(card), mandate, network_transaction_id, store, initiator, category]
  }
  const used = { is: 'used', mit_category: 'recurring', customer: 'shop_ada' }
  const made = { is: 'made', usage: 'off_session', customer: 'shop_ada' }
  const { cvc: _cvc, ...number } = ask.instrument
  const full = ['number', 'exp_month', 'exp_year', 'cvc']
  assert.deepEqual(sent({ stored_credential: made }), [full, undefined, undefined, 'off_session', undefined, undefined])
  const stored = { is: 'stored_card', reference: 'mdt_1', customer: null, cvc: null }
  assert.deepEqual(sent({ instrument: stored, stored_credential: used }), [null, 'mdt_1', undefined, undefined, 'merchant', 'recurring'])
  const known = { ...number, is: 'network_transaction_id', network_transaction_id: 'MCC1' }
  assert.deepEqual(sent({ instrument: known, stored_credential: used }), [
    full.slice(0, 3),
    undefined,
    'MCC1',
    undefined,
    'merchant',
    'recurring',
  ])
})

const lookedUp = (status: number, body: unknown, more: Partial<SyncRequest> = {}): Outcome =>
  rehearse(phonypay.sync({ ...syncAsk, ...more }, account), [replied(status, body)]).outcome

test('a payment is one request with our id as its reference and idempotency key', () => {
  const { requests, outcome } = rehearse(phonypay.authorize(ask, account), [replied(200, approved)])
  assert.deepEqual(
    requests.map(({ body, ...rest }) => ({ ...rest, body: JSON.parse(body!) })),
    [
      {
        method: 'POST',
        url: 'http://127.0.0.1:8081/v1/payments',
        headers: { authorization: 'Bearer sandbox_shop', 'content-type': 'application/json', 'idempotency-key': 'REQ1' },
        body: {
          reference: 'REQ1',
          amount: 1250,
          currency: 'USD',
          capture: 'automatic',
          card: { number: '4111111111111111', exp_month: 12, exp_year: 2030, cvc: '737' },
          three_ds: 'skip',
          return_url: 'https://shop.example/return',
          merchant: 'Chairs & Co',
          allow_partial: false,
        },
      },
    ],
  )
  assert.deepEqual(outcome, {
    is: 'done',
    reference: 'auth_1',
    request_id: 'REQ1',
    amount: { amount: 1250, currency: 'USD' },
    captured: { amount: 1250, currency: 'USD' },
    capturable: { amount: 0, currency: 'USD' },
    facts: {
      network_transaction_id: '123456789012345',
      authorization_code: 'A1B2C3',
      eci: '07',
      avs_result: 'Y',
      cvc_result: 'M',
    },
  })
})

test('an authorization is approved with nothing captured, and has an expiration time', () => {
  const outcome = authorize(200, held)
  assert.ok(outcome.is === 'done')
  assert.equal(outcome.captured, null)
  assert.equal(outcome.facts.capture_before, '2026-03-08T10:00:00.000Z')
})

test('a response with another amount, currency or reference is passed on as returned', () => {
  const outcome = authorize(200, { ...held, amount: 1251, currency: 'EUR', reference: 'other' })
  assert.ok(outcome.is === 'done')
  assert.deepEqual([outcome.amount, outcome.request_id], [{ amount: 1251, currency: 'EUR' }, 'other'])
})

test('each decline reason is mapped to a decline code of the API', () => {
  const table: [said: string, code: DeclineCode][] = [
    ['card_declined', 'card_declined'],
    ['insufficient_funds', 'insufficient_funds'],
    ['lost_card', 'lost_card'],
    ['authentication_required', 'authentication_required'],
    ['authentication_expired', 'authentication_failed'],
    ['voided', 'authentication_failed'],
    ['refund_declined', 'operation_declined'],
    ['something_new', 'card_declined'],
    ['constructor', 'card_declined'],
  ]
  for (const [reason, code] of table) {
    const outcome = authorize(200, declined(reason))
    assert.ok(outcome.is === 'declined', reason)
    assert.deepEqual([outcome.code, outcome.processor_code, outcome.network_code, outcome.reference], [code, reason, '05', 'auth_1'])
    assert.ok(!('network_advice' in outcome))
  }
})

test('a message of the processor is shortened, cleaned and stripped of card data', () => {
  const message = `<script>alert(1)</script>\u0000\u202e Card 4111 1111 1111 1111 (cvc 737, key sandbox_shop) ${'x'.repeat(500)}`
  const outcome = authorize(200, declined('card_declined', message))
  assert.ok(outcome.is === 'declined')
  assert.ok(outcome.message.startsWith('alert(1) Card [digits] (cvc [secret], key [secret]) xxx'), outcome.message)
  assert.equal(outcome.message.length, 255)
})

test('a challenge redirects the customer, and a pending payment waits', () => {
  const url = 'http://127.0.0.1:8081/challenge/auth_1/tok'
  assert.deepEqual(authorize(200, { ...approved, status: 'challenge', redirect_url: url }), {
    is: 'waiting',
    reference: 'auth_1',
    next_action: { type: 'redirect_to_url', url },
  })
  assert.deepEqual(authorize(200, { ...approved, status: 'pending' }), { is: 'waiting', reference: 'auth_1' })
  assert.equal(authorize(200, { ...approved, status: 'challenge', redirect_url: 'javascript:alert(1)' }).is, 'unknown')
  assert.equal(authorize(200, { ...approved, status: 'challenge' }).is, 'unknown')
})

test('a documented error means that nothing happened: a decline, or after a 429 a later retry', () => {
  const table: [status: number, code: string, as: DeclineCode][] = [
    [400, 'invalid_request', 'invalid_request'],
    [401, 'unauthorized', 'configuration'],
    [404, 'not_found', 'invalid_request'],
    [422, 'not_allowed', 'not_allowed'],
  ]
  for (const [status, code, as] of table) {
    const outcome = authorize(status, failed(code))
    assert.ok(outcome.is === 'declined', code)
    const message = `${as === 'configuration' ? 'The processor refused the credentials of this connector account: ' : ''}It cannot be.`
    assert.deepEqual([outcome.code, outcome.processor_code, outcome.message, outcome.reference], [as, code, message, null])
  }
  assert.equal(authorize(429, failed('rate_limited')).is, 'later')
})

test('an invalid response gives an unknown outcome, because money may have moved', () => {
  const table: [name: string, status: number, body: unknown][] = [
    ['an HTML page', 200, '<html><body>Maintenance</body></html>'],
    ['half an answer', 200, JSON.stringify(approved).slice(0, 200)],
    ['nothing in it', 200, {}],
    ['nothing at all', 200, ''],
    ['a list', 200, [approved]],
    ['null', 200, 'null'],
    ['created', 201, approved],
    ['a redirect', 302, ''],
    ['a server error', 500, failed('internal_error')],
    ['a gateway page', 503, '<html></html>'],
    ['a 400 that is an approval', 400, approved],
    ['a 200 that is an error', 200, failed('not_found')],
    ['an error the contract does not know', 400, failed('teapot')],
    ['the right error under the wrong status', 422, failed('not_found')],
    ['a 429 page', 429, '<html></html>'],
    ['another type', 200, { ...approved, type: 'capture' }],
    ['an amount in text', 200, { ...approved, amount: '1250' }],
    ['a fraction', 200, { ...approved, amount: 12.5 }],
    ['less than nothing', 200, { ...approved, amount: -1250 }],
    ['no currency of ours', 200, { ...approved, currency: 'XXX' }],
    ['a new status', 200, { ...approved, status: 'authorised' }],
    ['no payment state', 200, { ...approved, payment_state: null }],
    ['approved and voided', 200, { ...approved, payment_state: { ...approved.payment_state, status: 'voided' } }],
    ['approved and declined', 200, { ...declined('card_declined'), status: 'approved' }],
    ['declined without a reason', 200, { ...approved, status: 'declined' }],
    ['a payment of another id', 200, { ...approved, payment: 'auth_2' }],
    ['an id that is a path', 200, { ...approved, id: '../x', payment: '../x' }],
  ]
  for (const [name, status, body] of table) assert.equal(authorize(status, body).is, 'unknown', name)
  assert.equal(rehearse(phonypay.authorize(ask, account), [silence]).outcome.is, 'unknown')
})

test('a request that could not be sent has the outcome not_sent', () => {
  assert.deepEqual(rehearse(phonypay.authorize(ask, account), [notSent]).outcome, notSent)
})

test('an operation that already exists is looked up, and the lookup decides the outcome', () => {
  for (const code of ['idempotency_mismatch', 'duplicate_reference']) {
    const { requests, outcome } = rehearse(phonypay.authorize(ask, account), [replied(409, failed(code)), replied(200, approved)])
    assert.equal(outcome.is, 'done')
    assert.deepEqual(requests[1], {
      method: 'GET',
      url: 'http://127.0.0.1:8081/v1/operations/by-reference/REQ1',
      headers: { authorization: 'Bearer sandbox_shop' },
    })
  }
  for (const second of [replied(404, failed('not_found')), replied(500, ''), silence, notSent]) {
    const { outcome } = rehearse(phonypay.authorize(ask, account), [replied(409, failed('duplicate_reference')), second])
    assert.equal(outcome.is, 'unknown')
  }
})

test('a capture, a void and a refund name the payment and carry a request id of their own', () => {
  const table = [
    [phonypay.capture!(captureAsk, account), captured, '/v1/payments/auth_1/capture', { reference: 'REQ2', amount: 500, final: true }],
    [phonypay.void!(voidAsk, account), voided, '/v1/payments/auth_1/void', { reference: 'REQ3' }],
    [phonypay.refund!(refundAsk, account), refunded, '/v1/payments/auth_1/refund', { reference: 'REQ4', amount: 300, reason: 'damaged' }],
  ] as const
  for (const [conversation, answer, path, body] of table) {
    const { requests, outcome } = rehearse(conversation, [replied(200, answer)])
    assert.equal(requests[0]!.url, `http://127.0.0.1:8081${path}`)
    assert.deepEqual(JSON.parse(requests[0]!.body!), body)
    assert.equal(requests[0]!.headers['idempotency-key'], body.reference)
    assert.ok(outcome.is === 'done')
    assert.deepEqual([outcome.reference, outcome.request_id, outcome.captured], [answer.id, body.reference, null])
  }
})

test('a capture that keeps the rest authorized is not sent as final', () => {
  const { requests } = rehearse(phonypay.capture!({ ...captureAsk, rest: 'keep' }, account), [replied(200, captured)])
  assert.equal(JSON.parse(requests[0]!.body!).final, false)
})

test('an authorization with a lost response is voided by our id, and looked up before a capture or refund', () => {
  const lost = { reference: null, request_id: 'REQ1' }
  const { requests } = rehearse(phonypay.void!({ ...voidAsk, authorization: lost }, account), [replied(200, voided)])
  assert.equal(requests[0]!.url, 'http://127.0.0.1:8081/v1/payments/by-reference/REQ1/void')

  const found = rehearse(phonypay.capture!({ ...captureAsk, authorization: lost }, account), [replied(200, held), replied(200, captured)])
  assert.deepEqual(
    found.requests.map(({ method, url }) => `${method} ${url}`),
    ['GET http://127.0.0.1:8081/v1/operations/by-reference/REQ1', 'POST http://127.0.0.1:8081/v1/payments/auth_1/capture'],
  )
  assert.equal(found.outcome.is, 'done')

  const refund = phonypay.refund!({ ...refundAsk, authorization: lost }, account)
  assert.equal(rehearse(refund, [replied(404, failed('not_found'))]).outcome.is, 'not_sent')
})

test('a lookup uses the processor reference if it is known, or else our request id', () => {
  const url = (more: Partial<SyncRequest>) =>
    rehearse(phonypay.sync({ ...syncAsk, ...more }, account), [replied(200, held)]).requests[0]!.url
  assert.equal(url({}), 'http://127.0.0.1:8081/v1/operations/auth_1')
  assert.equal(url({ reference: null }), 'http://127.0.0.1:8081/v1/operations/by-reference/REQ1')
})

test('only a documented 404 means that the processor does not know the payment', () => {
  assert.deepEqual(lookedUp(404, failed('not_found')), { is: 'not_found' })
  for (const [status, body] of [
    [404, '<html>Not found</html>'],
    [404, {}],
    [401, failed('unauthorized')],
    [429, failed('slow_down')],
    [500, failed('not_found')],
  ] as const) {
    assert.equal(lookedUp(status, body).is, 'unknown', `${status}`)
  }
  assert.equal(rehearse(phonypay.sync(syncAsk, account), [notSent]).outcome.is, 'unknown')
  assert.equal(lookedUp(200, { ...held, id: 'auth_2', payment: 'auth_2' }).is, 'unknown')
})

test('a voided or expired authorization has lapsed; a captured one has not', () => {
  for (const status of ['voided', 'expired']) {
    const state = { status, authorized: 1250, captured: 0, refunded: 0 }
    assert.deepEqual(lookedUp(200, { ...held, payment_state: state }), { is: 'lapsed', reference: 'auth_1' })
  }
  assert.equal(lookedUp(200, approved).is, 'done')
})

test('an account without a key sends nothing', () => {
  const bare = { ...account, credentials: {} }
  const phonypay = unwrapped.phonypay!
  for (const conversation of [phonypay.authorize!(ask, bare), phonypay.capture!(captureAsk, bare), phonypay.void!(voidAsk, bare)]) {
    const { outcome } = rehearse(conversation, [])
    assert.ok(outcome.is === 'declined' && outcome.code === 'configuration')
  }
  assert.equal(rehearse(phonypay.sync!(syncAsk, bare), []).outcome.is, 'unknown')
})

const now = '2026-03-01T10:00:00.000Z'
const seconds = Date.parse(now) / 1000
const signature = (time: number | string, raw: Buffer, secret = 'whsec') =>
  createHmac('sha256', secret).update(`${time}.`).update(raw).digest('hex')

test('a webhook is accepted if a signature matches its bytes and its time', () => {
  const raw = Buffer.from('{"a":1}')
  const good = signature(seconds, raw)
  const table: [header: string | undefined, verdict: boolean][] = [
    [`t=${seconds},v1=${good}`, true],
    [`t=${seconds},v1=${'0'.repeat(64)},v1=${good}`, true],
    [`t=${seconds},v0=x,v1=${good},v1=short`, true],
    [`t=${seconds - 300},v1=${signature(seconds - 300, raw)}`, true],
    [`t=${seconds - 301},v1=${signature(seconds - 301, raw)}`, false],
    [`t=${seconds + 301},v1=${signature(seconds + 301, raw)}`, false],
    [`t=${seconds + 1},v1=${good}`, false],
    [`t=${seconds},v1=${signature(seconds, raw, 'other')}`, false],
    [`t=${seconds},v1=${good.slice(2)}`, false],
    [`v1=${good}`, false],
    [`t=${seconds}`, false],
    ['', false],
    [undefined, false],
  ]
  for (const [header, verdict] of table) {
    assert.equal(phonypay.webhook!.verify(raw, { 'x-sandbox-signature': header }, account, now), verdict, header)
  }
  const headers = { 'x-sandbox-signature': `t=${seconds},v1=${good}` }
  assert.equal(phonypay.webhook!.verify(Buffer.from('{"a":2}'), headers, account, now), false)
  assert.equal(phonypay.webhook!.verify(raw, headers, { ...account, webhook_secret: null }, now), false)
})

test('a webhook contains the outcome of one operation, or none', () => {
  const read = (body: unknown) => phonypay.webhook!.read(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
  const updates = read({ id: 'evt_1', type: 'operation.updated', operation: refunded })
  assert.deepEqual(
    updates.map(one => 'outcome' in one && 'request_id' in one.of[0] && one.outcome !== 'ask' && [one.of[0].request_id, one.outcome.is]),
    [['REQ4', 'done']],
  )
  const expired = { ...held, payment_state: { ...held.payment_state, status: 'expired' } }
  assert.deepEqual(read({ type: 'operation.updated', operation: expired }), [
    { is: 'outcome', of: [{ request_id: 'REQ1' }], outcome: { is: 'lapsed', reference: 'auth_1' } },
  ])
  for (const body of ['', 'null', '[]', '{', {}, { type: 'ping', operation: refunded }, { type: 'operation.updated' }]) {
    assert.deepEqual(read(body), [])
  }
})
