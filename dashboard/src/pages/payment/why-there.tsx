import type { ReactElement } from 'react'
import { type Operation, useLabels } from '../../facts'
import type { Attempt, Payment } from '../../interface'
import { Panel } from '../../parts/details'
import { familyOf, Status } from '../../parts/status'

type Routing = NonNullable<Attempt['routing']>
type Candidate = Routing['connectors'][number]

const approaches: Record<string, string> = {
  default: 'the fallback order',
  algorithm: 'a routing algorithm',
  straight_through: 'the request itself',
  sticky: 'the account that the payment stood on',
}
/** So few payments say nothing of a rate. */
const ENOUGH = 30

function Rate({ candidate }: { candidate: Candidate }): ReactElement {
  const { success_rate, payments } = candidate
  if (success_rate === null || success_rate === undefined || payments < ENOUGH)
    return <span className="faint">unknown{payments > 0 ? `, of ${payments}` : ''}</span>
  return (
    <span className="rate num">
      <svg viewBox="0 0 40 6" aria-hidden="true">
        <rect width="40" height="6" fill="var(--line)" />
        <rect width={(success_rate / 100) * 40} height="6" fill="var(--text-3)" />
      </svg>
      {success_rate.toFixed(1)} % <span className="faint">of {payments.toLocaleString('en')}</span>
    </span>
  )
}

/** A rail from the payment to the account: what was taken bears the colour of what became of it. */
function Rail({ kind, isFirst, isLast, low }: { kind: string; isFirst: boolean; isLast: boolean; low?: boolean }): ReactElement {
  const middle = low ? 14 : 17
  const bottom = low ? 28 : 34
  return (
    <svg className={`rail ${kind}`} viewBox={`0 0 56 ${bottom}`} aria-hidden="true">
      {!isLast && <path className="trunk" d={`M8 ${isFirst ? middle : 0}V${bottom}`} />}
      {isFirst ? (
        <>
          <path d={`M12 ${middle}H56`} />
          <circle cx="8" cy={middle} r="4" fill="var(--bg)" strokeDasharray="none" />
        </>
      ) : (
        <path d={`M8 0V${middle - 8}Q8 ${middle} 16 ${middle}H${kind.includes('off') ? 40 : 56}`} />
      )}
      {kind.includes('off') && <path d={`M40 ${middle - 4}V${middle + 4}`} strokeDasharray="none" />}
    </svg>
  )
}

type DecisionProps = { routing: Routing; attempts: readonly Attempt[]; operations: readonly Operation[]; last: Attempt }

function Decision({ routing, attempts, operations, last }: DecisionProps): ReactElement {
  const labelOf = useLabels()
  const leftOut = routing.left_out ?? []
  const sent = operations.filter(({ verb, purpose }) => verb === 'authorize' && purpose === 'merchant')
  const numberOf = (attempt: Attempt): number => Number(/_(\d+)$/.exec(attempt.attempt_id)?.[1] ?? 0)
  const operationOf = (attempt: Attempt) => sent.find(one => one.attempt === numberOf(attempt))
  // Two accounts may be at one processor: the operation says which of them was asked.
  const attemptOf = ({ merchant_connector_id, connector }: Candidate): Attempt | undefined =>
    attempts.findLast(one => {
      const operation = operationOf(one)
      return operation ? operation.merchant_connector_id === merchant_connector_id : one.connector === connector
    })
  return (
    <>
      <p className="decided">
        <span>
          Decided by <b>{approaches[routing.approach] ?? routing.approach}</b>
        </span>
        {routing.rule && (
          <span>
            Rule <b>{routing.rule}</b>
          </span>
        )}
        {routing.ranked && <span>Ranked by success rate</span>}
        <span>
          {routing.connectors.length} of {routing.connectors.length + leftOut.length} accounts could take it
        </span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
      <section className="tw" tabIndex={0} aria-label="Accounts in their order">
        <table className="way" aria-label="Accounts in their order">
          <thead>
            <tr>
              <th scope="col">
                <span className="unseen">Way</span>
              </th>
              <th scope="col">Account</th>
              <th scope="col">What became of it</th>
              <th scope="col" className="wide">
                Success then
              </th>
              <th scope="col" className="wide">
                Breaker then
              </th>
              <th scope="col" className="n wide">
                Answer
              </th>
            </tr>
          </thead>
          <tbody>
            {routing.connectors.map((candidate, at) => {
              const attempt = attemptOf(candidate)
              const operation = attempt && operationOf(attempt)
              const isUnknown = operation?.state === 'unknown' || operation?.state === 'unresolved'
              const family = attempt ? (isUnknown ? 'unknown' : familyOf(attempt.status)) : null
              const isLast = at === routing.connectors.length - 1 && leftOut.length === 0
              return (
                <tr key={candidate.merchant_connector_id ?? at}>
                  <td>
                    <Rail
                      kind={attempt ? `${family === 'way' ? 'way-on' : family} ${attempt === last ? 'taken' : ''}` : ''}
                      isFirst={at === 0}
                      isLast={isLast}
                    />
                  </td>
                  <td>
                    <b className="strong">{labelOf(candidate.merchant_connector_id, candidate.connector)}</b>{' '}
                    <span className="muted wide-text">{candidate.connector}</span>{' '}
                    {candidate.chosen && <span className="tag">by payment</span>}
                  </td>
                  <td>
                    {attempt ? (
                      <span className="row">
                        <Status status={isUnknown ? 'unknown' : attempt.status} />
                        {attempt.error_code && <span className="code">{attempt.error_code}</span>}
                      </span>
                    ) : (
                      <span className="faint">not needed</span>
                    )}
                  </td>
                  <td className="wide">
                    <Rate candidate={candidate} />
                  </td>
                  <td className="wide">
                    <Status status={candidate.breaker} />
                  </td>
                  <td className="n wide num">
                    {operation?.latency_ms !== null && operation?.latency_ms !== undefined && `${operation.latency_ms} ms`}
                  </td>
                </tr>
              )
            })}
            {leftOut.map(({ connector, merchant_connector_id, reason }, at) => (
              <tr key={merchant_connector_id} className="left-out">
                <td>
                  <Rail kind="off" isFirst={false} isLast={at === leftOut.length - 1} low />
                </td>
                <td>{labelOf(merchant_connector_id, connector)}</td>
                <td colSpan={4}>
                  left out: <span className="code">{reason}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Why the payment went where it went: who was asked, in which order, who was left out, and what each answered. */
export function WhyThere({ payment, operations }: { payment: Payment; operations: readonly Operation[] }): ReactElement | null {
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
    <Panel title="Why it went there">
      {decisions.map(({ routing, attempts: its }) => (
        <Decision key={its[0]!.attempt_id} routing={routing} attempts={its} operations={operations} last={last} />
      ))}
    </Panel>
  )
}
