import { refuse } from '../../base/refusal.ts'
import type { IssuerChallenge, NativeAuthentication, TransactionStatus } from '../../connectors/authentication.ts'
import { readChallengeResponse } from '../../connectors/kit/three-ds.ts'
import { findReturn, keepNativeStep } from '../../operations/customer-return.ts'
import { findOperation, type Operation } from '../../operations/operation.ts'
import { forceSync } from '../../operations/sync.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf } from '../kind.ts'
import type { Payment } from '../payment.ts'
import { nativeOf } from './external-three-ds.ts'

/**
 * Authentication in the checkout by the processor itself (native 3-D Secure). For a checkout the steps are the same as
 * for an authentication apart from the processor. But the processor has already received the authorization, and the
 * browser's data makes it continue with the payment: each step is stored before the processor is called, belongs to
 * the authorization, and is sent again unchanged until the processor answers.
 */

type Result = { status: TransactionStatus; challenge: IssuerChallenge | null; server_transaction_id: string }

/** The authorization that waits for its customer, and the processor's data of the authentication. */
type Waiting = { native: NativeAuthentication; operation: Operation }

async function waitingOf(context: Call['context'], payment: Payment): Promise<Waiting | null> {
  const native = nativeOf(payment)
  const operation = native && payment.authorization_n !== null && (await findOperation(context, ownerOf(payment), payment.authorization_n))
  return native && operation ? { native, operation } : null
}

/**
 * Stores whether the issuer's hidden page has seen the browser. Once a challenge is required, this has no effect any
 * more.
 */
export async function browserSeen(call: Call, payment: Payment, seen: 'Y' | 'N' | 'U'): Promise<void> {
  const waiting = await waitingOf(call.context, payment)
  if (waiting && waiting.native.challenge === null)
    await keepNativeStep(call.context, waiting.operation, { threeds_method_comp_ind: seen }, waiting.native.session)
}

/**
 * Makes the processor continue, and returns the issuer's decision. For a customer who was not challenged the payment
 * is decided by then: `Y` means that the payment continues, `N` that it failed. Refuses (HE_00) if the processor does
 * not answer: the checkout may try again.
 */
export async function askedThere(call: Call, payment: Payment, seen: 'Y' | 'N' | 'U'): Promise<Result> {
  const { context } = call
  const before = await waitingOf(context, payment)
  if (!before) return refuse('authentication_unanswered')
  const { server_transaction_id } = before.native
  const isAnswered = async () => (await findReturn(context, before.operation))?.trans_status !== undefined
  if (before.native.challenge && !(await isAnswered())) return { status: 'C', challenge: before.native.challenge, server_transaction_id }
  await browserSeen(call, payment, seen)
  const now = await forceSync(call, payment, ownerOf(payment))
  const native = nativeOf(now)
  if (!native) return { status: now.status === 'failed' ? 'N' : 'Y', challenge: null, server_transaction_id }
  if (native.challenge === null || (await isAnswered())) return refuse('authentication_unanswered')
  return { status: 'C', challenge: native.challenge, server_transaction_id }
}

/**
 * Stores the result of the issuer's challenge that the customer's browser brings. The browser may forge the result:
 * the processor has the real one from the issuer. A result of another authentication, or of none, is ignored.
 */
export async function challengeEnded(call: Call, payment: Payment, cres: string): Promise<void> {
  const response = readChallengeResponse(cres)
  const waiting = await waitingOf(call.context, payment)
  if (!response || !waiting?.native.challenge || response.server_transaction_id !== waiting.native.server_transaction_id) return
  await keepNativeStep(call.context, waiting.operation, { trans_status: response.trans_status }, waiting.native.session)
}

/** Whether the customer has done nothing yet. Such a customer is authenticated on a page of this service. */
export async function isUntouched({ context }: Pick<Call, 'context'>, payment: Payment): Promise<boolean> {
  const waiting = await waitingOf(context, payment)
  return waiting !== null && (await findReturn(context, waiting.operation)) === null
}
