// The call that refunds a charge.

import { refund } from '../processor.ts'
import type { ApiCall, CallResult } from './stripe-calls.ts'
import { chargeId, documentOf, type Intent, ledgerId, type PaymentMethod, type RefundNote, refundId } from './stripe-documents.ts'
import { flag, integer, list, metadataOf, need, only, text, word } from './stripe-form.ts'
import { rowOf } from './stripe-methods.ts'
import { showRefund } from './stripe-refunds.ts'
import { invalid, missing, StripeRefusal } from './stripe-refusals.ts'

export function createRefund(asked: ApiCall): CallResult {
  const { form, account, turn, reference } = asked
  only(form, ['payment_intent', 'charge', 'amount', 'reason', 'metadata', 'expand', 'reverse_transfer', 'refund_application_fee'])
  const by = text(form, 'payment_intent') ?? need(form, 'charge')
  const intent = documentOf<Intent>(account, by, 'payment_intent')
  const payment = account.payments.get(intent?.attempts.at(-1) ?? ledgerId(by))
  if (!payment) throw missing(by.startsWith('ch_') ? 'charge' : 'payment_intent', by)
  const reason = text(form, 'reason')
  if (reason !== null) word(form, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer'], 'duplicate')
  const left = payment.captured - payment.refunded - payment.refunding
  const charge = chargeId(payment.id)
  if (payment.captured === 0) throw invalid('charge_not_refundable', `Charge ${charge} has not been captured.`)
  const method = documentOf<PaymentMethod>(account, intent?.payment_method ?? null, 'payment_method')
  if (method?.type && rowOf(method.type)?.refunds === false)
    throw invalid('charge_not_refundable', `Payments by ${method.type} cannot be refunded.`)
  if ((payment.disputed ?? 0) > 0) throw invalid('charge_disputed', `Charge ${charge} has been charged back; cannot issue a refund.`)
  if (left === 0) throw invalid('charge_already_refunded', `Charge ${charge} has already been refunded.`)
  const amount = integer(form, 'amount') ?? left
  if (amount < 1) throw invalid('parameter_invalid_integer', 'amount must be at least 1', 'amount')
  if (amount > left)
    throw new StripeRefusal(400, {
      // Stripe gives no code with it.
      type: 'invalid_request_error',
      message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      param: 'amount',
    })
  const effect = refund(payment, { reference, amount, reason }, turn)
  const [operation] = effect.operations
  const reverted = ['reverse_transfer', 'refund_application_fee'].filter(name => flag(form, name))
  if (reverted.length > 0 && !intent?.transfer_data)
    throw invalid('parameter_invalid', `The charge ${charge} has no transfer to reverse`, reverted[0]!)
  const note: RefundNote = { id: refundId(operation.id), object: 'refund_note', reason, metadata: metadataOf(form), reverted }
  const change = { payment: effect.payment, operations: effect.operations, documents: [note] }
  return { change, status: 200, body: showRefund(operation, effect.payment, note, list(form, 'expand')) }
}
