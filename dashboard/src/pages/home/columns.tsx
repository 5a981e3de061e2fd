import type { ReactElement } from 'react'
import { inWords, withCurrency } from '../../parts/money'

type Point = { at: string; amount: number }
type Props = { points: readonly Point[]; currency: string; byHour: boolean; asTable: boolean }

const WIDTH = 720
const HEIGHT = 200
const LEFT = 84
const BOTTOM = 24

const nameOf = (at: string, byHour: boolean): string => {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return byHour ? `${two(date.getHours())}:00` : `${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
}

/** A round number that is not less than this: the axis begins at zero and ends here. */
function roundUp(amount: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, amount)))
  return [1, 2, 4, 5, 10].map(step => step * power).find(round => round >= amount) ?? amount
}

/** Amounts of one currency over time: a column for each hour or day, the one that is not over pale. */
export function Columns({ points, currency, byHour, asTable }: Props): ReactElement {
  if (asTable)
    return (
      <div className="tw">
        <table aria-label="Captured over time">
          <thead>
            <tr>
              <th scope="col">{byHour ? 'Hour' : 'Day'}</th>
              <th scope="col" className="n">
                {currency}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, amount }) => (
              <tr key={at}>
                <td>{nameOf(at, byHour)}</td>
                <td className="n num">{inWords(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  const top = roundUp(Math.max(...points.map(({ amount }) => amount), 1))
  const step = (WIDTH - LEFT) / Math.max(points.length, byHour ? 24 : 7)
  const every = Math.ceil(points.length / 8)
  return (
    <div className="in">
      <svg
        className="columns"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Captured in ${currency}, ${points.length} columns; as a table by the button above`}
      >
        {[0, 0.25, 0.5, 0.75, 1].map(share => {
          const y = 8 + (HEIGHT - BOTTOM - 8) * (1 - share)
          return (
            <g key={share}>
              <path d={`M${LEFT} ${y}H${WIDTH}`} stroke="var(--line)" />
              <text x={LEFT - 8} y={y + 4} textAnchor="end">
                {inWords(Math.round(top * share), currency)}
              </text>
            </g>
          )
        })}
        {points.map(({ at, amount }, i) => {
          const height = ((HEIGHT - BOTTOM - 8) * amount) / top
          const x = LEFT + i * step
          return (
            <g key={at}>
              <rect
                x={x + step * 0.12}
                y={HEIGHT - BOTTOM - height}
                width={step * 0.76}
                height={height}
                rx="2"
                fill="var(--way-fill)"
                opacity={i === points.length - 1 ? 0.45 : 1}
              >
                <title>{`${nameOf(at, byHour)}: ${withCurrency(amount, currency)}`}</title>
              </rect>
              {i % every === 0 && (
                <text x={x + step / 2} y={HEIGHT - 6} textAnchor="middle">
                  {nameOf(at, byHour)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </div>
  )
}
