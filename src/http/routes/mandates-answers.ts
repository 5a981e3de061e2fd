import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { mandateStatuses } from '../../payment-methods/mandate.ts'
import { objects, text, texts, time } from '../answer-shapes.ts'

const status = Type.Enum(mandateStatuses)

const card = Type.Object(
  {
    ...texts('last4_digits card_exp_month card_exp_year card_holder_name card_token scheme issuer_country card_fingerprint card_isin'),
    ...texts('card_issuer card_network card_type nick_name'),
  },
  { title: 'MandateCard', description: 'The card that is charged, without its full number' },
)

export const mandateAnswer = Type.Object(
  {
    mandate_id: text,
    status,
    customer_id: text,
    payment_id: text,
    payment_method_id: text,
    payment_method: text,
    payment_method_type: orNull(text),
    card: orNull(card),
    ...objects('mandate_type customer_acceptance'),
    created: time,
  },
  { title: 'Mandate' },
)

export const revokedMandateAnswer = Type.Object(
  { mandate_id: text, status, ...texts('error_code error_message') },
  { title: 'RevokedMandate' },
)
