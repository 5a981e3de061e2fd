import { deepEqual, equal, match } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { isRefused } from '../refused.ts'
import { type Body, openShop } from '../shop.ts'

/** A merchant who pays out to bank accounts through Adyen's Transfers API, and to cards through its Payout API. */

async function open(webhooks: 'on' | 'off' = 'on') {
  const shop = await openShop({ connector: 'adyen' })
  const asPayer = (connector: string, connector_label: string) =>
    addAccount(shop, connector, {
      connector_type: 'payout_processor',
      connector_label,
      connector_account_details: keysOf(connector, `sandbox_${shop.merchant_id}`),
      connector_webhook_details: { merchant_secret: shop.webhook_secret },
    })
  const account = await asPayer('adyenplatform', 'bank payouts')
  const webhook_url = `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`
  await shop.processor.account({ webhook_url, webhook_secret: shop.webhook_secret, webhooks: webhooks === 'on' ? 'send' : 'off' })
  const payOut = async (end: string, more: Body = {}): Promise<Body> => {
    const { status, body, text } = await shop.post('/payouts/create', payOutBody({ to: recipients.bank(end), ...more }))
    equal(status, 200, text)
    return body
  }
  const read = async ({ payout_id }: Body, query = ''): Promise<Body> => (await shop.call('GET', `/payouts/${payout_id}${query}`)).body
  const statusOf = async (payout: Body): Promise<string> => (await read(payout)).status
  const books = async () => ((await shop.processor.ledger()) as Body).payouts.map(({ amount, status }: Body) => [amount, status])
  const settle = async () => {
    await shop.processor.advance(0)
    await shop.service.tick()
  }
  return { ...shop, webhook_url, payOut, asPayer, read, statusOf, books, settle }
}

/** Sends a webhook about a transfer, signed as by Adyen. Gives the status of the answer. */
async function sendTransfer(
  { webhook_url, webhook_secret }: Pick<Awaited<ReturnType<typeof open>>, 'webhook_url' | 'webhook_secret'>,
  data: Body,
) {
  const body = JSON.stringify({ data, environment: 'test', type: 'balancePlatform.transfer.updated' })
  const hmacsignature = createHmac('sha256', Buffer.from(webhook_secret, 'hex')).update(body).digest('base64')
  return (await fetch(webhook_url, { method: 'POST', body, headers: { 'content-type': 'application/json', hmacsignature } })).status
}

test('a payout is initiated, succeeds once Adyen books it, and is reversed if the bank returns it days later', async () => {
  const shop = await open()
  const paid = await shop.payOut(ends.approves)
  equal(paid.status, 'initiated')
  match(paid.connector_transaction_id, /^[A-Z0-9]{16}$/)
  const [later, returned] = [await shop.payOut(ends.approvesLater), await shop.payOut(ends.returns)]
  await shop.settle()
  deepEqual([await shop.statusOf(paid), await shop.statusOf(later), await shop.statusOf(returned)], ['success', 'initiated', 'success'])
  await shop.wait('4 days')
  await shop.settle()
  deepEqual([await shop.statusOf(later), await shop.statusOf(returned)], ['success', 'reversed'])
  equal((await shop.read(returned)).error_code, 'counterpartyAccountClosed')
})

test('a payout refused for its balance or its recipient fails or is ineligible, with the error code of Adyen', async () => {
  const shop = await open()
  const [poor, unknown, declined, later] = [
    await shop.payOut('9995'),
    await shop.payOut(ends.ineligible),
    await shop.payOut(ends.declines),
    await shop.payOut(ends.declinesLater),
  ]
  await shop.settle()
  await shop.wait('1 hour')
  await shop.settle()
  const shown = await Promise.all([poor, unknown, declined, later].map(async one => shop.read(one)))
  deepEqual(
    shown.map(({ status, error_code }) => [status, error_code]),
    [
      ['failed', 'notEnoughBalance'],
      ['ineligible', 'counterpartyAccountNotFound'],
      ['failed', 'refusedByCounterpartyBank'],
      ['failed', 'refusedByCounterpartyBank'],
    ],
  )
  isRefused(await shop.post('/payouts/create', payOutBody({ to: recipients.card() })), 400, 'IR_39', /card/)
  const nameless = await shop.payOut(ends.approves, { payout_method_data: { bank: { iban: recipients.bank().bank.iban } } })
  deepEqual([nameless.status, nameless.error_message], ['failed', 'Adyen requires the name of the account holder.'])
})

test('a payout whose response is lost is found by its reference and paid once; one that never arrived fails days later', async () => {
  const shop = await open('off')
  await shop.processor.fault('payout', 'reset_after')
  const lost = await shop.payOut(ends.approves)
  await shop.processor.fault('payout', 'reset_before')
  const never = await shop.payOut(ends.approves)
  deepEqual([lost.status, never.status], ['pending', 'pending'])
  await shop.wait('5 minutes')
  deepEqual([await shop.statusOf(lost), await shop.statusOf(never)], ['success', 'pending'])
  await shop.wait('20 hours')
  equal(await shop.statusOf(never), 'pending')
  await shop.wait('2 days')
  equal(await shop.statusOf(never), 'failed')
  deepEqual(await shop.books(), [[9900, 'paid']])
})

test('a payout whose response is lost is completed by its webhook, and paid once', async () => {
  const shop = await open()
  await shop.processor.account({ webhooks: 'hold' })
  await shop.processor.fault('payout', 'reset_after')
  const lost = await shop.payOut(ends.approves)
  await shop.processor.account({ webhooks: 'duplicate' })
  await shop.processor.flushWebhooks()
  await shop.settle()
  equal(await shop.statusOf(lost), 'success')
  deepEqual(await shop.books(), [[9900, 'paid']])
})

test('duplicate, late, reordered or forged webhooks do not give a payout a status that Adyen does not confirm', async () => {
  const shop = await open()
  const returned = await shop.payOut(ends.returns)
  await shop.processor.account({ webhooks: 'hold' })
  await shop.wait('4 days')
  await shop.processor.account({ webhooks: 'duplicate' })
  await shop.processor.flushWebhooks()
  await shop.settle()
  equal(await shop.statusOf(returned), 'reversed')
  const { connector_transaction_id: id, payout_id } = returned
  const [{ request_id }] = await shop.query('select request_id from processor_operations where object_id = $1', [payout_id])
  for (const status of ['booked', 'received', 'booked'])
    equal(await sendTransfer(shop, { id, reference: request_id, status, amount: { value: 9900, currency: 'EUR' } }), 200)
  await shop.settle()
  equal(await shop.statusOf(returned), 'reversed')
  const waiting = await shop.payOut(ends.waits)
  equal(await sendTransfer({ ...shop, webhook_secret: 'ab'.repeat(12) }, { id, reference: request_id }), 401)
  const [{ request_id: other }] = await shop.query('select request_id from processor_operations where object_id = $1', [waiting.payout_id])
  equal(await sendTransfer(shop, { id: waiting.connector_transaction_id, reference: other, status: 'booked' }), 200)
  await shop.settle()
  equal(await shop.statusOf(waiting), 'initiated')
})

test('a payout that is not booked yet can be cancelled; one that Adyen does not cancel is paid', async () => {
  const shop = await open()
  const cancel = ({ payout_id }: Body) => shop.post(`/payouts/${payout_id}/cancel`, { payout_id })
  const [waits, keeps, lost] = [await shop.payOut(ends.waits), await shop.payOut(ends.keeps), await shop.payOut(ends.waits)]
  equal((await cancel(waits)).body.status, 'cancelled')
  equal((await cancel(keeps)).body.status, 'initiated')
  await shop.processor.fault('cancel_payout', 'reset_after')
  equal((await cancel(lost)).body.status, 'initiated')
  await shop.wait('1 hour')
  await shop.settle()
  deepEqual([await shop.statusOf(keeps), await shop.statusOf(lost)], ['success', 'cancelled'])
  const paid = await shop.payOut(ends.approves)
  await shop.settle()
  isRefused(await cancel(paid), 422, 'IR_06', /cancel/)
  deepEqual((await shop.books()).filter(([, status]: string[]) => status === 'paid').length, 2)
})

test('amounts are sent in the decimals that Adyen uses, and card payouts use an account of their own', async () => {
  const shop = await open()
  const krona = await shop.payOut(ends.approves, { amount: 1000, currency: 'ISK' })
  await shop.settle()
  deepEqual([await shop.statusOf(krona), await shop.books()], ['success', [[100_000, 'paid']]])
  await shop.asPayer('adyen', 'card payouts')
  const card = await shop.payOut(ends.approves, { payout_type: 'card', payout_method_data: recipients.card() })
  deepEqual([card.status, card.connector], ['success', 'adyen'])
  const bank = await shop.payOut(ends.approves)
  deepEqual([bank.status, bank.connector], ['initiated', 'adyenplatform'])
})
