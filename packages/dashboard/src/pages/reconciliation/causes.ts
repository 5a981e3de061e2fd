import type { Schemas } from '../../api'
import { processorName } from '../../parts/processor'
import type { Family } from '../../parts/status-families'

export type Difference = Schemas['SettlementDifference']
export type Cause = Difference['cause']
export type Resolution = Schemas['ResolveSettlementDifferenceRequest']['resolution']

type Words = {
  title: string
  /** `who`: the processor. */
  says(who: string, difference: Difference): string
  family: Family
  /** What a person can do about it; the first one is offered in the list. */
  ways: readonly Resolution[]
}

/** Causes of differences in plain words. */
export const causes: Readonly<Record<Cause, Words>> = {
  missing_here: {
    title: 'Unknown here',
    says: who => `${who} reports it, and no payment here fits. It may have been made in ${who}’s own pages.`,
    family: 'unknown',
    ways: ['link', 'accept', 'write_off'],
  },
  missing_there: {
    title: 'In no report yet',
    says: who => `It moved here, and ${who} has usually reported such by now.`,
    family: 'person',
    ways: ['accept', 'write_off'],
  },
  amount_differs: {
    title: 'Another amount',
    says: who => `${who} settles another amount than the one that moved here.`,
    family: 'no',
    ways: ['accept', 'write_off'],
  },
  currency_differs: {
    title: 'Another currency',
    says: who => `${who} settles in another currency, and does not name the amount before the conversion.`,
    family: 'person',
    ways: ['accept'],
  },
  fee_differs: {
    title: 'Another fee than before',
    says: who => `An earlier report of ${who} named another fee for it.`,
    family: 'person',
    ways: ['accept'],
  },
  changed: {
    title: 'Changed since it was read',
    says: who => `An earlier report of ${who} named another amount for it.`,
    family: 'person',
    ways: ['accept'],
  },
  duplicate: {
    title: 'Settled a second time',
    says: who => `${who} has settled this before.`,
    family: 'no',
    ways: ['accept', 'link', 'write_off'],
  },
  unknown_type: {
    title: 'A kind of line that is new',
    says: (who, { text }) => `${who} calls it ${text ? `“${text}”` : 'by a word'} that is not known here.`,
    family: 'unknown',
    ways: ['accept'],
  },
  unreadable: {
    title: 'Cannot be read',
    says: (_, { text }) => text ?? 'The line is not as others are.',
    family: 'person',
    ways: ['accept'],
  },
  payout_differs: {
    title: 'Payout and its lines differ',
    says: who => `${who} paid out another amount than the lines of the payout add up to.`,
    family: 'no',
    ways: ['accept'],
  },
}

export const explain = (difference: Difference, connector: string | undefined): string =>
  causes[difference.cause].says(connector === undefined ? 'The processor' : processorName(connector), difference)

type Sum = { amount: number; currency: string }

/**
 * Returns what the merchant has more (less, if negative) by the report than by our books. Null where both sides have no
 * common currency, or no amount.
 */
export function differenceIn({ cause, ours, ours_currency, theirs, currency }: Difference): Sum | null {
  if (cause === 'missing_there') return ours === null ? null : { amount: -ours, currency: ours_currency! }
  if (theirs === null || currency === null) return null
  if (cause === 'missing_here' || cause === 'duplicate' || cause === 'unknown_type') return { amount: theirs, currency }
  if (ours === null || (ours_currency ?? currency) !== currency) return null
  return { amount: cause === 'fee_differs' ? ours - theirs : theirs - ours, currency }
}

/** Adds up amounts by currency, in the order of the currencies. Currencies are never added to each other. */
export function sumsOf(amounts: readonly (Sum | null)[]): { amount: bigint; currency: string }[] {
  const sums = new Map<string, bigint>()
  for (const one of amounts) if (one !== null) sums.set(one.currency, (sums.get(one.currency) ?? 0n) + BigInt(one.amount))
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, amount]) => ({ currency, amount }))
}

/** Returns a kind of line in words: `Refund failure`. */
export function kindOfLine(type: string): string {
  const words = type.replaceAll('_', ' ')
  return type === 'charge' ? 'Payment' : words.charAt(0).toUpperCase() + words.slice(1)
}
