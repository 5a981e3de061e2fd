import type { CSSProperties, ReactElement, ReactNode } from 'react'
import type { Schemas } from '../api'
import { useLabels } from '../queries'
import { Scrollable } from './scrollable'
import { Status } from './status'
import type { Family } from './status-families'

// The drawing of a routing decision: connector accounts in the order in which they are tried, and accounts that are
// left out. All pages that show a decision use it.

export type Routing = Schemas['Routed']
export type Candidate = Routing['connectors'][number]
type LeftOut = Routing['left_out'][number] & { message?: string }

const approaches: Record<string, string> = {
  default: 'the fallback order',
  algorithm: 'a routing algorithm',
  request: 'the request itself',
  straight_through: 'the request itself',
  sticky: 'the account that the payment stood on',
}
/** The smallest number of payments that gives a meaningful rate. */
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

/** The lines to accounts by the family of their result. Dashed: the result is not known. */
const strokes: Partial<Record<Family, CSSProperties>> = {
  done: { stroke: 'var(--done-fill)' },
  no: { stroke: 'var(--no-fill)', strokeWidth: 1.6 },
  unknown: { stroke: 'var(--unknown-fill)', strokeDasharray: '4 3' },
  held: { stroke: 'var(--held)' },
  way: { stroke: 'var(--way-fill)' },
  waits: { stroke: 'var(--way-fill)' },
  person: { stroke: 'var(--person-fill)' },
}

type RailProps = { family: Family | null; isTaken?: boolean; isFirst?: boolean; isLast: boolean; isLeftOut?: boolean }

/**
 * Draws the line from the payment to an account. The line to an account that was tried has the color of the result.
 */
function Rail({ family, isTaken, isFirst, isLast, isLeftOut }: RailProps): ReactElement {
  const middle = isLeftOut ? 14 : 17
  const bottom = isLeftOut ? 28 : 34
  const look = {
    ...(isTaken && { strokeWidth: 2.5 }),
    ...(isLeftOut && { strokeDasharray: '2 3' }),
    ...(family !== null && strokes[family]),
  }
  return (
    <svg className="rail" style={look} viewBox={`0 0 56 ${bottom}`} aria-hidden="true">
      {!isLast && <path d={`M8 ${isFirst ? middle : 0}V${bottom}`} style={{ stroke: 'var(--control)', strokeWidth: 1.2 }} />}
      {isFirst ? (
        <>
          <path d={`M12 ${middle}H56`} />
          <circle cx="8" cy={middle} r="4" fill="var(--bg)" strokeDasharray="none" />
        </>
      ) : (
        <path d={`M8 0V${middle - 8}Q8 ${middle} 16 ${middle}H${isLeftOut ? 40 : 56}`} />
      )}
      {isLeftOut && <path d={`M40 ${middle - 4}V${middle + 4}`} strokeDasharray="none" />}
    </svg>
  )
}

/**
 * The result of an account, or its expected result: the family and line to draw, the text beside it, and the answer
 * time.
 */
export type CandidateResult = { family: Family | null; isTaken: boolean; text: ReactNode; answered?: string | null }

type Props = {
  routing: Omit<Routing, 'left_out'> & { left_out: readonly LeftOut[] }
  /** `then` for a decision that was made, `now` for a simulated decision. */
  when: 'then' | 'now'
  /** The heading of the column that `resultOf` fills. */
  column: string
  resultOf(candidate: Candidate, at: number): CandidateResult
}

/** Names the approach that decided, and the number of accounts that can take the payment. */
function Decided({ routing, leftOut }: { routing: Props['routing']; leftOut: number }): ReactElement {
  return (
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
        {routing.connectors.length} of {routing.connectors.length + leftOut} accounts could take it
      </span>
    </p>
  )
}

/**
 * Draws a decision: accounts in their order with the reasons for their places, and left-out accounts with their
 * reasons.
 */
export function RoutingDecision({ routing, when, column, resultOf }: Props): ReactElement {
  const labelOf = useLabels()
  const leftOut = routing.left_out ?? []
  const hasAnswers = when === 'then'
  return (
    <>
      <Decided routing={routing} leftOut={leftOut.length} />
      <Scrollable label="Accounts in their order">
        <table className="way" aria-label="Accounts in their order">
          <thead>
            <tr>
              <th scope="col">
                <span className="unseen">Way</span>
              </th>
              <th scope="col">Account</th>
              <th scope="col">{column}</th>
              <th scope="col" className="wide">
                Success {when}
              </th>
              <th scope="col" className="wide">
                Breaker {when}
              </th>
              {hasAnswers && (
                <th scope="col" className="n wide">
                  Answer
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {routing.connectors.map((candidate, at) => {
              const { family, isTaken, text, answered } = resultOf(candidate, at)
              return (
                <tr key={candidate.merchant_connector_id ?? at}>
                  <td>
                    <Rail
                      family={family}
                      isTaken={isTaken}
                      isFirst={at === 0}
                      isLast={at === routing.connectors.length - 1 && leftOut.length === 0}
                    />
                  </td>
                  <td>
                    <b className="strong">{labelOf(candidate.merchant_connector_id, candidate.connector)}</b>{' '}
                    <span className="muted wide-text">{candidate.connector}</span>{' '}
                    {candidate.chosen && <span className="tag">{routing.approach === 'algorithm' ? 'by the rules' : 'by payment'}</span>}
                  </td>
                  <td>{text}</td>
                  <td className="wide">
                    <Rate candidate={candidate} />
                  </td>
                  <td className="wide">
                    <Status status={candidate.breaker} />
                  </td>
                  {hasAnswers && <td className="n wide num">{answered}</td>}
                </tr>
              )
            })}
            {leftOut.map(({ connector, merchant_connector_id, reason, message }, at) => (
              <tr key={merchant_connector_id} className="left-out">
                <td>
                  <Rail family={null} isLast={at === leftOut.length - 1} isLeftOut />
                </td>
                <td>{labelOf(merchant_connector_id, connector)}</td>
                <td colSpan={hasAnswers ? 4 : 3}>
                  left out: <span className="code">{reason}</span> {message}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </>
  )
}
