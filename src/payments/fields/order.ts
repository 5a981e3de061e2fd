import Type from 'typebox'
import { type Currency, currencies } from '../../base/currencies.ts'
import { checkMetadata } from '../../base/metadata.ts'
import { amount, bool, dateTime, kept, longText, metadata, minor, shortText, strictObject } from '../../base/shapes.ts'
import { orderLine, partner } from '../../connectors/purchase.ts'
import { keptOnly, refused } from '../../resources/field.ts'
import { amountOrNull, fromBrowser, type PaymentField, returned } from './field.ts'

export const currency = Type.Enum(Object.keys(currencies) as Currency[], { description: 'ISO 4217' })

const surcharge = strictObject({
  surcharge_amount: amount('Added to net_amount'),
  tax_amount: Type.Optional(amount('Added to net_amount')),
})

const informational = amount('Informational')
const level = 'Sent to processors that accept level 2 and 3 data, if the business profile has is_l2_l3_enabled; not part of net_amount'

/** The goods or services, and their price. */
export const orderDetails = {
  amount: {
    shape: amount('Lowest denomination of the currency'),
    requiredIn: ['create'],
    storedIn: 'column',
    visibility: 'to all',
    responseShape: minor,
    exportPosition: 3,
    description: 'In the lowest denomination of the currency: 1250 is 12.50 USD, or 1250 JPY',
  },
  currency: {
    shape: currency,
    requiredIn: ['create'],
    storedIn: 'column',
    visibility: 'to all',
    responseShape: currency,
    filter: { place: 7, by: { facet: 2 }, shape: currency, many: true },
    exportPosition: 4,
    description: 'ISO 4217, three letters',
  },
  shipping_cost: { ...amountOrNull('Added to net_amount'), ...returned, description: 'Added to net_amount' },
  order_tax_amount: {
    ...amountOrNull('Added to net_amount'),
    ...returned,
    description: 'Added to net_amount; set by calculate_tax if not sent',
  },
  surcharge_details: { shape: surcharge, ...returned, description: 'Added to net_amount' },
  external_surcharge_strategy: {
    shape: Type.Unknown(),
    storedIn: 'request',
    effect: refused('surcharges are not calculated by an external service'),
  },
  skip_external_tax_calculation: { shape: bool, storedIn: 'request', description: 'true: calculate_tax adds no tax' },
  tax_status: {
    shape: Type.Enum(['taxable', 'exempt']),
    storedIn: 'request',
    description:
      'exempt: calculate_tax adds no tax. Sent to processors that accept level 2 and 3 data, if the business profile has is_l2_l3_enabled',
  },
  discount_amount: { shape: informational, storedIn: 'request', description: level },
  shipping_amount_tax: { shape: informational, storedIn: 'request', description: level },
  duty_amount: { shape: informational, storedIn: 'request', description: level },
  order_date: { shape: dateTime, storedIn: 'request', description: level },
  order_details: {
    shape: Type.Array(orderLine),
    ...fromBrowser,
    ...returned,
    effect: 'describes',
    description: 'Description of the goods or services',
  },
  merchant_order_reference_id: {
    shape: shortText,
    ...returned,
    effect: 'describes',
    filter: { place: 5, by: { id: 'reference' }, shape: shortText },
    exportPosition: 21,
    description: "The merchant's order number",
  },
  description: {
    shape: longText,
    ...returned,
    effect: 'describes',
    exportPosition: 22,
    description: "The merchant's reason, as free text",
  },
  metadata: {
    shape: metadata,
    storedIn: 'request',
    visibility: 'to the server',
    effect: 'describes',
    check: checkMetadata,
    exportPosition: 25,
    description: 'Up to 50 keys of up to 40 characters with values of up to 500; returned as sent',
  },
  frm_metadata: {
    shape: metadata,
    storedIn: 'request',
    visibility: 'to the server',
    effect: keptOnly('Returned as sent; not used, as no fraud check is performed'),
    check: checkMetadata,
  },
  connector_metadata: {
    shape: kept,
    ...fromBrowser,
    visibility: 'to the server',
    effect: keptOnly('Each connector reads only its own member: adyen testing.holder_name, braintree device_data; others read none'),
    description: 'Connector-specific data: one member per connector, sent only to that connector',
  },
  feature_metadata: { shape: kept, ...fromBrowser, ...returned, effect: keptOnly('Belongs to features that are not supported') },
  partner_merchant_identifier_details: {
    shape: partner,
    ...returned,
    description: 'The software that initiated the payment, sent to processors that accept it',
  },
} satisfies Record<string, PaymentField>
