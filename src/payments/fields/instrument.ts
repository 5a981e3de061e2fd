import Type from 'typebox'
import { anyText, byName, closed, kept, shortText } from '../../base/shapes.ts'
import { channels } from '../../connectors/purchase.ts'
import { inputByName, inputShapes } from '../../instruments/input.ts'
import { paymentMethodNames, paymentMethodTypes } from '../../instruments/methods.ts'
import { anyOf } from '../../lists/filters.ts'
import { refused } from '../../resources/field.ts'
import { checkCvc } from './checks.ts'
import { fromBrowser, type PaymentField, returned } from './field.ts'
import { checkInstallmentOptions, installmentData, installmentOptions } from './installments.ts'
import { address } from './payer.ts'

export const paymentMethodData = Type.Object(
  {
    ...inputShapes,
    card_token: Type.Optional(Type.Object({ card_holder_name: Type.Optional(shortText), card_cvc: Type.Optional(anyText) })),
    billing: Type.Optional(address),
  },
  { ...closed, ...byName(inputByName) },
)

const experiences = `redirect_to_url invoke_sdk_client display_qr_code one_click link_wallet invoke_payment_app display_wait_screen collect_otp`

/** The instrument that the payment is paid with. */
export const instrument = {
  payment_method: {
    shape: Type.Enum(paymentMethodNames),
    ...fromBrowser,
    ...returned,
    filter: { place: 9, by: { facet: 6 }, shape: anyOf(paymentMethodNames), many: true },
    exportPosition: 13,
    description: 'Payment method; availability depends on the connectors',
  },
  payment_method_type: {
    shape: Type.Enum(paymentMethodTypes),
    ...fromBrowser,
    ...returned,
    filter: { place: 10, by: { facet: 7 }, shape: anyOf(paymentMethodTypes), many: true },
    exportPosition: 14,
  },
  payment_method_data: {
    shape: paymentMethodData,
    settableBy: 'browser',
    storedIn: 'vault',
    visibility: 'computed',
    storedOnlyMembers: {
      'card.bank_code': 'Not stored',
    },
    description: 'Payment method details',
  },
  card_cvc: { shape: anyText, settableBy: 'browser', check: checkCvc, description: 'Used for one authorization and never stored' },
  payment_experience: {
    shape: Type.Enum(experiences.split(' ')),
    ...fromBrowser,
    ...returned,
    description: 'How the customer experiences the payment; must be supported by the payment method',
  },
  allowed_payment_method_types: {
    shape: Type.Array(Type.Enum(paymentMethodTypes)),
    ...returned,
    description: 'Payment method types that the customer can choose from: checkouts list no others, and others are refused',
  },
  payment_token: {
    shape: shortText,
    ...fromBrowser,
    visibility: 'computed',
    description: 'Token of a saved payment method, valid for 15 minutes',
  },
  tokenization: {
    shape: Type.Enum(['skip_psp', 'tokenize_at_psp']),
    ...returned,
    description:
      'For a card that is saved (setup_future_usage, customer_acceptance). tokenize_at_psp: the payment is routed only to accounts whose processor can store the card. skip_psp: the processor does not store the card, and later payments use the saved number, and without the customer its network_transaction_id. Default: the processor stores the card if it can',
  },
  payment_channel: {
    // The ecosystem also has an object that names another channel: such a channel is refused by name.
    shape: Type.Unsafe<string | { other: string }>(Type.Union([Type.Enum(['ecommerce', ...channels]), Type.Object({ other: shortText })])),
    ...returned,
    effect: refused('processors support no other channel', 'ecommerce', ...channels),
    description:
      'mail_order, telephone_order: the card details were given by mail or telephone, so the customer is not challenged (authentication_type is no_three_ds), and the payment is routed only to connectors that support such orders',
  },
  installment_options: {
    shape: installmentOptions,
    ...returned,
    check: checkInstallmentOptions,
    description:
      'Installment plans that the customer can choose from (installment_data), for cards; checkouts display them. interest_rate must be 0. Not allowed with confirm: true at creation',
  },
  installment_data: {
    shape: installmentData,
    ...fromBrowser,
    ...returned,
    description:
      'Installment plan that the customer chose: the card’s issuer spreads the payment over this number of months, and you receive the full amount immediately. Must be one of installment_options if any are set, and always when sent by a browser. 1: no installments. The payment is routed only to connectors that support installments',
  },
  ctp_service_details: { shape: kept, ...fromBrowser, effect: refused('no connector supports Click to Pay') },
} satisfies Record<string, PaymentField>
