import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import Stripe from 'stripe'
import { openShop, openTestSandbox } from '../test-shop.ts'
import { type MethodName, rowOf, stripeMethods } from './stripe-methods.ts'

/** Stripe's payment methods besides cards, as its own client library finds them in the dialect. */

const { url } = await openTestSandbox()

function openClient() {
  const key = `sk_test_${randomUUID()}`
  const at = new URL(url)
  // The library knows no base path: it is put before what it asks for.
  const fetched: typeof fetch = (input, init) => fetch(String(input).replace(at.origin, `${at.origin}/stripe`), init)
  const config = { host: at.hostname, port: at.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const
  const stripe = new Stripe(key, { ...config, httpClient: Stripe.createFetchHttpClient(fetched) })
  return { stripe, sandbox: openShop(url, { key }) }
}
type Client = ReturnType<typeof openClient>['stripe']

const billing_details = {
  name: 'Ada Byron',
  email: 'ada@shop.example',
  phone: '+351912345678',
  address: { line1: '1 Way', city: 'Here', postal_code: '12345', country: 'GB' },
}
/** What a payment method says of itself, and what an intent says of it. */
const methodFields: { [Type in MethodName]?: object } = {
  au_becs_debit: { account_number: '000123456', bsb_number: '000000' },
  bacs_debit: { account_number: '00012345', sort_code: '108800' },
  boleto: { tax_id: '56176521102' },
  fpx: { bank: 'maybank2u' },
  sepa_debit: { iban: 'AT611904300234573201' },
  us_bank_account: { account_number: '000123456789', routing_number: '110000000', account_holder_type: 'individual' },
}
const euros = { type: 'eu_bank_transfer', eu_bank_transfer: { country: 'DE' } }
const options: { [Type in MethodName]?: object } = {
  blik: { code: '777123' },
  customer_balance: { funding_type: 'bank_transfer', bank_transfer: euros },
  wechat_pay: { client: 'web' },
}
const mandate_data = { customer_acceptance: { type: 'offline' } } as const

async function pay(stripe: Client, type: MethodName, more: object = {}, details: object = {}) {
  const row = rowOf(type)!
  const customer = type === 'customer_balance' && (await stripe.customers.create({ name: 'Ada Byron' })).id
  return stripe.paymentIntents.create({
    amount: 12_500,
    currency: row.currencies[0]!,
    confirm: true,
    return_url: 'https://shop.example/back',
    payment_method_data: { type, [type]: { ...methodFields[type], ...details }, billing_details } as never,
    allowed_payment_method_types: [type],
    ...(options[type] && { payment_method_options: { [type]: options[type] } }),
    ...(row.mandate && { mandate_data }),
    ...(customer && { customer }),
    ...more,
  })
}

const refused = (asked: Promise<unknown>, code: string, param?: string) =>
  rejects(asked, (error: Stripe.errors.StripeError) => {
    equal(error.code, code, error.message)
    if (param !== undefined) equal(error.param, param)
    return true
  })

const names = Object.keys(stripeMethods) as MethodName[]

test('each payment method is accepted, and the intent is processing or has the next action of the method', async () => {
  const { stripe } = openClient()
  for (const type of names) {
    const intent = await pay(stripe, type)
    deepEqual(intent.payment_method_types, [type])
    const method = await stripe.paymentMethods.retrieve(intent.payment_method as string)
    equal(method.type, type)
    if (rowOf(type)!.course === 'later') equal(intent.status, 'processing', type)
    else {
      const { next_action, status } = intent
      equal(status, 'requires_action', type)
      ok((next_action as unknown as Record<string, unknown>)[next_action!.type], type)
    }
  }
})

test('unknown, missing or incompatible parameters of a payment method are refused by name, and nothing is paid', async () => {
  const { stripe, sandbox } = openClient()
  await refused(pay(stripe, 'ideal', {}, { bogus: 1 }), 'parameter_unknown', 'payment_method_data[ideal][bogus]')
  await refused(pay(stripe, 'sepa_debit', {}, { iban: undefined }), 'parameter_missing', 'payment_method_data[sepa_debit][iban]')
  await refused(pay(stripe, 'blik', { payment_method_options: {} }), 'parameter_missing', 'payment_method_options[blik][code]')
  await refused(
    pay(stripe, 'blik', { payment_method_options: { blik: { code: '1', bogus: 1 } } }),
    'parameter_unknown',
    'payment_method_options[blik][bogus]',
  )
  await refused(pay(stripe, 'ideal', { currency: 'usd' }), 'payment_intent_invalid_parameter', 'currency')
  await refused(pay(stripe, 'ideal', { capture_method: 'manual' }), 'payment_intent_invalid_parameter', 'capture_method')
  await refused(pay(stripe, 'ideal', { allowed_payment_method_types: ['card'] }), 'payment_intent_incompatible_payment_method')
  await refused(pay(stripe, 'sepa_debit', { mandate_data: undefined }), 'payment_intent_mandate_invalid', 'mandate_data')
  const online = { mandate_data: { customer_acceptance: { type: 'online', online: { ip_address: '203.0.113.7' } } } }
  await refused(pay(stripe, 'sepa_debit', online), 'parameter_missing')
  const nameless = { type: 'bancontact', billing_details: { email: 'ada@shop.example' } }
  await refused(pay(stripe, 'bancontact', { payment_method_data: nameless }), 'parameter_missing', 'billing_details[name]')
  await refused(pay(stripe, 'ideal', { payment_method: 'pm_card_visa' }), 'parameters_exclusive')
  deepEqual(await sandbox.charges(), [])
})

test('the token of a wallet card pays as a card; an unknown token is refused', async () => {
  const { stripe } = openClient()
  const method = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
  const paid = await stripe.paymentIntents.create({ amount: 1250, currency: 'usd', confirm: true, payment_method: method.id })
  deepEqual([paid.status, paid.amount_received], ['succeeded', 1250])
  await refused(stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_nobody' } }), 'resource_missing')
})
