import type { Outcome, Verb as VerbName } from '../connectors/connector.ts'
import type { Operation } from './operation.ts'
import { type AggregateRow, aggregateOf, type More, type Services } from './verb.ts'

/** Under which flow the deployment's rules speak of a verb (contract 6.6). */
const flows: Record<VerbName, readonly [flow: string, sub_flow: string]> = {
  authenticate: ['Payment', 'Authenticate'],
  authorize: ['Payment', 'Authorize'],
  capture: ['Payment', 'Capture'],
  void: ['Payment', 'Void'],
  refund: ['refund_flow', 'sub_flow'],
  increment: ['Payment', 'IncrementalAuthorization'],
  extend: ['Payment', 'ExtendAuthorization'],
  post_capture_void: ['Payment', 'PostCaptureVoid'],
  payout: ['payout_flow', 'sub_flow'],
  cancel_payout: ['payout_flow', 'sub_flow'],
  accept_dispute: ['Dispute', 'Accept'],
  contest_dispute: ['Dispute', 'SubmitEvidence'],
}

/**
 * What the deployment makes of a no: the rule of what the network said, else of what the processor said (contract
 * 6.6).
 */
export function ruled(services: Services, head: AggregateRow, operation: Operation, outcome: Outcome): More {
  if (outcome.is !== 'declined') return {}
  const { connector, verb } = operation
  const [flow, sub_flow] = flows[verb]
  const find = (code: string, message: string) => services.rules({ connector, flow, sub_flow, code, message })
  const network = aggregateOf(services, operation).network(head)
  const issuer = outcome.network_code
  const byNetwork = network !== null && issuer !== undefined ? `Network:${network}|IssuerCode:${issuer.padStart(2, '0')}` : null
  const rule = (byNetwork === null ? undefined : find(byNetwork, byNetwork)) ?? find(outcome.code_said, outcome.said)
  return rule ? { rule } : {}
}
