import type { Payment, PaymentParams } from '../payment.ts'

/**
 * Choices belong to one attempt: who tries another card agreed to save, and to pay by installments, the earlier one.
 */

const CHOICES = ['customer_acceptance', 'mandate_data', 'setup_future_usage', 'installment_data'] as const

const choicesOf = (request: PaymentParams): Partial<PaymentParams> =>
  Object.fromEntries(CHOICES.filter(name => request[name] !== undefined).map(name => [name, request[name]]))

/** Returns a payment whose attempt has failed as it was before its customer chose; any other as it is. */
export function withoutEarlierChoice(payment: Payment): Payment {
  const { before_choice, ...request } = payment.request
  if (payment.status !== 'failed' || before_choice === undefined) return payment
  // The card was to be saved under this id.
  if (request.saves === 'card') delete request.payment_method_id
  delete request.saves
  delete request.new_mandate_id
  for (const name of CHOICES) delete request[name]
  return { ...payment, request: { ...request, ...before_choice } }
}

/** Returns a payment as a browser's request has changed it, with what stood there before, if its customer chose. */
export function notingChoice(before: Payment, after: Payment): Payment {
  const { request } = after
  if (request.before_choice !== undefined || CHOICES.every(name => request[name] === before.request[name])) return after
  return { ...after, request: { ...request, before_choice: choicesOf(before.request) } }
}
