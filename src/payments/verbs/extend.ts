import type { RequestInput, VerbDefinition } from '../../operations/verb.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { type Adjusting, adjusting } from './adjust.ts'

const extend: Adjusting = {
  yes(payment, _operation, { facts: { capture_before } }) {
    return { move: null, head: capture_before === undefined ? {} : { facts: { ...payment.facts, capture_before } } }
  },
  fits: ({ status }) => allowedStatuses.extend_authorization.includes(status),
  adjustments: ({ adjustments }, _operation, end, { now }) => ({ ...adjustments, ...(end === 'success' && { extended_at: now }) }),
  afterSevenDays: 'free',
}

/** The verb that extends a hold: its request to the processor, and the effect of the answers. */
export const extendVerb: VerbDefinition<Payment> = { buildRequest, ...adjusting(extend) }

function buildRequest({ connector, account, operation, authorization }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  return connector.extend?.({ request_id, authorization, money: { amount, currency } }, account) ?? null
}
