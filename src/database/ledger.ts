import { ok } from 'node:assert/strict'
import type { Posting } from '../context.ts'
import { withChange } from './changes.ts'
import { bigint, count, int, table, text, time } from './table.ts'

/**
 * The double-entry ledger. An entry is part of the history of the object that moved the money, as a member of its
 * change (`posted`): so the entry exists if and only if the change does. The process that takes the change out of the
 * outbox updates the balances; readers add the entries that are still in the outbox (`ledger/balances.ts`), so that no
 * payment waits for another's balance.
 */

/** The accounts, and what the balance of each means. What processors owe the merchant is a debit of `processor`. */
export const ledgerAccounts = {
  processor: 'Amount that a processor owes the merchant: captured, and not yet refunded or paid out to its bank',
  settled: 'Amount that a processor has settled to the merchant’s balance there and not paid out yet, according to its reports',
  in_transit: 'Amount that a processor has paid out to the merchant’s bank and that no bank statement has yet',
  bank: 'Amount that has arrived at the merchant’s bank',
  sales: 'Captured amount, as a credit',
  refunds: 'Amount refunded to customers',
  disputes: 'Amount withheld by disputes',
  payouts: 'Amount paid out to recipients',
  fees: 'Fees that processors kept, according to their reports',
  reserves: 'Amount that processors withhold as a reserve',
  adjustments: 'Corrections by processors that belong to no payment, as a credit',
  conversion: 'Amount between currencies: what was converted, and what it was converted to',
  invoices: 'Invoices that processors deducted',
  write_offs: 'Amount of differences that people gave up',
  suspense: 'Money that moved at a processor and belongs to no payment, refund or payout: it is being returned, or requires manual review',
} as const
export type LedgerAccount = keyof typeof ledgerAccounts

export const ledgerBalances = table('ledger_balances', {
  key: ['merchant_id', 'profile_id', 'merchant_connector_id', 'currency', 'account'],
  columns: {
    merchant_id: text(),
    profile_id: text(),
    /** Empty if the amount is at no processor. */
    merchant_connector_id: text(),
    currency: text(),
    account: text<LedgerAccount>('processor'),
    debit: bigint(),
    credit: bigint(),
  },
})

/**
 * Postings of processors' reports: amount settled, processor's fees, net amount. A row for each chunk of a file,
 * day of the books and currency; those of earlier releases are for whole files, and have no file and no day.
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
    file_id: text().orNull().fixed(),
    day: text().orNull().fixed(),
  },
})

/** Returns a posting as it is written; throws, so that nothing is written, if its entries do not add up to zero. */
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

/** Returns a posting as answers show it: each account with its debit and credit. */
export const postingLines = ({ entries }: Posting): { account: string; debit: number; credit: number }[] =>
  Object.entries(entries).map(([account, amount]) => ({ account, debit: Math.max(amount, 0), credit: Math.max(-amount, 0) }))

/** Returns the SQL that sums the postings of these changes (`c`) for each account: from `from`, grouped. */
export const postedTo = (from: string): string =>
  `select p.profile_id, coalesce(p.merchant_connector_id, '') as merchant_connector_id, p.currency, e.key as account,
    sum(greatest(e.value::bigint, 0))::bigint as debit, sum(greatest(-e.value::bigint, 0))::bigint as credit
  from ${from} cross join json_to_record(c.posted) p (profile_id text, merchant_connector_id text, currency text, entries json) cross join json_each_text(p.entries) e
  group by 1, 2, 3, 4`

/** Part of the statement that takes changes out of the outbox (`gone`): adds their postings to the balances. */
export const keepBalances = `l as (insert into ledger_balances as b (merchant_id, profile_id, merchant_connector_id, currency, account, debit, credit)
  select $1, t.* from (${postedTo(withChange('gone', 'gone', 'posted'))}
    order by 1, 2, 3, 4) t
  on conflict (merchant_id, profile_id, merchant_connector_id, currency, account) do update set debit = b.debit + excluded.debit, credit = b.credit + excluded.credit)`
