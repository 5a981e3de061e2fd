import { type ReactElement, useLayoutEffect, useRef, useState } from 'react'
import { inWords, withCurrency } from '../../parts/money'

/** `before`: the amount of the same hour a week before, where there is one to compare with. */
type Point = { at: string; amount: number; before: number | null }
type Props = { points: readonly Point[]; currency: string; byHour: boolean }

/** Before the place that the chart has is known. */
const FIRST_WIDTH = 720
const LABEL_WIDTH = 52
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

/** The width that an element has, so that what is drawn in it is drawn in its own pixels and text keeps its size. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const look = () => setWidth(Math.max(240, element.clientWidth))
    const observer = new ResizeObserver(look)
    observer.observe(element)
    look()
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/**
 * Amounts of one currency over time: a column for each hour or day, the one that is not over pale; behind it, as a
 * line, the same hour a week before.
 */
export function Columns({ asTable, ...of }: Props & { asTable: boolean }): ReactElement {
  return asTable ? <Table {...of} /> : <Chart {...of} />
}

const comparesOf = (points: readonly Point[]): boolean => points.some(({ before }) => before !== null)

function Table({ points, currency, byHour }: Props): ReactElement {
  const compares = comparesOf(points)
  return (
    <div className="tw">
      <table aria-label="Captured over time">
        <thead>
          <tr>
            <th scope="col">{byHour ? 'Hour' : 'Day'}</th>
            <th scope="col" className="n">
              {currency}
            </th>
            {compares && (
              <th scope="col" className="n">
                A week before
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, amount, before }) => (
            <tr key={at}>
              <td>{nameOf(at, byHour)}</td>
              <td className="n num">{inWords(amount, currency)}</td>
              {compares && <td className="n num muted">{inWords(before ?? 0, currency)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Chart({ points, currency, byHour }: Props): ReactElement {
  const { ref, width } = useWidth()
  const compares = comparesOf(points)
  const top = roundUp(Math.max(...points.map(({ amount, before }) => Math.max(amount, before ?? 0)), 1))
  const step = (width - LEFT) / Math.max(points.length, 7)
  const every = Math.ceil(LABEL_WIDTH / step)
  const now = Date.now()
  const current = points.findLastIndex(({ at }) => new Date(at).getTime() <= now)
  const heightOf = (amount: number) => ((HEIGHT - BOTTOM - 8) * amount) / top
  const line = points
    .map(({ before }, i) => `${i === 0 ? 'M' : 'L'}${LEFT + i * step} ${HEIGHT - BOTTOM - heightOf(before ?? 0)}h${step}`)
    .join('')
  return (
    <div className="in" ref={ref}>
      <svg
        className="columns"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-label={`Captured in ${currency}, ${points.length} columns; as a table by the button above`}
      >
        {[0, 0.25, 0.5, 0.75, 1].map(share => {
          const y = 8 + (HEIGHT - BOTTOM - 8) * (1 - share)
          return (
            <g key={share}>
              <path d={`M${LEFT} ${y}H${width}`} stroke="var(--line)" />
              <text x={LEFT - 8} y={y + 4} textAnchor="end">
                {inWords(Math.round(top * share), currency)}
              </text>
            </g>
          )
        })}
        {compares && <path d={line} fill="none" stroke="var(--control)" strokeDasharray="3 3" />}
        {points.map(({ at, amount }, i) => {
          const height = heightOf(amount)
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
                opacity={i === current ? 0.45 : 1}
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
      {compares && <p className="faint">Dashed: the same hours a week before. Pale: the hour that is not over.</p>}
    </div>
  )
}
