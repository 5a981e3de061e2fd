import type { Merchant } from '../src/accounts/merchant.ts'
import { Secret } from '../src/base/secret.ts'
import { alsoCalled, connectors } from '../src/connectors/all.ts'
import type { Account } from '../src/connectors/connector.ts'
import type { PaymentInstrument } from '../src/connectors/instrument.ts'
import type { Port } from '../src/connectors/port.ts'
import type { Operation } from '../src/operations/operation.ts'
import type { RequestInput } from '../src/operations/verb.ts'
import { type FieldName, fields } from '../src/payments/fields/all.ts'
import type { Payment } from '../src/payments/payment.ts'
import { authorizeVerb } from '../src/payments/verbs/authorize.ts'
import type { Fields } from '../src/resources/field.ts'

/**
 * Finds by trial which field of a payment reaches which processor. An authorization is rehearsed with the field and
 * without it, by payments of three kinds; a field that changes the requests to the processor reaches it.
 */

type FieldValues = Partial<Record<FieldName, unknown>>

const place = { line1: 'Storgata 12', city: 'Oslo', zip: '0155', country: 'NO', first_name: 'Kari', last_name: 'Nordmann' }

/** A value of each field that could reach a processor; for columns, a value other than the usual. */
const samples: FieldValues = {
  amount: 990,
  currency: 'EUR',
  shipping_cost: 40,
  order_tax_amount: 10,
  tax_status: 'taxable',
  discount_amount: 5,
  shipping_amount_tax: 2,
  duty_amount: 1,
  order_date: '2026-03-01T10:00:00.000Z',
  order_details: [{ product_name: 'Chair', quantity: 2, amount: 600 }],
  merchant_order_reference_id: 'order-1047',
  description: 'Two chairs',
  metadata: { a: 'b' },
  frm_metadata: { a: 'b' },
  feature_metadata: { a: 'b' },
  connector_metadata: { adyen: { testing: { holder_name: 'DECLINED' } }, phonypay: { a: 'b' } },
  partner_merchant_identifier_details: { merchant_details: { name: 'Cart', version: '2' } },
  customer_id: 'kari',
  customer: { name: 'Kari Nordmann', email: 'kari@shop.example' },
  email: 'kari@shop.example',
  name: 'Kari Nordmann',
  phone: '5550100',
  phone_country_code: '+47',
  billing: { address: place },
  shipping: { address: place },
  browser_info: {
    ...{ ip_address: '192.0.2.7', user_agent: 'M', accept_header: 'text/html', language: 'nb', color_depth: 24 },
    ...{ screen_height: 900, screen_width: 1440, time_zone: -60, java_enabled: false },
  },
  payment_channel: 'mail_order',
  setup_future_usage: 'off_session',
  tokenization: 'skip_psp',
  customer_acceptance: { acceptance_type: 'offline' },
  off_session: true,
  mit_category: 'recurring',
  capture_method: 'manual',
  authentication_type: 'three_ds',
  enable_partial_authorization: true,
  enable_overcapture: true,
  request_incremental_authorization: true,
  request_extended_authorization: true,
  statement_descriptor_name: 'CHAIRS',
  statement_descriptor_suffix: 'OSLO',
  billing_descriptor: { statement_descriptor: 'CHAIRS OF OSLO' },
}

/** The payment instruments for fields that change the instrument. */
const otherInstrument: Partial<Record<FieldName, Partial<PaymentInstrument>>> = {
  payment_method_data: { number: new Secret('5555555555554444') } as Partial<PaymentInstrument>,
  card_cvc: { cvc: new Secret('999') } as Partial<PaymentInstrument>,
}

const without = (values: FieldValues, ...names: FieldName[]): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name as FieldName)))
const inColumns = (name: string): boolean => (fields as Fields)[name]?.storedIn === 'column'
/** The fields that exclude or hide other fields, and are therefore tried alone. */
const apart: FieldName[] = [
  'payment_channel',
  'off_session',
  'mit_category',
  'customer',
  'billing_descriptor',
  'connector_metadata',
  'setup_future_usage',
  'tokenization',
]
const kinds: { values: FieldValues; more: object }[] = [
  { values: {}, more: {} },
  { values: without(samples, ...apart), more: {} },
  { values: { setup_future_usage: 'off_session', customer_id: 'kari' }, more: { saves: 'card' } },
  {
    values: {
      ...{ setup_future_usage: 'off_session', customer_acceptance: { acceptance_type: 'offline' } },
      ...{ customer_id: 'kari', tokenization: 'skip_psp' },
    },
    more: { saves: 'card' },
  },
  {
    values: { mit_category: 'recurring', off_session: true, customer_id: 'kari' },
    more: { recurring: { type: 'payment_method_id', data: 'pm_1' } },
  },
]

const card: PaymentInstrument = {
  is: 'card',
  number: new Secret('4242424242424242'),
  exp_month: 12,
  exp_year: 2040,
  cvc: new Secret('737'),
  holder: null,
}
const merchant = {
  merchant_id: 'chairs',
  details: {},
  profiles: [{ profile_id: 'pro_1', details: { is_l2_l3_enabled: true } }],
  former: { profiles: [], connectorAccounts: [] },
  inlineAccounts: [],
} as unknown as Merchant

/**
 * The answers after which a connector sends more: Stripe's ids of a card and a customer, and an invoice that milkypay
 * opens.
 */
const replies: Record<string, object> = {
  '/v1/payment_methods': { id: 'pm_1', object: 'payment_method' },
  '/v1/customers': { id: 'cus_1', object: 'customer' },
}

function accountOf({ credentials }: Port): Account {
  const secret = new Secret('c2VjcmV0')
  return {
    base_url: 'https://processor.example',
    credentials: Object.fromEntries(credentials.members.map(name => [name, secret])),
    webhook_secret: secret,
    metadata: {},
  }
}

/** Returns all requests to a processor for a payment, as one text. */
function requestsFor(connector: Port, values: FieldValues, more: object, instrument: PaymentInstrument): string {
  const columns = Object.fromEntries(Object.entries(values).filter(([name]) => inColumns(name)))
  const request = { payment_method: 'card', ...without(values, ...(Object.keys(columns) as FieldName[])), ...more }
  const head = {
    ...{
      merchant_id: 'chairs',
      payment_id: 'pay_1',
      profile_id: 'pro_1',
      customer_id: null,
      amount: 1250,
      net_amount: 1250,
      currency: 'USD',
    },
    ...{ capture_method: 'automatic', authentication_type: 'no_three_ds', attempt_count: 1, card: null, next_action: null },
    ...columns,
    request,
  } as unknown as Payment
  const operation = { request_id: 'REQ1', connector: connector.name, amount: head.amount, currency: head.currency } as Operation
  const task = { connector, account: accountOf(connector), merchant, head, operation, authorization: null, instrument, companionRow: null }
  const talk = authorizeVerb(() => 'https://pay.example').buildRequest(task as unknown as RequestInput<Payment>)
  const lines: string[] = []
  let step = talk?.next()
  while (step && !step.done && lines.length < 6) {
    const line = step.value
    if ('note' in line) step = talk!.next(undefined as never)
    else if ('customer' in line) step = talk!.next((line.customer === 'known' ? null : undefined) as never)
    else if ('fetch' in line) step = talk!.next({ is: 'granted', token: new Secret('t'), expires_in_s: 60 } as never)
    else {
      lines.push(`${line.url} ${line.body}`)
      const body = JSON.stringify(replies[new URL(line.url).pathname] ?? {})
      step = talk!.next({ is: 'reply', status: 200, headers: {}, body })
    }
  }
  return lines.join('\n')
}

/** Returns for each field the connectors that receive it, of those that support cards. */
export function fieldReceivers(): ReadonlyMap<FieldName, readonly string[]> {
  const found = new Map<FieldName, string[]>()
  const all = Object.values(connectors).filter(({ name, accepts }) => !Object.hasOwn(alsoCalled, name) && accepts.methods.includes('card'))
  for (const connector of all.sort((a, b) => (a.name < b.name ? -1 : 1)))
    for (const name of Object.keys(fields) as FieldName[]) {
      // Orders in a channel never reach connectors without channels.
      if (name === 'payment_channel' && !connector.accepts.channels) continue
      const other = otherInstrument[name]
      const instrument = other ? ({ ...card, ...other } as PaymentInstrument) : card
      const reaches = kinds.some(({ values, more }) => {
        const base = requestsFor(connector, without(values, name), more, card)
        const sample = values[name] ?? samples[name]
        return (
          base !== '' && requestsFor(connector, sample === undefined ? values : { ...values, [name]: sample }, more, instrument) !== base
        )
      })
      if (reaches) found.set(name, [...(found.get(name) ?? []), connector.name])
    }
  return found
}
