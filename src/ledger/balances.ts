import Type from 'typebox'
import { shortText, strictObject } from '../base/shapes.ts'
import type { Reads } from '../context.ts'
import { withChange } from '../database/changes.ts'
import { type LedgerAccount, ledgerAccounts, postedTo } from '../database/ledger.ts'
import { statement } from '../database/statement.ts'

const option = Type.Optional
const accounts = Object.keys(ledgerAccounts) as LedgerAccount[]

export const ledgerFilters = {
  account: option(Type.Enum(accounts)),
  currency: option(Type.String({ minLength: 3, maxLength: 3 })),
  profile_id: option(shortText),
  merchant_connector_id: option(shortText),
}

export const balancesQuery = strictObject(ledgerFilters)
export type BalancesAsk = Type.Static<typeof balancesQuery>

/** That a caller may see; null: all. */
export type OfProfiles = readonly string[] | null

/** In the lowest denomination. `balance` is the debits less the credits. */
export type Balance = {
  account: LedgerAccount
  profile_id: string
  merchant_connector_id: string | null
  currency: string
  debit: number
  credit: number
  balance: number
}

/** Postings in the outbox are on no balance yet. One statement reads both, so that none counts twice or not at all. */
const waiting = postedTo(withChange('(select kind, object_id, version from outbox where merchant_id = $1) o', 'o', 'posted'))
/** Stored balances, and the postings in the outbox. `$1` is the merchant. */
export const withWaiting = `select profile_id, merchant_connector_id, currency, account, debit, credit from ledger_balances where merchant_id = $1
    union all select * from (${waiting}) w`
const balancesOf = statement(
  'ledger_balances_of',
  `select account, profile_id, nullif(merchant_connector_id, '') as merchant_connector_id, currency, sum(debit)::bigint as debit, sum(credit)::bigint as credit,
    (sum(debit) - sum(credit))::bigint as balance
  from (${withWaiting}) b
  where ($2::text is null or account = $2) and ($3::text is null or currency = $3) and ($4::text is null or profile_id = $4) and ($6::text[] is null or profile_id = any($6)) and ($5::text is null or merchant_connector_id = $5)
  group by 1, 2, 3, 4 order by 2, 3, 4, 1`,
)

/** Includes every change that was answered. */
export const findBalances = (context: Reads, merchant_id: string, ask: BalancesAsk, profiles: OfProfiles): Promise<Balance[]> =>
  context.query<Balance>(balancesOf, [merchant_id, ...balanceFilters(ask), profiles])

export const balanceFilters = ({ account, currency, profile_id, merchant_connector_id }: BalancesAsk) => [
  account ?? null,
  currency?.toUpperCase() ?? null,
  profile_id ?? null,
  merchant_connector_id ?? null,
]
