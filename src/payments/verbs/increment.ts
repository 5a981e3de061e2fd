import type { RequestInput, VerbDefinition } from '../../operations/verb.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { type Adjusting, adjusting } from './adjust.ts'

const increment: Adjusting = {
  yes(payment, operation) {
    const more = operation.amount - payment.amount_authorized
    return {
      move: null,
      head: {
        amount: payment.amount + more,
        net_amount: payment.net_amount + more,
        amount_authorized: payment.amount_authorized + more,
        amount_capturable: payment.amount_capturable + more,
      },
    }
  },
  fits: (payment, operation) =>
    allowedStatuses.incremental_authorization.includes(payment.status) && operation.amount > payment.amount_authorized,
  adjustments: ({ adjustments }, { n }, status, { failure }) => ({
    ...adjustments,
    increments: (adjustments?.increments ?? []).map(one =>
      one.n === n ? { ...one, status, error_code: failure?.error_code ?? null, error_message: failure?.error_message ?? null } : one,
    ),
  }),
  afterSevenDays: 'free',
}

/** The verb that raises a hold; the operation's amount is the new total to hold. */
export const incrementVerb: VerbDefinition<Payment> = { buildRequest, ...adjusting(increment) }

function buildRequest({ connector, account, operation, authorization }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  return connector.increment?.({ request_id, authorization, money: { amount, currency } }, account) ?? null
}
