import type { Time } from '../../context.ts'

/** The order of day, month and year in a date of three numbers. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy'

const MINUTE_MS = 60_000

/** Offsets of zones in minutes, by the abbreviations of reports. An abbreviation of several zones is none. */
const zones: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, Z: 0, WET: 0, WEST: 60, BST: 60, CET: 60, CEST: 120, MET: 60, MEST: 120, EET: 120, EEST: 180, MSK: 180 },
  ...{ SGT: 480, HKT: 480, AWST: 480, JST: 540, KST: 540, ACST: 570, ACDT: 630, AEST: 600, AEDT: 660, NZST: 720, NZDT: 780 },
  ...{ BRT: -180, ART: -180, EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 },
  ...{ AKST: -540, AKDT: -480, HST: -600 },
}

// One group for each separator keeps it linear and strict.
const DATE =
  /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T ] ?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(?: ?(Z|[+-]\d{2}:?\d{2}|[A-Z]{2,5}))?$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/

/** The last Sunday of a month at 01:00 UTC, when summer time begins or ends in the European Union. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0, 1))
  return last.getTime() - last.getUTCDay() * 86_400_000
}

/** Zone of the Netherlands, of which Mollie's exports are. */
function centralEurope(local: number): number {
  const year = new Date(local).getUTCFullYear()
  return local - 60 * MINUTE_MS >= lastSunday(year, 2) && local - 120 * MINUTE_MS < lastSunday(year, 9) ? 120 : 60
}

/** Null: the zone is not known. */
function offsetOf(zone: string, local: number): number | null {
  if (Object.hasOwn(zones, zone)) return zones[zone]!
  if (zone === 'Europe/Amsterdam') return centralEurope(local)
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  if (hours !== undefined) return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return null
}

function partsOf(text: string, order: DateOrder): { year: number; month: number; day: number; clock: (string | undefined)[] } | null {
  const compact = COMPACT.exec(text)
  if (compact) return { year: Number(compact[1]), month: Number(compact[2]), day: Number(compact[3]), clock: [] }
  const found = DATE.exec(text)
  if (found === null) return null
  const [, a, , b, c, ...clock] = found
  const [first, second, third] = [Number(a), Number(b), Number(c)]
  // A number of four digits is a year, wherever it stands.
  if (a!.length === 4) return c!.length > 2 ? null : { year: first, month: second, day: third, clock }
  if (a!.length > 2 || order === 'ymd' || (c!.length !== 4 && c!.length !== 2)) return null
  const year = c!.length === 2 ? 2000 + third : third
  return order === 'dmy' ? { year, month: second, day: first, clock } : { year, month: first, day: second, clock }
}

const daysOf = (year: number, month: number): number =>
  month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** Null if the text is no date. `zone`: of a text that says none. */
export function readReportTime(written: string, zone = 'UTC', order: DateOrder = 'ymd'): Time | null {
  if (written.length > LONGEST) return null
  const parts = partsOf(written, order)
  if (parts === null) return null
  const { year, month, day, clock } = parts
  const [hours = '0', minutes = '0', seconds = '0', fraction = '0', own] = clock
  const valid = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month) && Number(hours) <= 23
  if (!valid || year < 1970 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const milliseconds = fraction === '0' ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3))
  const of = own ?? zone
  const thousandth = String(milliseconds).padStart(3, '0')
  // Most reports write UTC, which needs no arithmetic.
  if (of === 'UTC' || of === 'Z') return `${year}-${two(month)}-${two(day)}T${two(hours)}:${two(minutes)}:${two(seconds)}.${thousandth}Z`
  const local = Date.UTC(year, month - 1, day, Number(hours), Number(minutes), Number(seconds), milliseconds)
  const offset = offsetOf(of, local)
  return offset === null ? null : new Date(local - offset * MINUTE_MS).toISOString()
}
const two = (number: number | string): string => String(number).padStart(2, '0')

/** Longer texts are no dates. */
const LONGEST = 50

/** Finds the order of day and month: by a number above twelve, else with points or day first. Null: no such dates. */
export function dateOrderOf(written: readonly string[]): DateOrder | null {
  let [days, months, dates] = [0, 0, 0]
  for (const text of written) {
    const found = text.length > LONGEST ? null : DATE.exec(text)
    if (!found) continue
    if (found[1]!.length === 4) return 'ymd'
    dates++
    if (Number(found[1]) > 12) days++
    if (Number(found[3]) > 12) months++
  }
  if (dates === 0) return null
  return months > days ? 'mdy' : 'dmy'
}
