import { deepEqual, doesNotMatch, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { openPayoutShop } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, card, cards, http, type Shop } from '../../test/shop.ts'

/** Payout methods of customers, saved for later payouts. */

const IBAN = 'DE89370400440532013000'
const bank = { payment_method: 'bank_transfer', bank_transfer: { iban: IBAN, bic: 'DEUTDEFF', account_holder_name: 'Grace Hopper' } }
const paypal = { payment_method: 'wallet', wallet: { paypal: { email: 'grace.hopper@example.com' } } }
const customer_id = 'cus_grace'

async function openCustomer() {
  const shop = await openPayoutShop()
  await shop.post('/customers', { customer_id })
  return shop
}
const save = (shop: Shop, body: Body) => shop.post('/payment_methods', { customer_id, ...body })
const listed = async (shop: Shop): Promise<Body[]> =>
  (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods

test('a saved bank account or wallet is shown masked, and receives payouts by id and by token', async () => {
  const shop = await openCustomer()
  const account = (await save(shop, bank)).body
  deepEqual(
    [
      account.payment_method,
      account.payment_method_type,
      account.card,
      account.payout_method_data.bank.bic,
      account.bank_transfer.iban,
      account.bank_transfer.bic,
    ],
    ['bank_transfer', 'sepa_bank_transfer', null, 'DEUTDEFF', '******************3000', 'DEUTDEFF'],
  )
  const wallet = (await save(shop, paypal)).body
  deepEqual(
    [wallet.payment_method_type, wallet.bank_transfer, wallet.payout_method_data.wallet],
    ['paypal', null, { paypal: { field_type: 'email', email: 'g***********@example.com' } }],
  )
  const to = { payout_method_data: undefined, payout_type: undefined, customer_id, currency: 'EUR' }
  const byId = await shop.payOut({ ...to, payout_method_id: account.payment_method_id })
  deepEqual([byId.status, byId.payout_type, byId.payout_method_id], ['success', 'bank', account.payment_method_id])
  equal(byId.payout_method_data.bank.iban, '******************3000')
  const interac = (await save(shop, { payment_method: 'bank_redirect', bank_redirect: { interac: { email: 'grace.hopper@example.com' } } }))
    .body
  deepEqual(interac.payout_method_data.bank_redirect, { interac: { email: 'g***********@example.com' } })
  const redirected = await shop.payOut({ ...to, currency: 'CAD', payout_method_id: interac.payment_method_id })
  deepEqual([redirected.status, redirected.payout_type], ['success', 'bank_redirect'])
  const { payment_token } = (await listed(shop)).find(one => one.payment_method === 'wallet')!
  const byToken = await shop.payOut({ ...to, payout_token: payment_token })
  deepEqual([byToken.status, byToken.payout_type], ['success', 'wallet'])
  isRefused(
    await shop.tryToPayOut({ ...to, payout_type: 'card', payout_method_id: account.payment_method_id }),
    422,
    'IR_06',
    /must be bank/,
  )
  isRefused(await shop.tryToPayOut({ ...to, customer_id: 'another', payout_method_id: account.payment_method_id }), 404, 'HE_02')
})

test('saving the same bank account again updates the saved one; its number is only in the vault', async () => {
  const shop = await openCustomer()
  const { payment_method_id } = (await save(shop, bank)).body
  const { bank_transfer: bank_transfer_data, ...unnamed } = bank
  equal((await save(shop, { ...unnamed, bank_transfer_data })).body.payment_method_id, payment_method_id)
  const again = (await save(shop, { ...bank, bank_transfer: { ...bank.bank_transfer, account_holder_name: 'G. Hopper' } })).body
  deepEqual([again.payment_method_id, again.bank_transfer.account_holder_name], [payment_method_id, 'G. Hopper'])
  const number = { expiry_month: '12', expiry_year: '2040', card_holder_name: 'Grace Hopper' }
  const behind = { payment_method: 'wallet', wallet: { apple_pay_decrypt: { dpan: cards.approves, ...number } } }
  const paying = (await save(shop, { payment_method: 'card', card: card().card })).body
  notEqual((await save(shop, behind)).body.payment_method_id, paying.payment_method_id, 'a card behind a wallet is no card of theirs')
  for (const table of ['payment_methods', 'changes', 'vault_records'])
    for (const { row } of await shop.query(`select t::text as row from ${table} t where merchant_id = $1`, [shop.merchant_id]))
      doesNotMatch(row, /0532013|4111111111111111|grace\.hopper/)
  const held = async () => (await shop.query('select 1 from vault_records where merchant_id = $1', [shop.merchant_id])).length
  equal(await held(), 3)
  equal((await shop.call('DELETE', `/payment_methods/${payment_method_id}`)).status, 200)
  equal(await held(), 2)
  await shop.call('DELETE', `/customers/${customer_id}`)
  equal(await held(), 0)
})

test('a saved payout account cannot pay: it cannot be the default, is hidden at checkout, and its token is refused', async () => {
  const shop = await openCustomer()
  const { payment_method_id } = (await save(shop, bank)).body
  isRefused(
    await shop.post(`/customers/${customer_id}/payment_methods/${payment_method_id}/default`, {}),
    400,
    'IR_16',
    /it is for payouts/,
  )
  isRefused(await shop.post(`/payment_methods/${payment_method_id}/update`, { card: { nick_name: 'x' } }), 400, 'IR_19', /not a card/)
  const [{ payment_token, default_payment_method_set, requires_cvv }] = (await listed(shop)) as [Body]
  deepEqual([default_payment_method_set, requires_cvv], [false, false])
  isRefused(await shop.tryToPay({ customer_id, payment_method_data: undefined, payment_token }), 422, 'IR_29')
  const { client_secret } = await shop.create({ customer_id })
  const seen = await http('GET', `${shop.url}/customers/payment_methods?client_secret=${client_secret}`, undefined, {
    'api-key': shop.publishable_key,
  })
  deepEqual(seen.body.customer_payment_methods, [])
  isRefused(
    await shop.tryToPay({
      payment_method_data: undefined,
      customer_id,
      off_session: true,
      recurring_details: { type: 'payment_method_id', data: payment_method_id },
    }),
    400,
    'IR_46',
  )
})

const refusals: [Body, number, string, RegExp][] = [
  [{ ...bank, bank_transfer: { iban: 'DE00' } }, 422, 'IR_06', /bank_transfer\.iban/],
  [{ ...bank, bank_transfer: {} }, 400, 'IR_04', /bank_transfer\./],
  [{ ...bank, payment_method_type: 'ach' }, 422, 'IR_06', /payment_method_type/],
  [{ ...bank, wallet: paypal.wallet }, 422, 'IR_06', /wallet/],
  [{ ...bank, card: card().card }, 422, 'IR_06', /card/],
  [{ ...paypal, wallet: { paypal: { email: 'nobody' } } }, 422, 'IR_06', /wallet\.paypal\.email/],
  [{ payment_method: 'voucher' }, 400, 'IR_19', /voucher/],
]

test('an invalid payout account is refused with the field name, and nothing is saved', async () => {
  const shop = await openCustomer()
  for (const [body, status, code, names] of refusals) isRefused(await save(shop, body), status, code, names)
  deepEqual(await listed(shop), [])
})
