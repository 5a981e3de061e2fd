import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { isRefused } from '../refused.ts'
import { type Body, openShop } from '../shop.ts'

/** A platform that pays out to its connected accounts at Stripe, by their account ids. */

const to = (end: string = ends.approves): Body => ({ passthrough: { psp_token: `acct_1Nnlp9GPxmnH${end}`, token_type: 'ach' } })

async function open() {
  const shop = await openShop({ connector: 'stripe' })
  const account = await addAccount(shop, 'stripe', {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    connector_account_details: keysOf('stripe', `sandbox_${shop.merchant_id}`),
    connector_webhook_details: { merchant_secret: shop.webhook_secret },
  })
  await shop.processor.account({
    webhook_url: `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`,
    webhook_secret: shop.webhook_secret,
  })
  const tryToPayOut = (end: string, more: Body = {}) => shop.post('/payouts/create', payOutBody({ to: to(end), ...more }))
  const payOut = async (end: string, more: Body = {}): Promise<Body> => {
    const { status, body, text } = await tryToPayOut(end, more)
    equal(status, 200, text)
    return body
  }
  const statusOf = async ({ payout_id }: Body): Promise<string> => (await shop.call('GET', `/payouts/${payout_id}`)).body.status
  const books = async () => ((await shop.processor.ledger()) as Body).payouts.map(({ amount, status }: Body) => [amount, status])
  return { ...shop, tryToPayOut, payOut, statusOf, books }
}

test('a transfer to a connected account succeeds or fails at once, and is reversed if Stripe reverses it later', async () => {
  const shop = await open()
  const paid = await shop.payOut(ends.approves)
  deepEqual([paid.status, paid.payout_type, paid.connector], ['success', 'passthrough', 'stripe'])
  match(paid.connector_transaction_id, /^tr_/)
  equal(paid.payout_method_data.passthrough.token_type, 'ach')
  const [poor, unable] = [await shop.payOut('9995'), await shop.payOut(ends.ineligible)]
  deepEqual(
    [poor.status, poor.error_code, unable.status, unable.error_code],
    ['failed', 'balance_insufficient', 'ineligible', 'insufficient_capabilities_for_transfer'],
  )
  const back = await shop.payOut(ends.returns)
  equal(back.status, 'success')
  await shop.wait('4 days')
  await shop.processor.advance(0)
  await shop.service.tick()
  deepEqual([await shop.statusOf(paid), await shop.statusOf(back)], ['success', 'reversed'])
})

test('a transfer whose response is lost is found by its transfer group and made once; one that never arrived fails', async () => {
  const shop = await open()
  await shop.processor.account({ webhooks: 'off' })
  await shop.processor.fault('payout', 'reset_after')
  const lost = await shop.payOut(ends.approves)
  await shop.processor.fault('payout', 'reset_before')
  const never = await shop.payOut(ends.approves)
  await shop.processor.fault('payout', '500_after')
  const failing = await shop.payOut(ends.approves)
  deepEqual([lost.status, never.status, failing.status], ['pending', 'pending', 'success'])
  await shop.wait('10 minutes')
  deepEqual([await shop.statusOf(lost), await shop.statusOf(never)], ['success', 'failed'])
  deepEqual(await shop.books(), [
    [9900, 'paid'],
    [9900, 'paid'],
  ])
})

test('a transfer that arrives after it was marked failed succeeds when its webhook is received', async () => {
  const shop = await open()
  await shop.processor.fault('payout', 'reset_before')
  const late = await shop.payOut(ends.approves)
  await shop.wait('10 minutes')
  equal(await shop.statusOf(late), 'failed')
  const [{ request_id }] = await shop.query('select request_id from processor_operations where object_id = $1', [late.payout_id])
  const body = new URLSearchParams({
    ...{ amount: '9900', currency: 'eur', destination: 'acct_1Nnlp9GPxmnH4242' },
    ...{ transfer_group: request_id, 'metadata[request_id]': request_id },
  })
  const headers = { authorization: `Bearer sandbox_${shop.merchant_id}`, 'idempotency-key': request_id }
  equal((await fetch(`${shop.processor.url}/stripe/v1/transfers`, { method: 'POST', headers, body })).status, 200)
  await shop.processor.advance(0)
  await shop.service.tick()
  equal(await shop.statusOf(late), 'success')
  deepEqual(await shop.books(), [[9900, 'paid']])
})

test('a reversed transfer stays reversed after duplicate and late webhooks', async () => {
  const shop = await open()
  await shop.processor.account({ webhooks: 'hold' })
  const back = await shop.payOut(ends.returns)
  await shop.wait('4 days')
  await shop.processor.account({ webhooks: 'duplicate' })
  await shop.processor.flushWebhooks()
  await shop.processor.advance(0)
  await shop.service.tick()
  equal(await shop.statusOf(back), 'reversed')
})

test('a connected account is named only with a secret key and is not saved, and other recipients are refused', async () => {
  const shop = await open()
  isRefused(await shop.tryToPayOut(ends.approves, { recurring: true, customer: { id: 'ada', name: 'Ada' } }), 422, 'IR_06', /recurring/)
  isRefused(await shop.post('/payouts/create', payOutBody({ to: recipients.bank() })), 400, 'IR_39', /bank/)
  const strange = { passthrough: { psp_token: 'acct_1/../x', token_type: 'ach' } }
  isRefused(await shop.post('/payouts/create', payOutBody({ to: strange })), 422, 'IR_06', /psp_token/)
  const none = { payout_type: undefined, payout_method_data: undefined, confirm: false, auto_fulfill: false }
  const { body: draft } = await shop.post('/payouts/create', payOutBody(none))
  const mine = { client_secret: draft.client_secret, payout_method_data: to() }
  const asked = await shop.post(`/payouts/${draft.payout_id}/confirm`, mine, { 'api-key': shop.publishable_key })
  isRefused(asked, 403, 'IR_22', /passthrough/)
  const bank = await shop.payOut(ends.approves, { payout_method_data: { passthrough: { psp_token: 'ba_1', token_type: 'ach' } } })
  deepEqual([bank.status, await shop.books()], ['failed', []])
})
