import { ok } from 'node:assert/strict'
import type { Posting } from '../context.ts'
import { withChange } from './changes.ts'
import { bigint, count, int, type RowOf, table, text, time } from './table.ts'

/**
 * The double-entry ledger. An entry is part of the history of the object that moved the money, as a member of its
 * change (`posted`): so it is there if and only if the change is. The process that takes the change out of the outbox
 * updates the balances; readers add what is still in the outbox (`ledger/balances.ts`), so that no payment waits for
 * another's balance.
 */

/** The accounts, and what a debit of each says. Amounts that processors owe the merchant are debits of `processor`. */
export const ledgerAccounts = {
  processor: 'Amount that a processor owes the merchant: captured, and not yet refunded or paid out to its bank',
  bank: 'Amount that a processor has paid out to the merchant’s bank, according to its settlement files',
  sales: 'Captured amount, as a credit',
  refunds: 'Amount refunded to customers',
  disputes: 'Amount withheld by disputes',
  payouts: 'Amount paid out to recipients',
  fees: 'Fees that processors kept, according to their settlement files',
  suspense: 'Money that moved at a processor and belongs to no payment, refund or payout: it is being returned, or requires manual review',
} as const
export type LedgerAccount = keyof typeof ledgerAccounts

export const ledgerBalances = table('ledger_balances', {
  key: ['merchant_id', 'profile_id', 'merchant_connector_id', 'currency', 'account'],
  columns: {
    merchant_id: text(),
    profile_id: text(),
    /** Empty where it is at no processor. */
    merchant_connector_id: text(),
    currency: text(),
    account: text<LedgerAccount>('processor'),
    debit: bigint(),
    credit: bigint(),
  },
})

/**
 * Settlement files of processors that were posted, one row for each currency: what was settled, what the processor
 * kept, and what it paid out.
 */
export const settlements = table('settlements', {
  kind: 'settlement',
  key: ['merchant_id', 'settlement_id'],
  columns: {
    merchant_id: text(),
    settlement_id: text(),
    version: count(1),
    profile_id: text().fixed(),
    merchant_connector_id: text().fixed(),
    currency: text().fixed(),
    lines: int().fixed(),
    gross: bigint().fixed(),
    fee: bigint().fixed(),
    net: bigint().fixed(),
    created: time().fixed(),
  },
})
export type Settlement = RowOf<typeof settlements>

/**
 * A posting as it is written. One that does not sum up to nothing is a mistake of ours: then nothing is written at
 * all.
 */
export function balanced(posting: Posting): string {
  const { entries } = posting
  let sum = 0
  for (const account in entries) {
    ok(account in ledgerAccounts && Number.isSafeInteger(entries[account]), `${account} is no account, or holds no amount`)
    sum += entries[account]!
  }
  ok(sum === 0, `a posting does not balance: ${JSON.stringify(entries)}`)
  return JSON.stringify(posting)
}

/** A posting as answers show it: each account with its side. */
export const postingLines = ({ entries }: Posting): { account: string; debit: number; credit: number }[] =>
  Object.entries(entries).map(([account, amount]) => ({ account, debit: Math.max(amount, 0), credit: Math.max(-amount, 0) }))

/** What the postings of these changes (`c`) put on each account, in SQL: from `from`, grouped. */
export const postedTo = (from: string): string =>
  `select p.profile_id, coalesce(p.merchant_connector_id, '') as merchant_connector_id, p.currency, e.key as account,
    sum(greatest(e.value::bigint, 0))::bigint as debit, sum(greatest(-e.value::bigint, 0))::bigint as credit
  from ${from} cross join json_to_record(c.posted) p (profile_id text, merchant_connector_id text, currency text, entries json) cross join json_each_text(p.entries) e
  group by 1, 2, 3, 4`

/**
 * Puts what was just taken out of the outbox (`gone`: kind, object_id, version) on the balances; part of the
 * statement that takes it. `$1` is the merchant.
 */
export const keepBalances = `l as (insert into ledger_balances as b (merchant_id, profile_id, merchant_connector_id, currency, account, debit, credit)
  select $1, t.* from (${postedTo(withChange('gone', 'gone', 'posted'))}
    order by 1, 2, 3, 4) t
  on conflict (merchant_id, profile_id, merchant_connector_id, currency, account) do update set debit = b.debit + excluded.debit, credit = b.credit + excluded.credit)`
