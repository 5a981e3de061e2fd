import { type Currency, currencies } from '../base/currencies.ts'
import type { Money } from '../base/money.ts'

/**
 * How a processor counts money, if not by ISO 4217: a table of each connector (`accepts.counting`). Amounts are
 * converted in the connector, exactly or not at all: an amount that the processor cannot express is refused before
 * anything is written (`routing/eligible.ts`, `needAmount`), never rounded.
 */
export type Counting = {
  /** Absent: all. */
  currencies?: readonly Currency[]
  decimals: Partial<Record<Currency, number>>
  /** The number of its units of which amounts must be a multiple. */
  steps: Partial<Record<Currency, number>>
}

/** Negative: larger. */
const shiftOf = ({ decimals }: Counting, currency: Currency): number => (decimals[currency] ?? currencies[currency]) - currencies[currency]

/** Or a sentence that says why the processor cannot express the amount. */
export function inProcessorUnits(counting: Counting, { amount, currency }: Money): number | string {
  if (counting.currencies && !counting.currencies.includes(currency)) return `${currency} is not supported`
  const shift = shiftOf(counting, currency)
  const step = counting.steps[currency] ?? 1
  // In our unit: the processor's unit if that is larger, or a step of its units.
  const ours = shift >= 0 ? Math.max(1, step / 10 ** shift) : 10 ** -shift * step
  if (amount % ours !== 0) return `${amount} ${currency} is not supported: the amount must be a multiple of ${ours}`
  const units = shift >= 0 ? amount * 10 ** shift : amount / 10 ** -shift
  return Number.isSafeInteger(units) ? units : `${amount} ${currency} is too large`
}

/** Null if the result is not a whole number of units. */
export function uncounted(counting: Counting, amount: number, currency: Currency): Money | null {
  const shift = shiftOf(counting, currency)
  const ours = shift >= 0 ? amount / 10 ** shift : amount * 10 ** -shift
  return Number.isSafeInteger(ours) && ours >= 0 ? { amount: ours, currency } : null
}

/** Null if the connector can take the amount. */
export function whyNotCounted(counting: Counting | undefined, money: Money): string | null {
  const units = counting ? inProcessorUnits(counting, money) : money.amount
  return typeof units === 'string' ? units : null
}
