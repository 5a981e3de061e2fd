import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { needPayment } from '../../payments/begin-on-payment.ts'
import { currency } from '../../payments/fields/order.ts'
import { actionNames, showActions } from '../../show/actions.ts'
import { flag, minor, schema } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'

/** The reason why an action is not allowed: the same members for all objects. */
export const whyNotAllowed = {
  code: orNull(Type.String({ description: 'Code of the error with which the action would be refused; null if it is allowed' })),
  words: orNull(Type.String({ description: 'Why it is not allowed' })),
}

const actionAnswer = schema('PaymentAction', {
  action: Type.Enum(actionNames),
  allowed: flag,
  at_most: orNull({ ...minor, description: 'The largest amount that a capture or refund can have; null for other actions' }),
  currency: orNull(currency),
  ...whyNotAllowed,
})

export const actionsOfPayment = endpoint('GET /payments/{payment_id}/actions', 'listPaymentActions', {
  title: 'List the actions of a payment',
  description:
    'Lists what can be requested for a payment now: capture, cancel, refund and others, each with the largest amount, or with the error code and the reason if it would be refused. Status, amounts, operations in progress and the connector decide; other parameters of the request can still be refused, and the processor can decline.',
  auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
  answers: Type.Array(actionAnswer),
  json: async ({ context, merchant, path: { payment_id } }) =>
    showActions({ context, merchant, payment: await needPayment(context, merchant.merchant_id, payment_id) }),
})
