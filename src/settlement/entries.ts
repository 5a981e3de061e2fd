import type { LedgerAccount } from '../database/ledger.ts'
import type { SettlementLine, SettlementType } from './line.ts'

/**
 * Where the gross amount of a line comes from. `payout`: what is paid out moves with its batch (`batches.ts`), because
 * only some reports have a line for it. Null: nothing moves.
 */
const sources: Readonly<Record<SettlementType, LedgerAccount | 'payout' | null>> = {
  charge: 'processor',
  refund: 'processor',
  refund_failure: 'processor',
  chargeback: 'processor',
  chargeback_reversal: 'processor',
  transfer: 'processor',
  transfer_failure: 'processor',
  fee: 'fees',
  payout: 'payout',
  payout_failure: 'payout',
  deposit: 'payout',
  reserve: 'reserves',
  reserve_release: 'reserves',
  adjustment: 'adjustments',
  conversion: 'conversion',
  invoice: 'invoices',
  balance_transfer: null,
  opening_balance: null,
  closing_balance: null,
  unknown: 'adjustments',
}

/** Whether a line is about a movement of ours, which has to match. */
export const isOurs = ({ type, gross }: Pick<SettlementLine, 'type' | 'gross'>): boolean => sources[type] === 'processor' && gross !== 0

export const isPaidOut = ({ type }: Pick<SettlementLine, 'type'>): boolean => sources[type] === 'payout'

/** Whether the line is part of what its batch pays out. */
export const countsInBatch = ({ type }: Pick<SettlementLine, 'type'>): boolean =>
  sources[type] !== 'payout' && type !== 'opening_balance' && type !== 'closing_balance'

/** Whether the line's amounts are part of what a period has moved: a balance moves nothing, a payout is apart. */
export const countsInFigures = ({ type }: Pick<SettlementLine, 'type'>): boolean => sources[type] !== null && sources[type] !== 'payout'

type Moves = Pick<SettlementLine, 'type' | 'currency' | 'gross' | 'fee' | 'net' | 'original'>

/** Amounts by account, in one currency. */
export type Entries = Partial<Record<LedgerAccount, number>>

const add = (entries: Entries, account: LedgerAccount, amount: number): void => {
  if (amount !== 0) entries[account] = (entries[account] ?? 0) + amount
}

/**
 * Adds what a line moves, by currency. `from`: instead of the account of its type (what a person gave up, or what
 * belongs to no payment).
 */
export function addEntries(sums: (currency: string) => Entries, line: Moves, from?: LedgerAccount): void {
  const source = sources[line.type]
  if (source === null) return
  const { original, currency, gross, fee } = line
  const settled = sums(currency)
  add(settled, 'fees', fee)
  if (source === 'payout') {
    add(settled, 'settled', -fee)
    return
  }
  const account = from ?? source
  if (original !== null && original.currency !== currency && account === 'processor') {
    const before = sums(original.currency)
    add(before, account, -original.amount)
    add(before, 'conversion', original.amount)
    add(settled, 'conversion', -gross)
  } else add(settled, account, -gross)
  add(settled, 'settled', gross - fee)
}

/** Leaves out the accounts on which nothing remains. */
export const withoutZeros = (entries: Entries): Record<string, number> =>
  Object.fromEntries(Object.entries(entries).filter(([, amount]) => amount !== 0))
