import { type Currency, currencies } from '../base/currencies.ts'
import type { Money } from '../base/money.ts'

/**
 * How a processor counts money, where that is not as by ISO 4217: a table of each connector (`accepts.counting`).
 * Amounts are converted at the connector's edge, exactly or not at all: what a processor cannot express is refused
 * before anything is written (`routing/eligible.ts`, `needAmount`), never rounded.
 */
export type Counting = {
  /** The currencies it takes; absent: all. */
  currencies?: readonly Currency[]
  /** Decimals of its smallest unit, where they are not those of ISO 4217. */
  decimals: Partial<Record<Currency, number>>
  /** Amounts must be multiples of so many of its units. */
  steps: Partial<Record<Currency, number>>
}

/** By how many places its smallest unit lies below ours (negative: above). */
const shiftOf = ({ decimals }: Counting, currency: Currency): number => (decimals[currency] ?? currencies[currency]) - currencies[currency]

/** The amount in the processor's smallest unit; a sentence that says why not, where it cannot be expressed there. */
export function inProcessorUnits(counting: Counting, { amount, currency }: Money): number | string {
  if (counting.currencies && !counting.currencies.includes(currency)) return `${currency} is not supported`
  const shift = shiftOf(counting, currency)
  const step = counting.steps[currency] ?? 1
  // In our unit: what its unit is above ours, or what a step is of its units.
  const ours = shift >= 0 ? Math.max(1, step / 10 ** shift) : 10 ** -shift * step
  if (amount % ours !== 0) return `${amount} ${currency} is not supported: the amount must be a multiple of ${ours}`
  const theirs = shift >= 0 ? amount * 10 ** shift : amount / 10 ** -shift
  return Number.isSafeInteger(theirs) ? theirs : `${amount} ${currency} is too large`
}

/** An amount of the processor's in our unit; null where it is a fraction of it. */
export function uncounted(counting: Counting, amount: number, currency: Currency): Money | null {
  const shift = shiftOf(counting, currency)
  const ours = shift >= 0 ? amount / 10 ** shift : amount * 10 ** -shift
  return Number.isSafeInteger(ours) && ours >= 0 ? { amount: ours, currency } : null
}

/** Why a connector cannot take this amount; null if it can. */
export function whyNotCounted(counting: Counting | undefined, money: Money): string | null {
  const theirs = counting ? inProcessorUnits(counting, money) : money.amount
  return typeof theirs === 'string' ? theirs : null
}
