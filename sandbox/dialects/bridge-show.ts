// Operations in the format of the bridge protocol, and their webhooks.

import type { Account, Event } from '../books.ts'
import { behaviourOf } from '../cards.ts'
import { mostOf } from '../processor.ts'
import type { Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { cameBack, echoed } from '../show-operation.ts'
import { signature } from '../signature.ts'

const types = { authorization: 'authorize', capture: 'capture', void: 'void', refund: 'refund', payout: 'payout' } as const
export const offers = Object.values(types)
const isOffered = (type: Operation['type']): type is keyof typeof types => Object.hasOwn(types, type)

export function show(truly: Operation, payment: Payment, url: string): object {
  const operation = echoed(truly, payment)
  const { id, type, reference, amount, currency, decline, challenge } = operation
  if (!isOffered(type)) throw new Refusal('not_found', 'No such operation')
  const status = statusOf(operation, payment)
  const isHeld = type === 'authorization' && status === 'approved'
  const held = payment.phase === 'open' ? Math.max(mostOf(payment) - payment.captured - payment.capturing, 0) : 0
  const { authorization_code, network_transaction_id, eci, avs_result, cvc_result, arn } = operation
  return {
    request_id: reference,
    type: types[type],
    status,
    reference: id,
    amount,
    currency,
    ...(isHeld && {
      captured: payment.captured,
      held,
      hold_until: payment.hold_until === null ? null : new Date(payment.hold_until).toISOString(),
    }),
    ...((status === 'declined' || status === 'returned') && { decline }),
    ...(status === 'action_required' && { action: { type: 'redirect', url: `${url}/challenge/${id}/${challenge!.token}` } }),
    ...{ authorization_code, network_transaction_id, eci, avs_result, cvc_result, arn },
  }
}

/** Returns the status of an operation. A refund that fails later is first shown as approved, then as returned. */
function statusOf(operation: Operation, payment: Payment): string {
  const { type, status, decline } = operation
  if (type === 'refund' && behaviourOf(payment.card).later?.refund === 'refund_failed') {
    if (status === 'pending') return 'approved'
    if (decline?.code === 'refund_failed') return 'returned'
  }
  if (cameBack(operation)) return 'returned'
  if (status === 'challenge') return 'action_required'
  if (status === 'expired') return 'released'
  const letGo = payment.phase === 'voided' || payment.phase === 'expired'
  return type === 'authorization' && status === 'approved' && letGo && payment.captured === 0 ? 'released' : status
}

export const webhookFormat = {
  body: (account: Account, { operation }: Event, url: string): object => ({
    version: 1,
    operation: show(operation, account.payments.get(operation.payment)!, url),
  }),
  signed: (body: string, secret: string, t: number) => ({ 'bridge-signature': signature(body, secret, t) }),
}
