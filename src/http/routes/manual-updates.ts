import { refuse } from '../../base/refusal.ts'
import { findOperations } from '../../operations/operation.ts'
import { manualUpdateShape, updateByHand } from '../../payments/actions/manual-update.ts'
import { ownerOf } from '../../payments/payment.ts'
import { showAttempts } from '../../show/attempts.ts'
import { schema, text, texts } from '../answer-shapes.ts'
import { operator } from '../auth.ts'
import { type ApiRequest, endpoint } from '../endpoint.ts'

const attemptAnswer = schema('ManualUpdate', {
  payment_id: text,
  attempt_id: text,
  merchant_id: text,
  attempt_status: text,
  ...texts('error_code error_message unified_code unified_message connector_transaction_id'),
})

/** Returns an operator's call on behalf of the merchant that the body names. */
export async function onBehalf({ service, context, services }: Pick<ApiRequest, 'service' | 'context' | 'services'>, merchant_id: string) {
  const merchant = (await service.settings.merchant(merchant_id)) ?? refuse('not_found', { what: 'merchant account' })
  return { context, services, merchant }
}

export const manualUpdateOfPayment = endpoint('PUT /payments/{payment_id}/manual-update', 'updatePaymentManually', {
  title: 'Resolve a payment attempt manually',
  description:
    'For the operator: sets the result of an authorization, capture or void that is unresolved at the processor, after checking with the processor. It has the same effect as the processor’s own response. A completed operation cannot be changed.',
  auth: operator,
  body: manualUpdateShape,
  answers: attemptAnswer,
  example: {
    summary: 'The operation did not happen',
    value: { merchant_id: 'chairs', attempt_status: 'failure', error_code: 'not_there', error_message: 'Not found at the processor' },
  },
  json: async call => {
    const acting = await onBehalf(call, call.body.merchant_id)
    const { payment, attempt_id } = await updateByHand(acting, call.path.payment_id, call.body)
    const attempts = showAttempts(acting.merchant, payment, await findOperations(call.context, ownerOf(payment)))
    const { payment_id, merchant_id, last_error, connector_transaction_id } = payment
    const { error_code = null, error_message = null, unified_code = null, unified_message = null } = last_error ?? {}
    const attempt_status = attempts.find(one => one.attempt_id === attempt_id)?.status ?? null
    const error = { error_code, error_message, unified_code, unified_message }
    return { payment_id, attempt_id, merchant_id, attempt_status, ...error, connector_transaction_id }
  },
})
