import { type ReactElement, useLayoutEffect, useRef, useState } from 'react'
import { Table } from './table'

/**
 * One line of a chart; `null` where no value is known. `is`: `now` the chosen period, `before` the period it is
 * compared with, `beside` a second figure of the chosen period.
 */
export type Line = { name: string; is: 'now' | 'before' | 'beside'; values: readonly (number | null)[] }

type Props = {
  /** The name of the figures: `Captured in EUR`. */
  what: string
  /** The start of each hour or day. */
  at: readonly string[]
  byHour: boolean
  lines: readonly Line[]
  draw: 'columns' | 'lines'
  /** The range of the axis. By default the axis begins at zero and ends above the largest value. */
  from?: number
  to?: number
  format(value: number): string
  /** The text that is shown for `null`. */
  missing: string
}

/** The chart's width before its place is measured, in pixels. */
const FIRST_WIDTH = 720
const HEIGHT = 200
const LEFT = 84
const BOTTOM = 24
const TOP = 8

const strokes: Record<Line['is'], { stroke: string; strokeWidth: number; strokeDasharray?: string }> = {
  now: { stroke: 'var(--way-fill)', strokeWidth: 1.8 },
  beside: { stroke: 'var(--text-3)', strokeWidth: 1.2 },
  before: { stroke: 'var(--control)', strokeWidth: 1, strokeDasharray: '3 3' },
}

const two = (n: number): string => String(n).padStart(2, '0')

/** Names an hour or a day. Hours are in the browser's time zone; days are in UTC, as the service counts them. */
export function slotName(at: string, byHour: boolean, withDay: boolean): string {
  const date = new Date(at)
  if (!byHour) return `${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  const hour = `${two(date.getHours())}:00`
  return withDay ? `${two(date.getMonth() + 1)}-${two(date.getDate())} ${hour}` : hour
}

/** The number of hours from which on each hour is named with its day. */
const DAY_OF_HOURS = 25

/** Returns a round number that is not less than `most`. */
function roundUp(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 4, 5, 10].map(step => step * power).find(round => round >= most) ?? most
}

/**
 * Returns the values of the horizontal lines: quarters of the range, or whole numbers if the range has few of them.
 */
function ticksOf(from: number, to: number): number[] {
  const count = from === 0 && to < 4 && to > 1 ? to : to === 1 && from === 0 ? 1 : 4
  return Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count)
}

/** Measures the width of an element. The chart is drawn in pixels of that width, so its text keeps its size. */
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

/** Draws figures over time, or lists them in a table. The current hour or day, which is not over yet, is pale. */
export function Chart({ asTable, ...of }: Props & { asTable: boolean }): ReactElement {
  return asTable ? <Figures {...of} /> : <Drawing {...of} />
}

function Figures({ what, at, byHour, lines, format, missing }: Props): ReactElement {
  const title = `${what} over time`
  return (
    <Table
      title={title}
      label={title}
      rows={at.map((time, i) => ({ time, i }))}
      keyOf={({ time }) => time}
      columns={[
        { name: byHour ? 'Hour' : 'Day (UTC)', look: 'num', cell: ({ time }) => slotName(time, byHour, at.length > DAY_OF_HOURS) },
        ...lines.map(({ name, is, values }) => ({
          name,
          right: true,
          look: is === 'now' ? 'num' : 'num muted',
          cell: ({ i }: { time: string; i: number }) => {
            const value = values[i] ?? null
            return value === null ? <span className="faint">{missing}</span> : format(value)
          },
        })),
      ]}
    />
  )
}

function Drawing(props: Props): ReactElement {
  const { what, at, byHour, lines, draw, format, missing } = props
  const { ref, width } = useWidth()
  const known = lines.flatMap(({ values }) => values.filter(value => value !== null))
  const from = props.from ?? 0
  const to = props.to ?? roundUp(Math.max(...known, 1))
  const withDay = at.length > DAY_OF_HOURS
  const step = (width - LEFT) / Math.max(at.length, 7)
  const every = Math.ceil((byHour && withDay ? 84 : 52) / step)
  const yOf = (value: number): number => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (value - from)) / (to - from)
  const now = Date.now()
  const current = at.findLastIndex(time => new Date(time).getTime() <= now)
  const titleOf = (i: number) =>
    [
      slotName(at[i]!, byHour, withDay),
      ...lines.map(({ name, values }) => {
        const value = values[i] ?? null
        return `${name}: ${value === null ? missing : format(value)}`
      }),
    ].join('\n')
  return (
    <div className="in" ref={ref}>
      <svg
        className="columns"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-label={`${what}, ${at.length} ${byHour ? 'hours' : 'days'}; as a table by the button above`}
      >
        {ticksOf(from, to).map(value => (
          <g key={value}>
            <path d={`M${LEFT} ${yOf(value)}H${width}`} stroke="var(--line)" />
            <text x={LEFT - 8} y={yOf(value) + 4} textAnchor="end">
              {format(value)}
            </text>
          </g>
        ))}
        {lines
          .toReversed()
          .map(line =>
            draw === 'columns' && line.is === 'now' ? (
              <Bars key={line.name} values={line.values} step={step} yOf={yOf} pale={current} />
            ) : (
              <Path key={line.name} line={line} step={step} yOf={yOf} isStepped={draw === 'columns'} />
            ),
          )}
        {at.map((time, i) => (
          <g key={time}>
            {i % every === 0 && (
              <text x={LEFT + (i + 0.5) * step} y={HEIGHT - 6} textAnchor="middle">
                {slotName(time, byHour, withDay)}
              </text>
            )}
            <rect x={LEFT + i * step} y={TOP} width={step} height={HEIGHT - BOTTOM - TOP} fill="transparent">
              <title>{titleOf(i)}</title>
            </rect>
          </g>
        ))}
      </svg>
      {lines.length > 1 && (
        <p className="legend">
          {lines.map(({ name, is }) => (
            <span key={name}>
              <svg viewBox="0 0 16 8" width="16" height="8" aria-hidden="true">
                {draw === 'columns' && is === 'now' ? (
                  <rect width="8" height="8" x="4" rx="2" fill="var(--way-fill)" />
                ) : (
                  <path d="M0 4H16" {...strokes[is]} />
                )}
              </svg>
              {name}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

type Drawn = { step: number; yOf(value: number): number }

function Bars({ values, step, yOf, pale }: Drawn & { values: Line['values']; pale: number }): ReactElement {
  return (
    <>
      {values.map((value, i) => {
        if (value === null) return null
        const y = yOf(value)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is known by its place
            key={i}
            x={LEFT + (i + 0.12) * step}
            y={y}
            width={step * 0.76}
            height={HEIGHT - BOTTOM - y}
            rx={Math.min(2, step / 6)}
            fill="var(--way-fill)"
            opacity={i === pale ? 0.45 : 1}
          />
        )
      })}
    </>
  )
}

/** Draws a line with gaps where no value is known. A value between two gaps is drawn as a point. */
function Path({ line: { is, values }, step, yOf, isStepped }: Drawn & { line: Line; isStepped: boolean }): ReactElement {
  const middle = (i: number) => LEFT + (i + 0.5) * step
  const path = values
    .map((value, i) => {
      if (value === null) return ''
      const begins = i === 0 || values[i - 1] == null
      return isStepped ? `${begins ? 'M' : 'L'}${LEFT + i * step} ${yOf(value)}h${step}` : `${begins ? 'M' : 'L'}${middle(i)} ${yOf(value)}`
    })
    .join('')
  return (
    <>
      <path d={path} fill="none" strokeLinejoin="round" {...strokes[is]} />
      {!isStepped &&
        values.map((value, i) =>
          value !== null && values[i - 1] == null && values[i + 1] == null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is known by its place
            <circle key={i} cx={middle(i)} cy={yOf(value)} r="2" fill={strokes[is].stroke} />
          ) : null,
        )}
    </>
  )
}

/** Draws a small line chart without axes, for a row of a table. */
export function Spark({ values }: { values: readonly (number | null)[] }): ReactElement {
  const known = values.filter(value => value !== null)
  const most = Math.max(...known, 1e-9)
  const x = (i: number) => ((i / Math.max(1, values.length - 1)) * 96).toFixed(1)
  const path = values
    .map((value, i) =>
      value === null ? '' : `${i === 0 || values[i - 1] == null ? 'M' : 'L'}${x(i)} ${(18 - (value / most) * 16).toFixed(1)}`,
    )
    .join('')
  return (
    <svg className="spark" viewBox="0 0 96 20" aria-hidden="true">
      <path d={path} fill="none" stroke="var(--text-3)" strokeWidth="1.3" />
    </svg>
  )
}
