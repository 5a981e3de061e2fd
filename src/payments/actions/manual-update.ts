import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../../base/shapes.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { Verb } from '../../connectors/verbs.ts'
import {
  approvedManually,
  declinedManually,
  declineMembers,
  type ManualDecline,
  resolveManually,
} from '../../operations/manual-resolution.ts'
import { acceptsUpdates, findOperations, type Operation } from '../../operations/operation.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf, type Payment, takesAtOnce } from '../payment.ts'
import { needPayment } from '../rows.ts'

export const manualUpdateShape = strictObject({
  payment_id: Type.Optional(boundedText(64)),
  merchant_id: boundedText(64),
  attempt_id: Type.Optional(boundedText(128)),
  attempt_status: Type.Enum(['authorized', 'charged', 'failure', 'authorization_failed', 'capture_failed', 'voided', 'void_failed'], {
    description: 'Result at the processor',
  }),
  ...declineMembers,
  connector_transaction_id: Type.Optional(shortText),
})
type Ask = Type.Static<typeof manualUpdateShape>

type Ruling = { verb: Verb; rules(payment: Payment, operation: Operation, ask: Ask): Outcome }

const refused = (verb: Verb): Ruling => ({ verb, rules: (_payment, operation, ask) => declinedManually(operation, ask) })

/** The results that an operator may set, in the ecosystem's words: the verb that each settles, and the outcome. */
const rulings: Record<Ask['attempt_status'], Ruling> = {
  authorized: {
    verb: 'authorize',
    rules: (_payment, operation, ask) => approvedManually(operation, ask.connector_transaction_id, false),
  },
  charged: {
    verb: 'capture',
    rules: (_payment, operation, ask) => approvedManually(operation, ask.connector_transaction_id, operation.verb === 'authorize'),
  },
  failure: refused('authorize'),
  authorization_failed: refused('authorize'),
  capture_failed: refused('capture'),
  voided: { verb: 'void', rules: (_payment, operation) => approvedManually(operation, undefined, false) },
  void_failed: refused('void'),
}

/** Applies an operator's decision: it settles the open operation. Refuses (IR_16) a payment without one. */
export async function updateByHand(call: Call, payment_id: string, ask: Ask): Promise<{ payment: Payment; attempt_id: string }> {
  const { context, merchant } = call
  if (ask.payment_id !== undefined && ask.payment_id !== payment_id)
    refuse('precondition', { problem: 'payment_id in the body differs from the one in the path' })
  const payment = await needPayment(context, merchant.merchant_id, payment_id)
  const ruling = rulings[ask.attempt_status]
  const verb = ruling.verb === 'capture' && payment.amount_authorized === 0 && takesAtOnce(payment) ? 'authorize' : ruling.verb
  const open = (await findOperations(context, ownerOf(payment))).filter(
    one => one.verb === verb && one.purpose === 'merchant' && acceptsUpdates(one),
  )
  const named = open.filter(one => ask.attempt_id === undefined || ask.attempt_id === `${payment_id}_${one.attempt}`)
  const operation =
    named.at(-1) ??
    refuse('precondition', {
      problem: `The ${verb} of this attempt is complete: the result reported by its processor cannot be changed (attempt_status)`,
    })
  if (ask.attempt_status === 'authorized' && takesAtOnce(payment))
    refuse('precondition', { problem: 'The payment is captured with its authorization: use charged (attempt_status)' })
  await resolveManually(call, operation, ruling.rules(payment, operation, ask), ask satisfies ManualDecline)
  return { payment: await needPayment(context, merchant.merchant_id, payment_id), attempt_id: `${payment_id}_${operation.attempt}` }
}
