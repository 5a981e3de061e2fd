import Type, { type TProperties } from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { paymentMethodNames } from '../../instruments/methods.ts'
import { shapesOf } from '../../show/member.ts'
import { aloneMembers, commonMembers, methodMembers, savedCardShape } from '../../show/payment-method.ts'
import { flag, objects, schema, text, texts } from '../answer-shapes.ts'

export const methodAnswer = schema('SavedPaymentMethod', shapesOf(aloneMembers))

const listed = schema('CustomerPaymentMethod', {
  payment_token: text,
  ...shapesOf(commonMembers),
  ...objects('bank surcharge_details'),
  requires_cvv: flag,
  default_payment_method_set: flag,
  ...shapesOf({ billing: methodMembers.billing! }),
})

const { card: _card, ...listedRest } = listed.properties as TProperties
/** The same saved payment method in a checkout, where the card is a member of `payment_method_data`. */
export const checkoutSaved = schema('CheckoutSavedMethod', {
  ...listedRest,
  payment_method_data: orNull(Type.Object({ card: savedCardShape })),
})

export const methodsAnswer = schema('CustomerPaymentMethods', {
  customer_payment_methods: Type.Array(listed),
  is_guest_customer: orNull(flag),
})

export const deletedMethodAnswer = schema('DeletedPaymentMethod', { payment_method_id: text, deleted: flag })

export const defaultMethodAnswer = schema('DefaultPaymentMethod', {
  default_payment_method_id: orNull(text),
  customer_id: text,
  payment_method: Type.Enum(paymentMethodNames),
  payment_method_type: orNull(text),
})

/** The answer of `GET /cards/{bin}` (contract 6.10). */
export const cardBinAnswer = schema('CardBin', {
  card_iin: text,
  ...texts('card_issuer card_network card_type card_sub_type card_issuing_country'),
})
