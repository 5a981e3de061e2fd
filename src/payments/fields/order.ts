import Type from 'typebox'
import { type Currency, currencies } from '../../base/currencies.ts'
import { checkMetadata } from '../../base/metadata.ts'
import { amount, bool, closed, dateTime, kept, longText, metadata, minor, shortText } from '../../base/shapes.ts'
import { orderLine, partner } from '../../connectors/purchase.ts'
import { keptOnly, refused } from '../../resources/field.ts'
import { amountOrNull, type PaymentField } from './field.ts'

export const currency = Type.Enum(Object.keys(currencies) as Currency[], { description: 'ISO 4217' })

const surcharge = Type.Object(
  { surcharge_amount: amount('Added to net_amount'), tax_amount: Type.Optional(amount('Added to net_amount')) },
  closed,
)

const informational = amount('Informational')
const level = 'Sent to processors that accept level 2 and 3 data, if the business profile has is_l2_l3_enabled; not part of net_amount'

/** The goods or services, and their price. */
export const orderDetails = {
  amount: {
    shape: amount('Lowest denomination of the currency'),
    needed: ['create'],
    kept: 'column',
    shown: 'to all',
    seen: minor,
    exported: 3,
    description: 'In the lowest denomination of the currency: 1250 is 12.50 USD, or 1250 JPY',
  },
  currency: {
    shape: currency,
    needed: ['create'],
    kept: 'column',
    shown: 'to all',
    seen: currency,
    listed: { place: 7, by: { facet: 2 }, shape: currency, many: true },
    exported: 4,
    description: 'ISO 4217, three letters',
  },
  shipping_cost: {
    ...amountOrNull('Added to net_amount'),
    kept: 'request',
    shown: 'to all',
    description: 'Added to net_amount',
  },
  order_tax_amount: {
    ...amountOrNull('Added to net_amount'),
    kept: 'request',
    shown: 'to all',
    description: 'Added to net_amount; set by calculate_tax if not sent',
  },
  surcharge_details: { shape: surcharge, kept: 'request', shown: 'to all', description: 'Added to net_amount' },
  external_surcharge_strategy: {
    shape: Type.Unknown(),
    kept: 'request',
    does: refused('surcharges are not calculated by an external service'),
  },
  skip_external_tax_calculation: {
    shape: bool,
    kept: 'request',
    description: 'true: calculate_tax adds no tax',
  },
  tax_status: {
    shape: Type.Enum(['taxable', 'exempt']),
    kept: 'request',
    description:
      'exempt: calculate_tax adds no tax. Sent to processors that accept level 2 and 3 data, if the business profile has is_l2_l3_enabled',
  },
  discount_amount: { shape: informational, kept: 'request', description: level },
  shipping_amount_tax: { shape: informational, kept: 'request', description: level },
  duty_amount: { shape: informational, kept: 'request', description: level },
  order_date: { shape: dateTime, kept: 'request', description: level },
  order_details: {
    shape: Type.Array(orderLine),
    by: 'browser',
    kept: 'request',
    shown: 'to all',
    does: 'describes',
    description: 'Description of the goods or services',
  },
  merchant_order_reference_id: {
    shape: shortText,
    kept: 'request',
    shown: 'to all',
    does: 'describes',
    listed: { place: 5, by: { id: 'reference' }, shape: shortText },
    exported: 21,
    description: "The merchant's order number",
  },
  description: {
    shape: longText,
    kept: 'request',
    shown: 'to all',
    does: 'describes',
    exported: 22,
    description: "The merchant's reason, as free text",
  },
  metadata: {
    shape: metadata,
    kept: 'request',
    shown: 'to the server',
    does: 'describes',
    check: checkMetadata,
    exported: 25,
    description: 'Up to 50 keys of up to 40 characters with values of up to 500; returned as sent',
  },
  frm_metadata: {
    shape: metadata,
    kept: 'request',
    shown: 'to the server',
    does: keptOnly('Returned as sent; not used, as no fraud check is performed'),
    check: checkMetadata,
  },
  connector_metadata: {
    shape: kept,
    by: 'browser',
    kept: 'request',
    shown: 'to the server',
    does: keptOnly('Each connector reads only its own member: adyen testing.holder_name, braintree device_data; others read none'),
    description: 'Connector-specific data: one member per connector, sent only to that connector',
  },
  feature_metadata: {
    shape: kept,
    by: 'browser',
    kept: 'request',
    shown: 'to all',
    does: keptOnly('Belongs to features that are not supported'),
  },
  partner_merchant_identifier_details: {
    shape: partner,
    kept: 'request',
    shown: 'to all',
    description: 'The software that initiated the payment, sent to processors that accept it',
  },
} satisfies Record<string, PaymentField>
