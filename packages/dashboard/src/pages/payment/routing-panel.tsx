import type { ReactElement, ReactNode } from 'react'
import type { Operation } from '../../api'
import { Panel } from '../../parts/details'
import { type Candidate, type CandidateResult, type Routing, RoutingDecision } from '../../parts/routing-decision'
import { Status } from '../../parts/status'
import { familyOf } from '../../parts/status-families'

/** An attempt of a payment or a payout. */
type Attempt = { attempt_id: string; status: string; connector: string | null; error_code: string | null; routing?: unknown }

type DecisionProps = { routing: Routing; attempts: readonly Attempt[]; operations: readonly Operation[]; last: Attempt }

function Decision({ routing, attempts, operations, last }: DecisionProps): ReactElement {
  const sent = operations.filter(({ verb, purpose }) => (verb === 'authorize' || verb === 'payout') && purpose === 'merchant')
  const numberOf = (attempt: Attempt): number => Number(/_(\d+)$/.exec(attempt.attempt_id)?.[1] ?? 0)
  const operationOf = (attempt: Attempt) => sent.find(one => one.attempt === numberOf(attempt))
  // Two accounts can belong to the same processor, so the account is taken from the operation if there is one.
  const attemptOf = ({ merchant_connector_id, connector }: Candidate): Attempt | undefined =>
    attempts.findLast(one => {
      const operation = operationOf(one)
      return operation ? operation.merchant_connector_id === merchant_connector_id : one.connector === connector
    })
  const resultOf = (candidate: Candidate): CandidateResult => {
    const attempt = attemptOf(candidate)
    if (!attempt) return { family: null, isTaken: false, text: <span className="faint">not needed</span> }
    const operation = operationOf(attempt)
    const isUnknown = operation?.state === 'unknown' || operation?.state === 'unresolved'
    return {
      family: isUnknown ? 'unknown' : familyOf(attempt.status),
      isTaken: attempt === last,
      text: (
        <span className="row">
          <Status status={isUnknown ? 'unknown' : attempt.status} />
          {attempt.error_code && <span className="code">{attempt.error_code}</span>}
        </span>
      ),
      answered: operation?.latency_ms === null || operation?.latency_ms === undefined ? null : `${operation.latency_ms} ms`,
    }
  }
  return <RoutingDecision routing={routing} when="then" column="Result" resultOf={resultOf} />
}

type Props = { attempts: readonly Attempt[]; operations: readonly Operation[]; acts?: ReactNode }

/**
 * Explains the route of a payment or payout: the accounts in the order in which they were tried, the accounts left
 * out, and each answer.
 */
export function RoutingPanel({ attempts, operations, acts }: Props): ReactElement | null {
  const last = attempts.at(-1)
  if (last === undefined) return null
  // Attempts of one decision share a drawing; a new decision gets its own.
  const decisions: { routing: Routing; attempts: Attempt[] }[] = []
  for (const attempt of attempts) {
    const before = decisions.at(-1)
    const routing = attempt.routing as Routing | null | undefined
    if (!routing) before?.attempts.push(attempt)
    else if (before && JSON.stringify(before.routing) === JSON.stringify(routing)) before.attempts.push(attempt)
    else decisions.push({ routing, attempts: [attempt] })
  }
  if (decisions.length === 0) return null
  return (
    <Panel title="Routing decision" acts={acts}>
      {decisions.map(({ routing, attempts: its }) => (
        <Decision key={its[0]!.attempt_id} routing={routing} attempts={its} operations={operations} last={last} />
      ))}
    </Panel>
  )
}
