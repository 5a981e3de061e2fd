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

/** Returns the day of a time in UTC, as books have it: `12 Nov 2026`. */
export function dayInWords(iso: string): string {
  const [year, month, day] = iso.slice(0, 10).split('-')
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`
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

function Relative({ iso, at }: { iso: string; at: number }): ReactElement {
  return (
    <Tooltip label={exactly(iso)}>
      <time className="ago" dateTime={iso}>
        {relative(iso, at)}
      </time>
    </Tooltip>
  )
}

type Props = { at: string | null | undefined }

/**
 * Shows how long ago something happened; the exact time on hover and focus. What has happened is never in the future:
 * the clock of the screen advances every half minute, and that of this device may be behind the service's.
 */
export function Ago({ at }: Props): ReactElement {
  const moment = useSyncExternalStore(subscribe, () => now)
  if (!at) return <span className="faint">–</span>
  return <Relative iso={at} at={Math.max(moment, new Date(at).getTime())} />
}

/** Shows when something is to happen, or should have happened. */
export function Due({ at }: Props): ReactElement {
  const moment = useSyncExternalStore(subscribe, () => now)
  if (!at) return <span className="faint">–</span>
  return <Relative iso={at} at={moment} />
}

export function Exact({ at }: { at: string | null | undefined }): ReactElement {
  if (!at) return <span className="faint">–</span>
  return (
    <time className="num" dateTime={at}>
      {exactly(at)}
    </time>
  )
}
