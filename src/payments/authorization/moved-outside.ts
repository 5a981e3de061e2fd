import { refuse } from '../../base/refusal.ts'
import { findOperations, isANo, type Operation } from '../../operations/operation.ts'
import { type Given, perform } from '../../operations/perform.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf, type Payment } from '../payment.ts'

/**
 * Performs a merchant's operation on an authorization. Refuses (IR_16) if the processor refused it because others had
 * moved the money there before: the payment then shows what they did (`outside/`).
 */
export async function performOn(call: Call, payment: Payment, operation: Operation, given?: Given): Promise<Payment> {
  const performed = await perform(call, payment, operation, given)
  // Only a refusal is followed by a comparison, and what it books has a later number.
  if (performed.operation_count > operation.n) await refuseMovedOutside(call, performed, operation)
  return performed
}

async function refuseMovedOutside({ context }: Call, payment: Payment, { n }: Operation): Promise<void> {
  const operations = await findOperations(context, ownerOf(payment))
  const own = operations.find(one => one.n === n)
  const others = operations.filter(one => one.n > n && one.purpose === 'external')
  if (!own || !isANo(own) || others.length === 0) return
  const movements = others.map(({ verb, amount, currency }) => `a ${verb} of ${amount} ${currency}`).join(', ')
  refuse('moved_outside', { verb: own.verb.replaceAll('_', ' '), connector: own.connector, movements })
}
