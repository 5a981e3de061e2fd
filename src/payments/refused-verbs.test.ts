import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { CallName } from '../../sandbox/faults.ts'
import { decide, disputed, openDisputedShop } from '../../test/disputes.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, openShop, type Shop } from '../../test/shop.ts'

/** What a request leaves behind that the processor refuses: its error, and nothing else that it said. */

const differences = (before: Body, after: Body): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .sort()

/** The members that say why the last request was refused, and when. */
const reason = [
  'error_code',
  'error_message',
  'unified_code',
  'unified_message',
  'error_details',
  'issuer_error_code',
  'issuer_error_message',
  'network_details',
  'updated',
  'modified_at',
]

/** Each verb: a payment for it, the request with everything that it can say, and what else its refusal may change. */
const verbs: Record<string, { call: CallName; open(shop: Shop): Promise<Body>; path: string; body: Body; shows?: string[] }> = {
  capture: { call: 'capture', open: shop => shop.hold(), path: 'capture', body: { amount_to_capture: 500 } },
  'a last capture': {
    call: 'capture',
    open: shop => shop.hold({ capture_method: 'manual_multiple' }),
    path: 'capture',
    body: { amount_to_capture: 500, final_capture: true, statement_descriptor_suffix: 'last part' },
  },
  'an overcapture': {
    call: 'capture',
    open: shop => shop.hold({ enable_overcapture: true }),
    path: 'capture',
    body: { amount_to_capture: 1300 },
  },
  cancel: { call: 'void', open: shop => shop.hold(), path: 'cancel', body: { cancellation_reason: 'sold out' } },
  'cancel after capture': {
    call: 'reverse',
    open: shop => shop.pay(),
    path: 'cancel_post_capture',
    body: { cancellation_reason: 'sold out' },
    shows: ['state_metadata'],
  },
  increment: {
    call: 'increment',
    open: shop => shop.hold({ request_incremental_authorization: true }),
    path: 'incremental_authorization',
    body: { amount: 5000, reason: 'minibar' },
    shows: ['incremental_authorizations', 'authorization_count'],
  },
  extend: {
    call: 'extend',
    open: shop => shop.hold({ request_extended_authorization: true }),
    path: 'extend_authorization',
    body: {},
  },
  release: {
    call: 'void',
    open: async shop => {
      const { payment_id } = await shop.hold({ capture_method: 'manual_multiple' })
      await shop.capture(payment_id, 500)
      return shop.get(payment_id)
    },
    path: 'release',
    body: {},
    shows: ['state_metadata'],
  },
}

for (const [name, { call, open, path, body, shows = [] }] of Object.entries(verbs))
  test(`a refused request (${name}) leaves the payment as it was, with the reason`, async () => {
    const shop = await openShop()
    const { payment_id } = await open(shop)
    const before = await shop.get(payment_id)
    await shop.processor.fault(call, 'decline')
    const answered = await shop.post(`/payments/${payment_id}/${path}`, body)
    equal(answered.status, 200, answered.text)
    const after = await shop.get(payment_id)
    ok(after.error_code, 'the processor refused it')
    deepEqual(
      differences(before, after).filter(member => ![...reason, ...shows].includes(member)),
      [],
    )
    const [row] = await shop.query('select cancellation_reason, adjustments from payments where merchant_id = $1 and payment_id = $2', [
      shop.merchant_id,
      payment_id,
    ])
    deepEqual([row!.cancellation_reason, row!.adjustments?.final ?? null], [null, null])
  })

test('a payment that was captured after a refused cancel has no reason of a cancel', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold()
  await shop.processor.fault('void', 'decline')
  const refused = await shop.post(`/payments/${payment_id}/cancel`, { cancellation_reason: 'sold out' })
  deepEqual([refused.body.status, refused.body.cancellation_reason], ['requires_capture', null])
  await shop.capture(payment_id)
  const paid = await shop.get(payment_id)
  deepEqual([paid.status, paid.cancellation_reason], ['succeeded', null])
  const undone = await shop.post(`/payments/${(await shop.hold()).payment_id}/cancel`, { cancellation_reason: 'sold out' })
  deepEqual([undone.body.status, undone.body.cancellation_reason], ['cancelled', 'sold out'])
})

test('a cancel that is refused minutes later leaves no reason; while it is asked about, the reason stays', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold()
  await shop.processor.fault('void', 'reset_before')
  const unknown = await shop.post(`/payments/${payment_id}/cancel`, { cancellation_reason: 'sold out' })
  equal(unknown.body.cancellation_reason, 'sold out')
  await shop.wait('1 hour')
  const { status, cancellation_reason } = await shop.get(payment_id)
  equal(cancellation_reason, status === 'cancelled' ? 'sold out' : null)
})

test('a cancel of an open challenge that is refused leaves no reason', async () => {
  const shop = await openShop()
  const { body } = await shop.tryToPay({ card: cards.challenges, authentication_type: 'three_ds' })
  equal(body.status, 'requires_customer_action')
  await shop.processor.fault('void', 'decline')
  const refused = await shop.post(`/payments/${body.payment_id}/cancel`, { cancellation_reason: 'sold out' })
  equal(refused.body.cancellation_reason, null, refused.text)
})

test('evidence that the processor refused does not count as submitted', async () => {
  const shop = await openDisputedShop('stripe')
  const { dispute_id, remote } = await disputed(shop)
  await shop.processor.account({ webhooks: 'hold' })
  await decide(shop, remote, { status: 'won' })
  isRefused(await shop.post('/disputes/evidence', { dispute_id, customer_name: 'Ada Byron' }), 400, 'CE_00', /dispute_closed/)
  const [row] = await shop.query('select evidence from disputes where dispute_id = $1', [dispute_id])
  deepEqual([row!.evidence.texts, row!.evidence.submitted_at ?? null], [{ customer_name: 'Ada Byron' }, null])
})
