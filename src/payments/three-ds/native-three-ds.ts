import { refuse } from '../../base/refusal.ts'
import type { IssuerChallenge, NativeAuthentication, TransactionStatus } from '../../connectors/authentication.ts'
import { readChallengeResponse } from '../../connectors/kit/three-ds.ts'
import { findReturn, keepNativeStep } from '../../operations/customer-return.ts'
import { findOperation, type Operation } from '../../operations/operation.ts'
import { forceSync } from '../../operations/sync.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf, type Payment } from '../payment.ts'
import { nativeOf } from './external-three-ds.ts'

/**
 * Native 3-D Secure: authentication in the checkout by the processor itself. For a checkout the steps are those of
 * external 3-D Secure. But the processor already has the authorization, and the browser's data makes it continue: each
 * step is stored before the processor is called, and is sent again unchanged until it answers.
 */

type Result = { status: TransactionStatus; challenge: IssuerChallenge | null; server_transaction_id: string }

/** The authorization that waits for its customer, and the processor's data of the authentication. */
type Waiting = { native: NativeAuthentication; operation: Operation }

async function waitingOf(context: Call['context'], payment: Payment): Promise<Waiting | null> {
  const native = nativeOf(payment)
  const operation = native && payment.authorization_n !== null && (await findOperation(context, ownerOf(payment), payment.authorization_n))
  return native && operation ? { native, operation } : null
}

/** Stores whether the issuer's hidden page has seen the browser; without effect once a challenge is required. */
export async function storeMethodCompletion(call: Call, payment: Payment, seen: 'Y' | 'N' | 'U'): Promise<void> {
  const waiting = await waitingOf(call.context, payment)
  if (waiting && waiting.native.challenge === null)
    await keepNativeStep(call.context, waiting.operation, { threeds_method_comp_ind: seen }, waiting.native.session)
}

/**
 * Makes the processor continue, and returns the issuer's decision. Without a challenge the payment is decided by then:
 * `Y` continues, `N` failed. Refuses (HE_00) without an answer: the checkout may try again.
 */
export async function authenticateNatively(call: Call, payment: Payment, seen: 'Y' | 'N' | 'U'): Promise<Result> {
  const { context } = call
  const before = await waitingOf(context, payment)
  if (!before) return refuse('authentication_unanswered')
  const { server_transaction_id } = before.native
  const isAnswered = async () => (await findReturn(context, before.operation))?.trans_status !== undefined
  if (before.native.challenge && !(await isAnswered())) return { status: 'C', challenge: before.native.challenge, server_transaction_id }
  await storeMethodCompletion(call, payment, seen)
  const now = await forceSync(call, payment, ownerOf(payment))
  const native = nativeOf(now)
  if (!native) return { status: now.status === 'failed' ? 'N' : 'Y', challenge: null, server_transaction_id }
  if (native.challenge === null || (await isAnswered())) return refuse('authentication_unanswered')
  return { status: 'C', challenge: native.challenge, server_transaction_id }
}

/** Stores a challenge's result from the browser, which may forge it: the processor has the real one. Ignores others. */
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
