import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { succeed } from '../../test/merchant.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Answer, type Body, card, cards, http, openShop, type PayAsk, type Shop } from '../../test/shop.ts'
import { SMALLEST_REFUND } from '../refunds/refund.ts'

const actionsOf = (shop: Shop, payment_id: string): Promise<Body[]> => succeed(shop.call('GET', `/payments/${payment_id}/actions`)) as never

/** The request for each action; `amount`: the amount, for actions that have one. */
const asks: Record<string, (shop: Shop, payment: Body, amount: number) => Promise<Answer>> = {
  update: (shop, { payment_id }) => shop.post(`/payments/${payment_id}`, { description: 'another' }),
  update_metadata: (shop, { payment_id }) => shop.post(`/payments/${payment_id}/update_metadata`, { metadata: { a: 'b' } }),
  confirm: (shop, { payment_id }) => shop.confirm(payment_id, { payment_method: 'card', payment_method_data: card() }),
  capture: (shop, { payment_id }, amount) => shop.capture(payment_id, amount),
  cancel: (shop, { payment_id }) => shop.cancel(payment_id),
  release: (shop, { payment_id }) => shop.post(`/payments/${payment_id}/release`, {}),
  incremental_authorization: (shop, { payment_id, amount }) =>
    shop.post(`/payments/${payment_id}/incremental_authorization`, { amount: amount + 100 }),
  extend_authorization: (shop, { payment_id }) => shop.post(`/payments/${payment_id}/extend_authorization`, {}),
  expire_session: (shop, { payment_id }) => shop.post(`/payments/${payment_id}/expire_session`, {}),
  cancel_post_capture: (shop, { payment_id }) => shop.post(`/payments/${payment_id}/cancel_post_capture`, {}),
  refund: (shop, { payment_id }, amount) => shop.refund(payment_id, amount),
}

/**
 * The amount for each action that has one, where the action is not allowed: a small amount must not be the reason of
 * the refusal.
 */
const least: Record<string, number> = { refund: SMALLEST_REFUND }

const beginnings: PayAsk[] = [
  { confirm: false },
  { confirm: false, payment_method: undefined, payment_method_data: undefined },
  {},
  { card: cards.declines },
  { card: cards.refundsLater },
  { capture_method: 'manual' },
  { capture_method: 'manual', request_incremental_authorization: true, request_extended_authorization: true },
  { capture_method: 'manual', card: cards.capturesLater },
  { capture_method: 'manual_multiple' },
  { capture_method: 'manual_multiple', card: cards.capturesLater },
  { capture_method: 'manual', card: cards.refusesVoids },
  { card: cards.approvesLater },
  { authentication_type: 'three_ds', card: cards.challenges },
]

const stepped = fc.array(fc.record({ which: fc.nat(10), part: fc.constantFrom(1, 2, 3), waits: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
})

test('each allowed action succeeds up to its maximum amount, and each other action is refused with the listed code', async () => {
  const shop = await openShop()
  await shop.profile({ is_manual_retry_enabled: true })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...beginnings), stepped, async (beginning, steps) => {
      const { payment_id } = (await shop.tryToPay({ amount: 3000, ...beginning })).body
      for (const { which, part, waits } of steps) {
        const payment = await shop.get(payment_id)
        const actions = await actionsOf(shop, payment_id)
        deepEqual(
          actions.map(({ action }) => action),
          Object.keys(asks),
        )
        for (const { action, allowed, code, at_most } of actions) {
          seen.add(`${action} ${allowed ? 'allowed' : code}`)
          if (allowed) continue
          equal(at_most, null)
          const { status, body } = await asks[action]!(shop, payment, least[action] ?? 1)
          ok(status >= 400)
          equal(body.error.code, code, `${action} of a payment that is ${payment.status}`)
        }
        const possible = actions.filter(one => one.allowed)
        const chosen = possible[which % possible.length]
        if (!chosen) return
        const { action, at_most, currency } = chosen
        if (at_most !== null) {
          equal(currency, payment.currency)
          const more = await asks[action]!(shop, payment, at_most + 1)
          ok(more.status >= 400, `${action} of ${at_most + 1} was taken, and ${at_most} said to be the most`)
        }
        const asked = Math.max(Math.ceil((at_most ?? 0) / part), least[action] ?? 1)
        const answer = await asks[action]!(shop, payment, asked)
        equal(answer.status, 200, `${action} of a payment that is ${payment.status}: ${answer.text}`)
        if (waits) await shop.wait('2 minutes')
      }
    }),
    { numRuns: 60 },
  )
  for (const action of Object.keys(asks)) ok(seen.has(`${action} allowed`), `${action} was never allowed`)
})

test('an action that the processor does not support is listed as not allowed, with an error code and a description', async () => {
  const shop = await openShop({ connector: 'stripe' })
  const { payment_id } = await shop.hold({ amount: 1000 })
  const find = (actions: Body[], action: string) => actions.find(one => one.action === action)
  const actions = await actionsOf(shop, payment_id)
  deepEqual(find(actions, 'capture'), { action: 'capture', allowed: true, at_most: 1000, currency: 'USD', code: null, words: null })
  const extend = find(actions, 'extend_authorization')
  deepEqual([extend.allowed, extend.code], [false, 'IR_20'])
  ok(/extend/.test(extend.words) && /stripe/.test(extend.words), extend.words)
})

test('the actions of another merchant’s payment get the same 404 as a missing one, and a publishable key cannot read them', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const other = await openShop()
  const foreign = await other.call('GET', `/payments/${payment_id}/actions`)
  isRefused(foreign, 404, 'HE_02')
  areTheSame(foreign, await other.call('GET', '/payments/pay_none/actions'))
  isRefused(await http('GET', `${shop.url}/payments/${payment_id}/actions`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
