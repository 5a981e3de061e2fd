import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { ends, openPayoutShop, type PayoutShop, recipients } from '../../test/payout-shop.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Answer, type Body, http } from '../../test/shop.ts'

const actionsOf = (shop: PayoutShop, payout_id: string): Promise<Body[]> =>
  succeed(shop.call('GET', `/payouts/${payout_id}/actions`)) as never

/** The request for each action. */
const asks: Record<string, (shop: PayoutShop, payout: Body) => Promise<Answer>> = {
  update: (shop, { payout_id }) => shop.post(`/payouts/${payout_id}`, { metadata: { a: 'b' } }),
  confirm: (shop, { payout_id, payout_method_data }) =>
    shop.confirmPayout(payout_id, payout_method_data ? {} : { payout_type: 'bank', payout_method_data: recipients.bank() }),
  fulfill: (shop, { payout_id }) => shop.fulfill(payout_id),
  cancel: (shop, { payout_id }) => shop.cancelPayout(payout_id),
}

/** Payouts in all statuses that a merchant sees. */
const beginnings: Record<string, (shop: PayoutShop) => Promise<Body>> = {
  requires_payout_method_data: shop => succeed(shop.post('/payouts/create', { amount: 9_900, currency: 'EUR' })),
  requires_confirmation: shop => shop.payOut({ confirm: false }),
  requires_fulfillment: shop => shop.payOut({ auto_fulfill: false }),
  initiated: shop => shop.payOut({ to: recipients.wallet(ends.waits) }),
  success: shop => shop.payOut(),
  failed: shop => shop.payOut({ to: recipients.card(ends.declines), currency: 'USD' }),
  pending: shop => shop.payOut({ to: recipients.bank(ends.paysAndHangs) }),
}

test('each allowed action of a payout succeeds, and each other action is refused with the listed code', async () => {
  const shop = await openPayoutShop()
  const allowed: string[] = []
  for (const [status, begin] of Object.entries(beginnings)) {
    const payout = await begin(shop)
    equal(payout.status, status)
    const actions = await actionsOf(shop, payout.payout_id)
    deepEqual(
      actions.map(({ action }) => action),
      Object.keys(asks),
    )
    for (const one of actions.filter(({ allowed }) => !allowed)) {
      const { status: answered, body } = await asks[one.action]!(shop, payout)
      ok(answered >= 400)
      deepEqual([body.error.code, Boolean(one.words)], [one.code, true], `${one.action} of a payout that is ${status}`)
    }
    for (const { action, code, words } of actions.filter(({ allowed }) => allowed)) {
      deepEqual([code, words], [null, null])
      allowed.push(`${action} ${status}`)
      const answer = await asks[action]!(shop, await begin(shop))
      equal(answer.status, 200, `${action} of a payout that is ${status}: ${answer.text}`)
    }
  }
  deepEqual(allowed, [
    ...['update', 'confirm', 'cancel'].map(action => `${action} requires_payout_method_data`),
    ...['update', 'confirm', 'cancel'].map(action => `${action} requires_confirmation`),
    ...['fulfill', 'cancel'].map(action => `${action} requires_fulfillment`),
    ...['update', 'cancel'].map(action => `${action} initiated`),
  ])
})

test('a payout whose only account is disabled cannot be fulfilled, and its actions show the error code', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ auto_fulfill: false })
  await succeed(
    shop.post(`/account/${shop.merchant_id}/connectors/${shop.payout_account}`, { connector_type: 'payout_processor', disabled: true }),
  )
  const fulfill = (await actionsOf(shop, payout_id)).find(({ action }) => action === 'fulfill')
  deepEqual([fulfill!.allowed, fulfill!.code], [false, 'IR_39'])
  isRefused(await shop.fulfill(payout_id), 400, 'IR_39')
})

test('the actions of another merchant’s payout get the same 404 as a missing one, and a publishable key cannot read them', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut()
  const other = await openPayoutShop()
  const foreign = await other.call('GET', `/payouts/${payout_id}/actions`)
  isRefused(foreign, 404, 'HE_02')
  areTheSame(foreign, await other.call('GET', '/payouts/pyt_none/actions'))
  isRefused(await http('GET', `${shop.url}/payouts/${payout_id}/actions`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
