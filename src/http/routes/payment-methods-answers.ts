import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { paymentMethodNames } from '../../means/methods.ts'
import { methodShape } from '../../payment-methods/shape.ts'
import { flag, objects, text, texts, time } from '../answer-shapes.ts'

const card = Type.Object(
  {
    ...texts(
      'scheme issuer_country issuer_country_code last4_digits expiry_month expiry_year card_token card_holder_name card_fingerprint',
    ),
    ...texts('nick_name card_network card_isin card_issuer card_type'),
    card_networks: orNull(Type.Array(text)),
    saved_to_locker: flag,
  },
  { title: 'SavedCard', description: 'A saved card, without its full number' },
)

const common = {
  payment_method_id: text,
  customer_id: orNull(text),
  payment_method: Type.Enum(paymentMethodNames),
  ...texts('payment_method_type payment_method_issuer payment_method_issuer_code'),
  card: orNull(card),
  recurring_enabled: flag,
  installment_payment_enabled: flag,
  payment_experience: Type.Array(text),
  metadata: orNull(methodShape.properties.metadata),
  created: time,
  last_used_at: time,
  ...objects('bank_transfer payout_method_data payment_method_data'),
}

export const methodAnswer = Type.Object(
  { merchant_id: text, ...common, card_network: orNull(text), client_secret: orNull(text) },
  { title: 'SavedPaymentMethod' },
)

const listed = Type.Object(
  {
    payment_token: text,
    ...common,
    ...objects('bank surcharge_details'),
    requires_cvv: flag,
    default_payment_method_set: flag,
    billing: orNull(methodShape.properties.billing),
  },
  { title: 'CustomerPaymentMethod' },
)

const { card: _card, ...listedRest } = listed.properties
/** The same where the card stands with what else could be saved. */
export const checkoutSaved = Type.Object(
  { ...listedRest, payment_method_data: orNull(Type.Object({ card })) },
  { title: 'CheckoutSavedMethod' },
)

export const methodsAnswer = Type.Object(
  { customer_payment_methods: Type.Array(listed), is_guest_customer: orNull(flag) },
  { title: 'CustomerPaymentMethods' },
)

export const deletedMethodAnswer = Type.Object({ payment_method_id: text, deleted: flag }, { title: 'DeletedPaymentMethod' })

export const defaultMethodAnswer = Type.Object(
  {
    default_payment_method_id: orNull(text),
    customer_id: text,
    payment_method: Type.Enum(paymentMethodNames),
    payment_method_type: orNull(text),
  },
  { title: 'DefaultPaymentMethod' },
)
