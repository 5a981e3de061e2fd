import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import type { DisputeVerb } from '../connectors/verbs.ts'
import type { Context } from '../context.ts'
import { openOperation, operationRow } from '../operations/open.ts'
import { findOperation, type Operation } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import { ownerOf, type Payment } from '../payments/payment.ts'
import { changePayment } from '../payments/rows.ts'
import { planStep } from './change.ts'
import { type Dispute, needDispute } from './dispute.ts'
import { allowed, type DisputeAction, isAllowed } from './lifecycle.ts'
import { type Companion, readEvidence } from './verbs.ts'

export function needAllowed(dispute: Dispute, action: DisputeAction, flow: string): void {
  if (isAllowed(action, dispute)) return
  const { stages, statuses } = allowed[action]
  const message = `This dispute cannot be ${flow}: it is ${dispute.dispute_status} at stage ${dispute.dispute_stage}. It must be ${statuses.join(' or ')}, at stage ${stages.join(', ')}`
  refuse('dispute_refused', { problem: message })
}

export function needTime(context: Pick<Context, 'now'>, { challenge_required_by: by }: Dispute): void {
  if (by !== null && context.now() > by) refuse('dispute_refused', { problem: `The deadline for evidence was ${by}` })
}

/** Refuses (HE_03) a manually recorded dispute, which its processor lacks, and (IR_20) a processor without `verb`. */
function needProcessor({ is_manual, connector }: Dispute, verb: DisputeVerb): void {
  if (is_manual)
    refuse('dispute_refused', {
      problem:
        'This dispute was recorded manually and is not known from its processor: respond to it there, then record the result with update-status',
    })
  if (!connectors[connector]?.[verb]) refuse('flow_not_supported', { flow: verb, connector })
}

/**
 * Accepts or contests a dispute. `as`: the dispute while the answer is under way. A decline by the processor is an
 * error (CE_00), because a dispute has no members for it. Until it has answered, the dispute keeps its status, and no
 * other answer can be sent.
 */
export async function answerDispute(
  call: Call,
  dispute_id: string,
  verb: DisputeVerb,
  as: (dispute: Dispute) => Dispute,
): Promise<Dispute> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  const action = verb === 'accept_dispute' ? 'accept' : 'contest'
  const { payment_id } = await needDispute(context, merchant_id, dispute_id)
  const { payment, plan } = await changePayment(call, payment_id, async before => {
    const dispute = await needDispute(context, merchant_id, dispute_id)
    needAllowed(dispute, action, `${action}ed`)
    if (action === 'contest') needTime(context, dispute)
    needProcessor(dispute, verb)
    if (dispute.alone !== null) refuse('busy')
    const operation = open(context, before, dispute, verb)
    const to = { ...as(dispute), alone: operation.n }
    const { dispute: answered, change } = planStep(context, before, dispute, to, `${verb}_sent`, operation.began)
    const after: Payment = { ...change.after, operation_count: operation.n }
    return { operation, dispute: answered, change: { ...change, after, rows: [...change.rows, operationRow(operation)] } }
  })
  const evidence = verb === 'contest_dispute' ? await readEvidence(context, plan.dispute) : null
  await perform(call, payment, plan.operation, { companionRow: { dispute: plan.dispute, evidence } satisfies Companion })
  const ended = await findOperation(context, plan.operation, plan.operation.n)
  if (ended?.state === 'declined' || ended?.state === 'not_sent')
    refuse('connector_refused', {
      connector: ended.connector,
      code: ended.response?.code ?? ended.state,
      reason: ended.response?.words ?? 'The processor could not be reached; nothing was sent.',
    })
  return needDispute(context, merchant_id, dispute_id)
}

/** Opens the operation on the disputed authorization; its reference is the processor's id of the dispute. */
function open(context: Context, payment: Payment, dispute: Dispute, verb: DisputeVerb): Operation {
  const to = { connector_name: dispute.connector, merchant_connector_id: dispute.merchant_connector_id }
  const asked = { ...ownerOf(payment), verb, purpose: 'merchant', acts_on: dispute.authorization_n, amount: dispute.amount } as const
  return { ...openOperation(context, payment, to, asked), reference: dispute.connector_dispute_id }
}
