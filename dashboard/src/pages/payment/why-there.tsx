import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Operation } from '../../facts'
import type { Attempt, Payment } from '../../interface'
import { Panel } from '../../parts/details'
import { familyOf, Status } from '../../parts/status'
import { type Became, type Candidate, type Routing, Way } from '../../parts/way'
import { useMay } from '../../session'

type DecisionProps = { routing: Routing; attempts: readonly Attempt[]; operations: readonly Operation[]; last: Attempt }

function Decision({ routing, attempts, operations, last }: DecisionProps): ReactElement {
  const sent = operations.filter(({ verb, purpose }) => verb === 'authorize' && purpose === 'merchant')
  const numberOf = (attempt: Attempt): number => Number(/_(\d+)$/.exec(attempt.attempt_id)?.[1] ?? 0)
  const operationOf = (attempt: Attempt) => sent.find(one => one.attempt === numberOf(attempt))
  // Two accounts may be at one processor: the operation says which of them was asked.
  const attemptOf = ({ merchant_connector_id, connector }: Candidate): Attempt | undefined =>
    attempts.findLast(one => {
      const operation = operationOf(one)
      return operation ? operation.merchant_connector_id === merchant_connector_id : one.connector === connector
    })
  const became = (candidate: Candidate): Became => {
    const attempt = attemptOf(candidate)
    if (!attempt) return { family: null, isTaken: false, says: <span className="faint">not needed</span> }
    const operation = operationOf(attempt)
    const isUnknown = operation?.state === 'unknown' || operation?.state === 'unresolved'
    return {
      family: isUnknown ? 'unknown' : familyOf(attempt.status),
      isTaken: attempt === last,
      says: (
        <span className="row">
          <Status status={isUnknown ? 'unknown' : attempt.status} />
          {attempt.error_code && <span className="code">{attempt.error_code}</span>}
        </span>
      ),
      answered: operation?.latency_ms === null || operation?.latency_ms === undefined ? null : `${operation.latency_ms} ms`,
    }
  }
  return <Way routing={routing} when="then" column="What became of it" became={became} />
}

/** Why the payment went where it went: who was asked, in which order, who was left out, and what each answered. */
export function WhyThere({ payment, operations }: { payment: Payment; operations: readonly Operation[] }): ReactElement | null {
  const mayAsk = useMay()('routing:simulate')
  const attempts = (payment.attempts ?? []) as Attempt[]
  const last = attempts.at(-1)
  if (last === undefined) return null
  // Attempts of one decision share a drawing; a new decision gets its own.
  const decisions: { routing: Routing; attempts: Attempt[] }[] = []
  for (const attempt of attempts) {
    const before = decisions.at(-1)
    if (!attempt.routing) before?.attempts.push(attempt)
    else if (before && JSON.stringify(before.routing) === JSON.stringify(attempt.routing)) before.attempts.push(attempt)
    else decisions.push({ routing: attempt.routing, attempts: [attempt] })
  }
  if (decisions.length === 0) return null
  return (
    <Panel
      title="Why it went there"
      acts={
        mayAsk && (
          <Link to="/routing/try" search={{ payment_id: payment.payment_id }} className="link">
            Who would get it now?
          </Link>
        )
      }
    >
      {decisions.map(({ routing, attempts: its }) => (
        <Decision key={its[0]!.attempt_id} routing={routing} attempts={its} operations={operations} last={last} />
      ))}
    </Panel>
  )
}
