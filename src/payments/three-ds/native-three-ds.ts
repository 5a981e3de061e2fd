import { refuse } from '../../base/refusal.ts'
import type { IssuerChallenge, NativeAuthentication, TransactionStatus } from '../../connectors/authentication.ts'
import { readChallengeResponse } from '../../connectors/kit/three-ds.ts'
import { findOperation, type Operation } from '../../operations/operation.ts'
import { findReturn, keepNativeStep } from '../../operations/returned.ts'
import { forceSync } from '../../operations/sync.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf } from '../kind.ts'
import type { Payment } from '../payment.ts'
import { nativeOf } from './external-three-ds.ts'

/**
 * Authentication in the checkout by the processor itself (native 3-D Secure). To a checkout it is the same
 * conversation as one apart from the processor. But the processor was asked for the money already, and what the
 * browser brings has it go on with the payment: each step is kept before the processor hears of it, belongs to the
 * authorization, and is asked with again, the same, until the processor answers.
 */

type Said = { status: TransactionStatus; challenge: IssuerChallenge | null; server_transaction_id: string }

/** The authorization that waits for its customer, and what its processor calls the authentication. */
type Waiting = { native: NativeAuthentication; operation: Operation }

async function waitingOf(context: Call['context'], payment: Payment): Promise<Waiting | null> {
  const native = nativeOf(payment)
  const operation = native && payment.authorization_n !== null && (await findOperation(context, ownerOf(payment), payment.authorization_n))
  return native && operation ? { native, operation } : null
}

/** Whether the issuer's hidden page has seen the browser. Once a challenge is wanted that says nothing any more. */
export async function browserSeen(call: Call, payment: Payment, seen: 'Y' | 'N' | 'U'): Promise<void> {
  const waiting = await waitingOf(call.context, payment)
  if (waiting && waiting.native.challenge === null)
    await keepNativeStep(call.context, waiting.operation, { threeds_method_comp_ind: seen }, waiting.native.session)
}

/**
 * Has the processor go on, and says what the issuer wants. A customer who was not challenged is paid for by then, or
 * refused: `Y` says that the payment goes on, `N` that it failed. Refuses (HE_00) where the processor does not answer:
 * it may be asked again.
 */
export async function askedThere(call: Call, payment: Payment, seen: 'Y' | 'N' | 'U'): Promise<Said> {
  const { context } = call
  const before = await waitingOf(context, payment)
  if (!before) return refuse('unheard')
  const { server_transaction_id } = before.native
  const isAnswered = async () => (await findReturn(context, before.operation))?.trans_status !== undefined
  if (before.native.challenge && !(await isAnswered())) return { status: 'C', challenge: before.native.challenge, server_transaction_id }
  await browserSeen(call, payment, seen)
  const now = await forceSync(call, payment, ownerOf(payment))
  const native = nativeOf(now)
  if (!native) return { status: now.status === 'failed' ? 'N' : 'Y', challenge: null, server_transaction_id }
  if (native.challenge === null || (await isAnswered())) return refuse('unheard')
  return { status: 'C', challenge: native.challenge, server_transaction_id }
}

/**
 * The customer's browser brings how the issuer's challenge ended. It may be forged: the processor knows it from the
 * issuer. What names another authentication, or none, is ignored.
 */
export async function challengeEnded(call: Call, payment: Payment, cres: string): Promise<void> {
  const said = readChallengeResponse(cres)
  const waiting = await waitingOf(call.context, payment)
  if (!said || !waiting?.native.challenge || said.server_transaction_id !== waiting.native.server_transaction_id) return
  await keepNativeStep(call.context, waiting.operation, { trans_status: said.trans_status }, waiting.native.session)
}

/** Has the customer done nothing yet? They are then authenticated by a page of ours. */
export async function isUntouched({ context }: Pick<Call, 'context'>, payment: Payment): Promise<boolean> {
  const waiting = await waitingOf(context, payment)
  return waiting !== null && (await findReturn(context, waiting.operation)) === null
}
