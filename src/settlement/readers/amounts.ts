import { type Currency, currencies } from '../../base/currencies.ts'
import type { ReportRow } from '../line.ts'

export type Mark = '.' | ','

/**
 * An amount in the lowest denomination: `amount` is rounded half away from zero, `rest` is what was rounded off, in
 * 10^-8 of that denomination.
 */
export type ReportAmount = { amount: number; rest: number }

const PLAIN = /^([+-]?)(\d{0,15})(?:\.(\d{0,20}))?$/
/** Longer texts are no amounts: a bound of the work for one field. */
const LONGEST = 40
const FINE = 8

const grouped: Record<Mark, RegExp> = {
  '.': /^[+-]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/,
  ',': /^[+-]?\d{1,3}(?:\.\d{2,3})*\.\d{3}(?:,\d*)?$/,
}

/**
 * Returns a number as people write it with a plain point: `1.234,50`, `1 234,50`, `1'234.50`, `(12.50)`, `12.50-`, and
 * `'-12.50` as our exports write it.
 */
function plain(written: string, mark: Mark): string {
  let text = written.replace(/[\s\u00a0\u202f’']/g, '')
  if (text.startsWith('(') && text.endsWith(')')) text = `-${text.slice(1, -1)}`
  else if (text.endsWith('-')) text = `-${text.slice(0, -1)}`
  if (grouped[mark].test(text)) text = text.replaceAll(mark === '.' ? ',' : '.', '')
  else if (text.includes(mark === '.' ? ',' : '.')) return ''
  return mark === ',' ? text.replace(',', '.') : text
}

/** Null if the text is no amount. `decimals`: of the unit in which it is written, if that is the currency's lowest. */
export function readReportAmount(written: string, currency: Currency, mark: Mark = '.'): ReportAmount | null {
  if (written.length > LONGEST) return null
  const found = (mark === '.' ? PLAIN.exec(written) : null) ?? PLAIN.exec(plain(written, mark))
  if (found === null) return null
  const [, sign, whole = '', fraction = ''] = found
  if (whole === '' && fraction === '') return null
  const decimals = currencies[currency]
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(amount)) return null
  const rest = fraction.length > decimals ? Number(fraction.slice(decimals, decimals + FINE).padEnd(FINE, '0')) : 0
  const up = rest >= 50_000_000
  const [rounded, left] = up ? [amount + 1, rest - 100_000_000] : [amount, rest]
  return sign === '-' ? { amount: 0 - rounded, rest: 0 - left } : { amount: rounded, rest: left }
}

/** Null if the text is no amount, or has more decimals than its currency. */
export function readExact(written: string, currency: Currency, mark: Mark = '.'): number | null {
  const read = readReportAmount(written, currency, mark)
  return read === null || read.rest !== 0 ? null : read.amount
}

const WHOLE = /^[+-]?\d{1,15}$/

/** In the lowest denomination. Null if the text is no whole number. */
export const readMinor = (written: string): number | null => (WHOLE.test(written) ? Number(written) + 0 : null)

/** Rows by which a file's decimal mark is found. */
export const SAMPLED = 200

/** Says which decimal mark one number shows, or null: `1,234` shows none. */
function shown(written: string): Mark | null {
  if (written.length > LONGEST || !/^[-+('’\d.,\s\u00a0\u202f)]*$/.test(written)) return null
  const [point, comma] = [written.lastIndexOf('.'), written.lastIndexOf(',')]
  if (point === -1 && comma === -1) return null
  const mark = point > comma ? '.' : ','
  if (point !== -1 && comma !== -1) return mark
  const at = Math.max(point, comma)
  if (written.indexOf(mark) !== at) return mark === '.' ? ',' : '.'
  return /^\d{3}\D*$/.test(written.slice(at + 1)) && at > 0 ? null : mark
}

/** Finds the decimal mark in the amounts of a file's first rows. Without a sign of one it is a point. */
export function markOf(rows: readonly ReportRow[], columns: readonly number[]): Mark {
  let commas = 0
  for (const { fields } of rows)
    for (const column of columns) {
      const mark = column < 0 ? null : shown(fields[column] ?? '')
      if (mark !== null) commas += mark === ',' ? 1 : -1
    }
  return commas > 0 ? ',' : '.'
}
