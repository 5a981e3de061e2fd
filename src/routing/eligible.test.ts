import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { secondAccount } from '../../test/retried.ts'
import { ADMIN_KEY, type Body, http, openShop, card as paying } from '../../test/shop.ts'

/**
 * Opens a merchant with these accounts; gives a function that pays, and tells the refusal or the account that took the
 * payment.
 */
async function openMerchant(...accounts: Body[]) {
  const shop = await openShop()
  const name = `${shop.merchant_id}_r`
  const admin = { 'api-key': ADMIN_KEY }
  await http('POST', `${shop.url}/accounts`, { merchant_id: name }, admin)
  for (const account of accounts) {
    const ask = {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_account_details: { auth_type: 'HeaderKey', api_key: `sandbox_${name}` },
    }
    equal((await http('POST', `${shop.url}/account/${name}/connectors`, { ...ask, ...account }, admin)).status, 200)
  }
  const { api_key } = (await http('POST', `${shop.url}/api_keys/${name}`, { name: 'k', expiration: 'never' }, admin)).body
  return (ask: Body = {}) => http('POST', `${shop.url}/payments`, shop.payBody(ask), { 'api-key': api_key })
}

const card = (type: Body = {}) => [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', ...type }] }]

test('a payment of a merchant without connector accounts, or with disabled ones only, is refused with that reason', async () => {
  isRefused(await (await openMerchant())(), 400, 'IR_39', /the merchant has no connector account/)
  const off = await openMerchant({ disabled: true }, { connector_label: 'second', status: 'inactive' })
  isRefused(await off(), 400, 'IR_39', /all connector accounts are disabled/)
})

// biome-ignore format: a table reads better in columns
const failures: [what: string, account: Body, good: Body, bad: Body, says: RegExp][] = [
  ['connector',      {}, { connector: ['phonypay'] },  { connector: ['stripe'] }   ,   /named in the request \(connector\)/],
  ['held method',    {}, {}, { capture_method: 'manual', payment_method: 'bank_transfer', payment_method_type: 'pix', payment_method_data: { bank_transfer: { pix: {} } } }, /capture_method manual for payment_method bank_transfer/],
  ['method enabled', { payment_methods_enabled: [{ payment_method: 'wallet' }] }, null, {}, /enabled for payment_method card \(payment_methods_enabled\)/],
  ['type',           { payment_methods_enabled: card() }, { payment_method_type: 'credit' }, { payment_method_type: 'debit' }, /payment_method_type debit/],
  ['network',        { payment_methods_enabled: card({ card_networks: ['Visa'] }) }, {}, { card: '5555555555554444' }, /Mastercard cards \(card_networks\)/],
  ['currency',       { payment_methods_enabled: card({ accepted_currencies: { type: 'enable_only', list: ['USD'] } }) }, {}, { currency: 'EUR' }, /enabled for EUR \(accepted_currencies\)/],
  ['country',        { payment_methods_enabled: card({ accepted_countries: { type: 'disable_only', list: ['NO'] } }) }, { billing: { address: { country: 'SE' } } }, { billing: { address: { country: 'NO' } } }, /payers in NO \(accepted_countries\)/],
  ['too little',     { payment_methods_enabled: card({ minimum_amount: 1000 }) }, {}, { amount: 999 }, /an amount of 999 /],
  ['in installments', { payment_methods_enabled: card({ installment_payment_enabled: false }) }, {}, { installment_data: { number_of_installments: 3, billing_frequency: 'month' } }, /installments/],
  ['too much',       { payment_methods_enabled: card({ maximum_amount: 1300 }) }, {}, { amount: 1301 }, /an amount of 1301 /],
]

test('a payment that no connector account can take is refused with the eligibility check that failed', async () => {
  for (const [what, account, good, bad, message] of failures) {
    const pay = await openMerchant(account)
    if (good) equal((await pay(good)).body.status, 'succeeded', what)
    isRefused(await pay(bad), 400, 'IR_39', message)
  }
})

test('partial authorization is refused if no connector supports it, and is otherwise routed to one that does', async () => {
  const shop = await openShop({ connector: 'stripe', webhooks: 'on' })
  const partly = { enable_partial_authorization: true }
  isRefused(await shop.tryToPay(partly), 400, 'IR_39', /partial authorization \(enable_partial_authorization\)/)
  equal((await shop.pay()).connector, 'stripe')
  await secondAccount(shop)
  equal((await shop.pay(partly)).connector, 'phonypay')
})

test('a connector account takes a co-badged card by any of its networks, unless the cardholder chose one network', async () => {
  const pay = await openMerchant({ payment_methods_enabled: card({ card_networks: ['Visa', 'Mastercard'] }) })
  const on = (card_network?: string) => ({
    payment_method_data: { card: { ...paying('4000002500001001').card, ...(card_network && { card_network }) } },
  })
  equal((await pay(on())).body.status, 'succeeded')
  equal((await pay(on('Visa'))).body.status, 'succeeded')
  isRefused(await pay(on('CartesBancaires')), 400, 'IR_39', /CartesBancaires cards/)
})

test('a payment without a card type or country is not excluded by limits on card types or countries', async () => {
  const pay = await openMerchant({
    payment_methods_enabled: card({ accepted_countries: { type: 'enable_only', list: ['NO'] }, card_networks: [] }),
  })
  equal((await pay()).body.status, 'succeeded')
})

test('a refusal names the last eligibility check that any of the connector accounts reached', async () => {
  const pay = await openMerchant(
    { disabled: true },
    { connector_label: 'euros', payment_methods_enabled: card({ accepted_currencies: { type: 'enable_only', list: ['EUR'] } }) },
  )
  isRefused(await pay(), 400, 'IR_39', /enabled for USD/)
})
