import { Tooltip } from '@mantine/core'
import { type ReactElement, useSyncExternalStore } from 'react'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

// One clock for all times on the screen. It advances every half minute.
let now = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, MINUTE / 2)
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (n: number): string => String(n).padStart(2, '0')
const dayOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
const clockOf = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`

/** Formats a time with milliseconds and the time zone of the browser, which is always named. */
export function exactly(iso: string): string {
  const at = new Date(iso)
  const zone = Intl.DateTimeFormat('en', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(part => part.type === 'timeZoneName')?.value
  return `${dayOf(at)} ${clockOf(at)}.${String(at.getMilliseconds()).padStart(3, '0')} ${zone ?? ''}`.trim()
}

export const timeOfDay = (iso: string): string => {
  const at = new Date(iso)
  return `${clockOf(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

function relative(iso: string, at: number): string {
  const then = new Date(iso)
  const past = at - then.getTime()
  const ahead = past < 0
  const span = Math.abs(past)
  if (span < MINUTE) return ahead ? 'in a moment' : 'just now'
  const duration = span < HOUR ? `${Math.floor(span / MINUTE)} min` : span < DAY ? `${Math.floor(span / HOUR)} h` : null
  if (ahead && span >= DAY && span < 60 * DAY) return `in ${Math.floor(span / DAY)} d`
  if (duration !== null) return ahead ? `in ${duration}` : `${duration} ago`
  const clock = `${two(then.getHours())}:${two(then.getMinutes())}`
  const isThisYear = then.getFullYear() === new Date(at).getFullYear()
  return isThisYear ? `${then.getDate()} ${months[then.getMonth()]} ${clock}` : `${dayOf(then)} ${clock}`
}

/** Shows how long ago a time was; the exact time on hover and focus. */
export function Ago({ at }: { at: string | null | undefined }): ReactElement {
  const moment = useSyncExternalStore(subscribe, () => now)
  if (!at) return <span className="faint">–</span>
  return (
    <Tooltip label={exactly(at)}>
      <time className="ago" dateTime={at}>
        {relative(at, moment)}
      </time>
    </Tooltip>
  )
}

export function Exact({ at }: { at: string | null | undefined }): ReactElement {
  if (!at) return <span className="faint">–</span>
  return (
    <time className="num" dateTime={at}>
      {exactly(at)}
    </time>
  )
}
