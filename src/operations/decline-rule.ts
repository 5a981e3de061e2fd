import type { Outcome } from '../connectors/connector.ts'
import { verbs } from '../connectors/verbs.ts'
import type { Operation } from './operation.ts'
import { type AggregateRow, aggregateOf, type Engine, type OutcomeContext } from './verb.ts'

/**
 * Finds the deployment's rule for a decline, by the network's code, else by the processor's code and message (contract
 * 6.6).
 */
export function declineRule(services: Engine, head: AggregateRow, operation: Operation, outcome: Outcome): OutcomeContext {
  if (outcome.is !== 'declined') return {}
  const { connector, verb } = operation
  const [flow, sub_flow] = verbs[verb].flow
  const find = (code: string, message: string) => services.rules({ connector, flow, sub_flow, code, message })
  const network = aggregateOf(services, operation).network(head)
  const issuer = outcome.network_code
  const byNetwork = network !== null && issuer !== undefined ? `Network:${network}|IssuerCode:${issuer.padStart(2, '0')}` : null
  const rule = (byNetwork === null ? undefined : find(byNetwork, byNetwork)) ?? find(outcome.processor_code, outcome.message)
  return rule ? { rule } : {}
}
