import Type from 'typebox'
import { addressDetails, anyText, boundedText, customerId, dateTime, kept, orNull, shortText, strictObject } from '../../base/shapes.ts'
import { browserInfo } from '../../connectors/purchase.ts'
import { checkCustomerId } from '../../customers/fields.ts'
import { keptOnly } from '../../resources/field.ts'
import { checkAcceptance } from './checks.ts'
import { fromBrowser, type PaymentField, returned } from './field.ts'

const phone = Type.Object({ number: Type.Optional(shortText), country_code: Type.Optional(shortText) })
export const address = strictObject({
  address: Type.Optional(addressDetails),
  phone: Type.Optional(phone),
  email: Type.Optional(shortText),
})

const customer = Type.Object({
  id: Type.Optional(customerId),
  name: Type.Optional(shortText),
  email: Type.Optional(shortText),
  phone: Type.Optional(shortText),
  phone_country_code: Type.Optional(shortText),
  tax_registration_id: Type.Optional(shortText),
  document_details: Type.Optional(kept),
})

export const acceptance = strictObject({
  acceptance_type: Type.Enum(['online', 'offline']),
  accepted_at: Type.Optional(dateTime),
  online: Type.Optional(Type.Object({ ip_address: Type.Optional(shortText), user_agent: Type.Optional(boundedText(2048)) })),
})

/** The customer who pays. A browser may set these members, `customer_id` only as the payment already has it. */
export const payer = {
  customer_id: {
    shape: customerId,
    settableBy: 'browser',
    storedIn: 'column',
    visibility: 'to all',
    responseShape: orNull(anyText),
    check: (_field: string, id: string) => checkCustomerId(id),
    filter: { place: 3, by: { id: 'customer_id' }, shape: boundedText(64) },
    exportPosition: 12,
    description: "The merchant's id of the customer",
  },
  customer: {
    shape: customer,
    ...fromBrowser,
    visibility: 'computed',
    check: (_field: string, { id }: { id?: string }) => checkCustomerId(id),
    description: 'The customer who pays',
  },
  email: { shape: shortText, ...fromBrowser, visibility: 'computed' },
  name: { shape: shortText, ...fromBrowser, visibility: 'computed' },
  phone: { shape: shortText, ...fromBrowser, visibility: 'computed' },
  phone_country_code: { shape: shortText, ...fromBrowser },
  billing: {
    shape: address,
    ...fromBrowser,
    ...returned,
    description: 'Billing address, sent to processors that accept it. Its country also affects routing',
  },
  shipping: { shape: address, ...fromBrowser, ...returned, description: 'Shipping address, sent to processors that accept it' },
  browser_info: {
    shape: browserInfo,
    ...fromBrowser,
    ...returned,
    description:
      "Details of the customer's browser, sent to processors that accept them to assess whether a challenge is needed, and to the issuer when the customer is authenticated separately from the processor",
  },
  customer_statistics: {
    shape: kept,
    visibility: 'computed',
    effect: keptOnly('The service counts the customer’s payments itself'),
    description: 'Statistics of the customer, as other services send them',
  },
  customer_acceptance: {
    shape: acceptance,
    ...fromBrowser,
    check: checkAcceptance,
    description:
      'The customer’s consent to save the card: required with setup_future_usage off_session, and needed to save the card with on_session',
  },
} satisfies Record<string, PaymentField>
