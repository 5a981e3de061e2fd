// Alone: it has a connector of its own, which services know that start later.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openWalletpay, SCANNED } from '../../test/another-connector.ts'
import { onlyCards, succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { retryAt } from '../../test/retried.ts'
import { ADMIN_KEY, type Body, card, cards, http, openShop } from '../../test/shop.ts'

/**
 * A connector that accepts one family of payment methods, and no cards: it receives only payments of this family
 * (`test/another-connector.ts`).
 */

const opened: Awaited<ReturnType<typeof openWalletpay>>[] = []
after(() => Promise.all(opened.map(processor => processor.close())))

async function openWalletShop() {
  const shop = await openShop()
  const processor = await openWalletpay()
  opened.push(processor)
  await succeed(shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, onlyCards))
  const { status, text, body } = await http(
    'POST',
    `${shop.url}/account/${shop.merchant_id}/connectors`,
    {
      connector_type: 'payment_processor',
      connector_name: 'walletpay',
      connector_account_details: { auth_type: 'NoKey' },
      metadata: { base_url: processor.url },
    },
    { 'api-key': ADMIN_KEY },
  )
  equal(status, 200, text)
  return { ...shop, walletpay: processor, walletAccount: body.merchant_connector_id as string }
}

/** Gives the wallet data that Google Pay gives a shop, with this token. */
const wallet = (token: string, more: Body = {}): Body => ({
  payment_method: 'wallet',
  payment_method_type: 'google_pay',
  payment_method_data: {
    wallet: {
      google_pay: {
        type: 'CARD',
        description: 'Visa 1111',
        info: { card_network: 'VISA', card_details: '1111' },
        tokenization_data: { type: 'PAYMENT_GATEWAY', token },
        ...more,
      },
    },
  },
})
const SEEN = { last4: '1111', card_network: 'VISA', type: 'CARD', card_exp_month: null, card_exp_year: null, auth_code: null, email: null }

test('a wallet payment is routed to the connector that accepts wallets, and its visible data is stored and returned', async () => {
  const shop = await openWalletShop()
  const paid = await shop.pay(wallet('token_1'))
  deepEqual([paid.status, paid.connector, shop.walletpay.tokens], ['succeeded', 'walletpay', ['token_1']])
  deepEqual(paid.payment_method_data, { wallet: { google_pay: SEEN }, billing: null })
  deepEqual([paid.fingerprint, paid.card_discovery], [null, null])
  equal((await shop.pay()).connector, 'phonypay', 'and cards go where they went')
})

test('invalid wallet data and a type that is not a wallet are refused with the name of the field', async () => {
  const shop = await openWalletShop()
  isRefused(
    await shop.tryToPay(wallet('token_1', { tokenization_data: { type: 'T' } })),
    400,
    'IR_06',
    /google_pay\.tokenization_data\.token/,
  )
  isRefused(await shop.tryToPay({ ...wallet('token_1'), payment_method_type: undefined }), 400, 'IR_04', /payment_method_type/)
  isRefused(await shop.tryToPay({ ...wallet('token_1'), payment_method_type: 'ideal' }), 422, 'IR_06', /payment_method_type/)
  isRefused(await shop.tryToPay({ ...wallet('token_1'), payment_method_data: undefined }), 422, 'IR_06', /payment_method_data/)
  equal(shop.walletpay.tokens.length, 0)
})

test('the wallet token of an unconfirmed payment is stored only in the vault, and never in clear', async () => {
  const shop = await openWalletShop()
  const { payment_id, status } = await shop.create(wallet('token_of_mine'))
  equal(status, 'requires_confirmation')
  const kept = await shop.query('select record from vault_records where merchant_id = $1', [shop.merchant_id])
  deepEqual(kept, [{ record: `wallet ${payment_id}` }])
  for (const table of ['payments', 'changes', 'vault_records', 'processor_operations']) {
    const rows = await shop.query(`select * from ${table} where merchant_id = $1`, [shop.merchant_id])
    ok(rows.length > 0 || table === 'processor_operations')
    ok(
      !/token_of_mine/.test(
        rows
          .map(row => Object.values(row).map(value => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))))
          .join(),
      ),
    )
  }
  const { body } = await shop.post(`/payments/${payment_id}/confirm`, {})
  deepEqual([body.status, shop.walletpay.tokens], ['succeeded', ['token_of_mine']])
})

test('a confirm can change from card to wallet and from wallet to card, and the vault keeps what is not confirmed', async () => {
  const shop = await openWalletShop()
  const records = (payment_id: string) =>
    shop.query('select record from vault_records where merchant_id = $1 and record like $2', [shop.merchant_id, `%${payment_id}`])
  const byWallet = await shop.create()
  const paid = (await shop.post(`/payments/${byWallet.payment_id}/confirm`, wallet('token_2'))).body
  deepEqual([paid.status, paid.connector, Object.keys(paid.payment_method_data)], ['succeeded', 'walletpay', ['wallet', 'billing']])
  deepEqual(await records(byWallet.payment_id), [], 'neither the card that was not used nor the wallet')
  deepEqual(await shop.query('select 1 from waiting_cvcs where merchant_id = $1', [shop.merchant_id]), [])

  const byCard = await shop.create(wallet('token_3'))
  const change = { payment_method: 'card', payment_method_type: 'credit', payment_method_data: card() }
  const { body } = await shop.post(`/payments/${byCard.payment_id}/confirm`, change)
  deepEqual([body.status, body.connector, body.payment_method_data.card.last4], ['succeeded', 'phonypay', '4242'])
  deepEqual(await records(byCard.payment_id), [])

  const changed = await shop.create()
  await shop.post(`/payments/${changed.payment_id}`, wallet('token_4'))
  deepEqual(await records(changed.payment_id), [{ record: `wallet ${changed.payment_id}` }])
})

test('a confirm with a wallet but without its data is refused, although the payment has a card', async () => {
  const shop = await openWalletShop()
  const { payment_id } = await shop.create()
  const answer = await shop.post(`/payments/${payment_id}/confirm`, { payment_method: 'wallet', payment_method_type: 'google_pay' })
  isRefused(answer, 422, 'IR_06', /payment_method_data/)
  deepEqual([...shop.walletpay.tokens, ...(await shop.processor.operations())], [])
})

test('a wallet token may look like a card number, and other wallet fields may not', async () => {
  const shop = await openWalletShop()
  equal((await shop.pay(wallet(cards.approves))).status, 'succeeded')
  isRefused(
    await shop.tryToPay(wallet('token_4', { description: cards.approves })),
    400,
    'IR_06',
    /google_pay\.description looks like a card number, which is only allowed in .*card_number/,
  )
  equal(shop.walletpay.tokens.length, 1)
})

test('a QR code is returned as the next action of a wallet payment, and the redirect page leads to the return_url', async () => {
  const shop = await openWalletShop()
  const payment = await shop.pay({ ...wallet(`${SCANNED}_1`), return_url: 'https://shop.example/back' })
  equal(payment.status, 'requires_customer_action')
  deepEqual([payment.next_action.type, payment.next_action.image_data_url], ['qr_code_information', 'data:image/png;base64,AAAA'])
  const page = await fetch(`${shop.url}/payments/redirect/${payment.payment_id}/${shop.merchant_id}/${payment.payment_id}_1`, {
    redirect: 'manual',
  })
  match(page.headers.get('location') ?? '', /^https:\/\/shop\.example\/back/)
  const synced = await shop.sync(payment.payment_id)
  deepEqual([synced.status, synced.next_action], ['succeeded', null])
})

test('a payment method that the connector does not support is not sent, and the attempt fails', async () => {
  const shop = await openWalletShop()
  const { payment_id } = await shop.pay({ card: cards.declines })
  const before = await shop.processor.operations()
  const instrument = { is: 'bank_redirect', type: 'ideal', way: 'ideal', open: {}, secrets: {} } as const
  const after = await retryAt(shop, payment_id, shop.walletAccount, instrument)
  deepEqual([after.status, after.last_error?.error_code], ['failed', 'not_sent'])
  deepEqual(await shop.processor.operations(), before)
})
