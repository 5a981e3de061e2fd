import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { ways } from '../ways.ts'

/**
 * A checkout knows only what it is told: it offers the listed payment methods, asks the customer for the listed
 * fields, puts each answer at the path of its field, and confirms.
 */

/** What the customer enters, by the kind of the field; of a list of options, the first. */
const answers: Readonly<Record<string, string>> = {
  user_email_address: 'ada@shop.example',
  user_full_name: 'Ada',
  user_billing_name: 'Ada',
  user_phone_number: '612345678',
  user_phone_number_country_code: '+31',
  user_address_line1: '1 Way',
  user_address_line2: 'Floor 2',
  user_address_city: 'Here',
  user_address_pincode: '12345',
  user_blik_code: '777123',
  user_cpf: '12345678909',
  user_social_security_number: '56176521102',
  user_date_of_birth: '1990-01-01',
  user_vpa_id: 'ada.success@upi',
  user_msisdn: '254700900123',
  user_iban: 'DE89370400440532013000',
  user_bank_account_number: '000123456789',
  user_bank_account_holder_name: 'Ada Byron',
  user_bank_routing_number: '110000000',
  user_bank_sort_code: '108800',
  user_bsb_number: '000000',
  user_branch_code: '1234',
  user_bank_identifier: '12345678',
  user_pix_account_number: '12345',
  user_gift_card_number: '6036280000000000000',
  user_gift_card_pin: '1234',
  text: '1249',
}
const answerTo = (kind: string | Record<string, { options: string[] }>): string =>
  typeof kind === 'string' ? answers[kind]! : Object.values(kind)[0]!.options[0]!

/** Puts a value at a path with dots. */
function put(body: Body, path: string, value: unknown): void {
  const steps = path.split('.')
  const last = steps.pop()!
  let place = body
  for (const step of steps) place = place[step] ??= {}
  place[last] = value
}

/** What a checkout sends of the browser in every confirm. */
const browser = {
  return_url: 'https://shop.example/back',
  browser_info: {
    ...{ user_agent: 'Mozilla/5.0', accept_header: 'text/html', language: 'en-GB', color_depth: 24, time_zone: -60 },
    ...{ screen_height: 900, screen_width: 1440, java_enabled: false, java_script_enabled: true },
  },
}
const acceptance = { acceptance_type: 'online', accepted_at: '2026-01-01T00:00:00.000Z', online: { user_agent: 'Mozilla/5.0' } }

/** The wallets that a page opens by a script of theirs. */
const byScript = ['apple_pay', 'google_pay', 'samsung_pay', 'paze', 'venmo']

/** Gives the ways by which a page pays without a script of the wallet's: empty objects until fields are filled in. */
const waysOf = (method: string, type: string): string[] =>
  Object.entries(ways[method as keyof typeof ways])
    .filter(
      ([way, [its]]) =>
        its === type && !/_sdk$|^(google_pay|apple_pay)(_decrypted)?$|^(samsung_pay|paze|amazon_pay|card_component)$/.test(way),
    )
    .map(([way]) => way)

/** Confirms a new payment as a checkout does, by one way. Returns what the customer sees. */
async function paid(shop: Shop, order: Body, method: string, { payment_method_type, required_fields }: Body, way: string): Promise<string> {
  const payment = await shop.create(order)
  const its = method === 'reward' ? 'reward' : { [method]: method === 'crypto' ? {} : { [way]: {} } }
  const body: Body = { ...browser, payment_method: method, payment_method_type, payment_method_data: its }
  if (method === 'bank_debit') body.customer_acceptance = acceptance
  for (const { required_field, field_type, value } of Object.values(required_fields as Record<string, Body>))
    if (value === null) put(body, required_field, answerTo(field_type))
  const { client_secret, payment_id } = payment
  const confirm = `${shop.url}/payments/${payment_id}/confirm`
  const answer = await http('POST', confirm, { client_secret, ...body }, { 'api-key': shop.publishable_key })
  const { status, error, error_message } = answer.body
  return ['succeeded', 'processing', 'requires_customer_action'].includes(status) ? 'paid' : `${way}: ${error?.help ?? error_message}`
}

/** Pays with everything that the payment's list offers. Returns what cannot be paid. */
async function unpaid(shop: Shop, more: Body): Promise<string[]> {
  const order = { payment_method: undefined, payment_method_data: undefined, amount: 12_500, ...more }
  const { client_secret } = await shop.create(order)
  const list = `${shop.url}/account/payment_methods?client_secret=${client_secret}`
  const { body } = await http('GET', list, undefined, { 'api-key': shop.publishable_key })
  const never: string[] = []
  for (const { payment_method, payment_method_types } of body.payment_methods as Body[])
    for (const type of payment_method === 'card'
      ? []
      : (payment_method_types as Body[]).filter(one => !byScript.includes(one.payment_method_type))) {
      const tries: string[] = []
      for (const way of waysOf(payment_method, type.payment_method_type))
        if (tries.at(-1) !== 'paid') tries.push(await paid(shop, order, payment_method, type, way))
      if (tries.length > 0 && tries.at(-1) !== 'paid') never.push(`${payment_method} ${type.payment_method_type}: ${tries.join(' | ')}`)
    }
  return never
}

const lives = (country: string) => ({ billing: { address: { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', country } } })
/** What only the merchant knows: what is sold, and where it goes. */
const goods = {
  order_details: [{ product_name: 'Chair', quantity: 1, amount: 12_500 }],
  shipping: { address: { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', city: 'Here', zip: '12345', country: 'NL' } },
}
const places: Readonly<Record<string, readonly Body[]>> = {
  phonypay: [{ currency: 'EUR' }],
  adyen: [
    { currency: 'EUR' },
    { currency: 'BRL' },
    { currency: 'USD' },
    { currency: 'MYR' },
    { currency: 'EUR', ...lives('FI'), ...goods },
    { currency: 'EUR', ...goods },
    { currency: 'USD', ...goods },
  ],
  stripe: [{ currency: 'EUR' }, { currency: 'USD' }, { currency: 'GBP', ...lives('GB') }, { currency: 'BRL' }],
  checkout: [
    { currency: 'EUR', ...goods },
    { currency: 'EUR', ...lives('PT') },
    { currency: 'PLN', ...lives('PL') },
  ],
  mollie: [
    { currency: 'EUR', ...goods },
    { currency: 'EUR', ...lives('NL') },
  ],
}
for (const [connector, orders] of Object.entries(places))
  test(`whatever a checkout offers at ${connector} is paid with no more than the fields that it lists`, async () => {
    const shop = await openShop({ connector: connector as never })
    for (const order of orders) deepEqual(await unpaid(shop, order), [], JSON.stringify(order))
  })
