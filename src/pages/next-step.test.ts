import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openAuthenticatingShop } from '../../test/authentication.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { paidBy } from '../../test/ways.ts'

const unpaid = { payment_method: undefined, payment_method_data: undefined, payment_link: true }

/** Gives the page of a payment that was confirmed with this body. */
async function pageAfter(shop: Pick<Shop, 'create' | 'confirm'>, ask: Body, confirm: Body) {
  const { payment_id, payment_link } = await shop.create({ ...unpaid, ...ask })
  const { body } = await shop.confirm(payment_id, confirm)
  const { text, headers } = await http('GET', payment_link.link, undefined, { accept: 'text/html' })
  return { action: body.next_action, text, policy: String(headers['content-security-policy']) }
}

const steps = [
  ['a code to scan', 'bank_transfer', 'pix', 'EUR', /Scan to pay[\s\S]*<img class="code" src="data:image\/png/],
  ['a code that is elsewhere', 'real_time_payment', 'viet_qr', 'EUR', /<img class="code" src="http[^"]+\/code"/],
  ['a transfer', 'bank_transfer', 'sepa_bank_transfer', 'EUR', /Transfer the amount[\s\S]*DE89370400440532013000/],
  ['a slip', 'voucher', 'boleto', 'EUR', /Pay with this slip[\s\S]*Slip number/],
  ['an app to confirm in', 'upi', 'upi_collect', 'INR', /Confirm in your app/],
  ['an app that is opened', 'upi', 'upi_intent', 'INR', /href="upi:\/\/pay/],
] as const

for (const [name, family, way, currency, shows] of steps)
  test(`the page of a payment shows the next step for the customer: ${name}`, async () => {
    const shop = await openShop()
    const { text, action, policy } = await pageAfter(shop, { currency }, paidBy(family, way) as Body)
    ok(action, text)
    match(text, shows)
    match(text, /watch\.js/)
    match(policy, /form-action 'none'/)
  })

test('a QR code image hosted by the processor is the only external image that the page allows', async () => {
  const shop = await openShop({ connector: 'stripe' })
  const { text, policy } = await pageAfter(shop, { currency: 'BRL' }, paidBy('bank_transfer', 'pix') as Body)
  const [, image] = /<img class="code" src="(http[^"]+)"/.exec(text) ?? []
  ok(image, text)
  match(policy, new RegExp(`img-src 'self' ${new URL(image).origin}(?:;|$)`))
})

test('a one-time passcode is entered on the page, which allows no form submission', async () => {
  const shop = await openShop()
  const { text, action, policy } = await pageAfter(shop, {}, {
    payment_method: 'mobile_payment',
    payment_method_type: 'direct_carrier_billing',
    payment_method_data: { mobile_payment: { direct_carrier_billing: { msisdn: '4915112345678', client_uid: 'c-1047' } } },
  } as Body)
  equal(action.type, 'collect_otp')
  match(text, /answer\.js/)
  match(text, /autocomplete="one-time-code"/)
  match(policy, /form-action 'none'/)
})

test('the page for external 3-D Secure runs the authentication script, and may send the customer to the issuer', async () => {
  const shop = await openAuthenticatingShop()
  const ask = { authentication_type: 'three_ds', request_external_three_ds_authentication: true }
  const card = { card: { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' } }
  const { text, action, policy } = await pageAfter(shop, ask, { payment_method: 'card', payment_method_data: card })
  equal(action.type, 'three_ds_invoke')
  match(text, /authenticate\.js/)
  ok(text.includes(action.three_ds_data.three_ds_method_details.three_ds_method_data))
  match(policy, /form-action \*; frame-src \*/)
})
