import { dayInWords } from '../../parts/time'

const names = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

const isoDay = (at: Date): string => at.toISOString().slice(0, 10)
const dayAfter = (day: string): string => isoDay(new Date(Date.parse(day) + 86_400_000))

/** Returns a month in words: `2026-11` is `November 2026`. */
export const monthInWords = (month: string): string => `${names[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

/** Returns the period after `after` through a day in words: the month, if it is one. */
export function periodInWords(after: string | null, through: string): string {
  const isWhole = dayAfter(through).endsWith('-01')
  const from = after === null ? null : dayAfter(after)
  if (isWhole && (from === null || (from.slice(0, 7) === through.slice(0, 7) && from.endsWith('-01')))) return monthInWords(through)
  return from === through
    ? dayInWords(through)
    : from === null
      ? `Through ${dayInWords(through)}`
      : `${dayInWords(from)} to ${dayInWords(through)}`
}

/** Returns the months that are over and not closed, the latest first; at most a year of them. */
export function monthsToClose(after: string | null, now = new Date()): string[] {
  const months = Array.from({ length: 12 }, (_, n) =>
    isoDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n - 1, 1))).slice(0, 7),
  )
  return months.filter(
    month => after === null || month > after.slice(0, 7) || (month === after.slice(0, 7) && !dayAfter(after).endsWith('-01')),
  )
}

/** Returns the last day that is over, by UTC, as books have it. */
export const yesterday = (now = new Date()): string => isoDay(new Date(now.getTime() - 86_400_000))
