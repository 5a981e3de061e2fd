import Type from 'typebox'
import { currencies } from '../../base/currencies.ts'
import { checkMetadata } from '../../base/metadata.ts'
import { flag, kept, metadata, minor, shortText, text, time } from '../../base/shapes.ts'
import { amount, amountOrNull, closed, type Field, keptOnly, refused, toNobody } from './field.ts'

export const currency = Type.Enum(Object.keys(currencies), { description: 'ISO 4217' })

const orderLine = Type.Object({
  product_name: shortText,
  quantity: Type.Integer({ minimum: 0, maximum: 65535 }),
  amount: amount('Price of one'),
})

const surcharge = Type.Object(
  { surcharge_amount: amount('Added to net_amount'), tax_amount: Type.Optional(amount('Added to net_amount')) },
  closed,
)

const informational = amount('Informational')

/** What is sold, and for how much. */
export const sold = {
  amount: {
    shape: amount('Lowest denomination of the currency'),
    needed: ['create'],
    by: 'server',
    kept: 'column',
    shown: 'to all',
    seen: minor,
    does: 'what it says',
    says: 'In the lowest denomination of the currency: 1250 is 12.50 USD, or 1250 JPY',
  },
  currency: {
    shape: currency,
    needed: ['create'],
    by: 'server',
    kept: 'column',
    shown: 'to all',
    seen: currency,
    does: 'what it says',
    says: 'ISO 4217, three letters',
  },
  shipping_cost: {
    ...amountOrNull('Added to net_amount'),
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'Added to net_amount',
  },
  order_tax_amount: {
    ...amountOrNull('Added to net_amount'),
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'Added to net_amount',
  },
  surcharge_details: { shape: surcharge, by: 'server', kept: 'asked', shown: 'to all', does: 'what it says', says: 'Added to net_amount' },
  external_surcharge_strategy: {
    shape: Type.Unknown(),
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: refused('nobody outside calculates a surcharge'),
  },
  skip_external_tax_calculation: { shape: flag, by: 'server', kept: 'asked', shown: 'never', does: keptOnly('No tax is calculated') },
  tax_status: { shape: Type.Enum(['taxable', 'exempt']), by: 'server', kept: 'asked', shown: 'never', does: keptOnly(toNobody) },
  discount_amount: { shape: informational, by: 'server', kept: 'asked', shown: 'never', does: keptOnly(toNobody) },
  shipping_amount_tax: { shape: informational, by: 'server', kept: 'asked', shown: 'never', does: keptOnly(toNobody) },
  duty_amount: { shape: informational, by: 'server', kept: 'asked', shown: 'never', does: keptOnly(toNobody) },
  order_date: { shape: time, by: 'server', kept: 'asked', shown: 'never', does: keptOnly(toNobody) },
  order_details: {
    shape: Type.Array(orderLine),
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'describes',
    says: 'What is sold',
  },
  merchant_order_reference_id: {
    shape: shortText,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'describes',
    says: "The merchant's own order number",
  },
  description: {
    shape: text(65_535),
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'describes',
    says: "The merchant's own words",
  },
  metadata: {
    shape: metadata,
    by: 'server',
    kept: 'asked',
    shown: 'to the server',
    does: 'describes',
    check: checkMetadata,
    says: 'Up to 50 keys of up to 40 characters with values of up to 500; returned as sent',
  },
  frm_metadata: {
    shape: metadata,
    by: 'server',
    kept: 'asked',
    shown: 'to the server',
    does: keptOnly('No fraud check is asked'),
    check: checkMetadata,
  },
  connector_metadata: { shape: kept, by: 'browser', kept: 'asked', shown: 'to the server', does: keptOnly(toNobody) },
  feature_metadata: { shape: kept, by: 'browser', kept: 'asked', shown: 'to all', does: keptOnly(toNobody) },
  partner_merchant_identifier_details: { shape: kept, by: 'server', kept: 'asked', shown: 'to all', does: keptOnly(toNobody) },
} satisfies Record<string, Field>
