import { statesThat } from '../base/lifecycle.ts'
import type { Context, Posting, Reads, Row } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { type LedgerAccount, ledgerBalances, postedTo } from '../database/ledger.ts'
import { statement } from '../database/statement.ts'
import type { Table } from '../database/table.ts'
import { statuses } from '../payments/lifecycle.ts'
import { payments } from '../payments/payment.ts'
import { statuses as payoutStatuses } from '../payouts/lifecycle.ts'
import { payouts } from '../payouts/payout.ts'
import { withWaiting } from './balances.ts'

const isOneOf = (statuses: readonly string[]): string => `h.status in (${statuses.map(status => `'${status}'`).join(', ')})`

/**
 * The figures of a resource to which its entries must add up, by account, in SQL on its row `h`; the rest is at the
 * processor or in suspense, of which it has no figure.
 */
const figures: readonly { of: Table; accounts: Partial<Record<LedgerAccount, string>> }[] = [
  {
    of: payments,
    accounts: {
      // A cancel after the capture leaves amount_received as it was (`payments/postings.ts`).
      sales: `case when ${isOneOf(statesThat(statuses, 'undone'))} then 0 else -h.amount_received end`,
      refunds: 'h.amount_refunded',
      disputes: 'h.amount_disputed',
    },
  },
  { of: payouts, accounts: { payouts: `case when ${isOneOf(statesThat(payoutStatuses, 'paid'))} then h.amount else 0 end` } },
]

export type Fault = { merchant_id: string; object_id: string | null; message: string }

const merchantsOf = statement('ledger_merchants', 'select merchant_id from merchants where merchant_id > $1 order by merchant_id limit 100')
const unbalanced = statement(
  'ledger_unbalanced',
  `select c.event_id, c.object_id from changes c where c.merchant_id = $1 and c.posted is not null
    and (select sum(e.value::bigint) from json_each_text(c.posted -> 'entries') e) <> 0`,
)
const key = 'profile_id, merchant_connector_id, currency, account'
/** Balances that differ from the sums of their entries. One statement, so that a service may run meanwhile. */
const balancesOff = statement(
  'ledger_balances_off',
  `with kept as (select ${key}, sum(debit) as debit, sum(credit) as credit from (${withWaiting}) b group by ${key}),
    sums as (${postedTo('(select posted from changes where merchant_id = $1 and posted is not null) c')})
  select concat_ws(' ', account, profile_id, merchant_connector_id, currency) as name, coalesce(k.debit, 0)::text as debit, coalesce(k.credit, 0)::text as credit,
    coalesce(s.debit, 0)::text as debits, coalesce(s.credit, 0)::text as credits
    from kept k full join sums s using (${key}) where k.debit is distinct from s.debit or k.credit is distinct from s.credit order by name`,
)

/** From the entries that are no longer in the outbox. */
const recount = statement(
  'ledger_recount',
  `with sums as (${postedTo(`(select posted from changes x where merchant_id = $1 and posted is not null
      and not exists (select from outbox o where o.merchant_id = $1 and o.kind = x.kind and o.object_id = x.object_id and o.version = x.version)) c`)}),
    keys as (select ${key} from sums union select ${key} from ledger_balances where merchant_id = $1)
  insert into ${ledgerBalances.name} (merchant_id, ${key}, debit, credit)
    select $1, ${key}, coalesce(debit, 0), coalesce(credit, 0) from keys left join sums using (${key}) order by ${key}
    on conflict (merchant_id, ${key}) do update set debit = excluded.debit, credit = excluded.credit`,
)

/** Resources whose entries do not add up to their figures: `off`, by account. */
const heads = figures.map(({ of, accounts }) => {
  const names = Object.keys(accounts) as LedgerAccount[]
  const id = of.key.at(-1)!
  const booked = names.map(name => `sum((c.posted -> 'entries' ->> '${name}')::bigint) as ${name}`).join(', ')
  const off = names.map(name => `'${name}', (${accounts[name]}) - coalesce(b.${name}, 0)`).join(', ')
  return {
    of,
    statement: statement(
      `ledger_off_${of.name}`,
      `with booked as (select c.object_id, ${booked} from changes c where c.merchant_id = $1 and c.kind = '${of.kind}' and c.posted is not null group by 1)
      select ${of.names.map(name => `h.${name}`).join(', ')}, json_build_object(${off}) as off
        from ${of.name} h left join booked b on b.object_id = h.${id}
        where h.merchant_id = $1 and (${names.map(name => `(${accounts[name]}) <> coalesce(b.${name}, 0)`).join(' or ')}) order by h.${id}`,
    ),
  }
})
type Off = { of: Table; row: Row; off: Partial<Record<LedgerAccount, number>> }

export async function* allMerchants(context: Reads): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const found = await context.query<{ merchant_id: string }>(merchantsOf, [last])
    if (found.length === 0) return
    for (const { merchant_id } of found) yield merchant_id
    last = found.at(-1)!.merchant_id
  }
}

/** Entries balance, and add up to the balances and to each resource's figures. A service may run meanwhile. */
export async function prove(context: Reads, merchant_id: string): Promise<Fault[]> {
  const entries = await context.query<{ event_id: string; object_id: string }>(unbalanced, [merchant_id])
  const balances = await context.query<Record<string, string>>(balancesOff, [merchant_id])
  const resources = await offs(context, merchant_id)
  return [
    ...entries.map(({ event_id, object_id }) => ({ merchant_id, object_id, message: `entry ${event_id} does not balance` })),
    ...balances.map(({ name, debit, credit, debits, credits }) => ({
      merchant_id,
      object_id: null,
      message: `balance ${name} has ${debit} debited and ${credit} credited, but its entries sum up to ${debits} and ${credits}`,
    })),
    ...resources.map(({ of, row, off }) => ({
      merchant_id,
      object_id: String(row[of.key.at(-1)!]),
      message: `${of.kind}: its entries are missing ${describe(off)}`,
    })),
  ]
}

const describe = (off: Off['off']): string =>
  Object.entries(off)
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => `${amount} in ${account}`)
    .join(', ')

const offs = async (context: Reads, merchant_id: string): Promise<Off[]> =>
  (
    await Promise.all(
      heads.map(async ({ of, statement }) =>
        (await context.query<Row & Pick<Off, 'off'>>(statement, [merchant_id])).map(({ off, ...row }) => ({ of, row, off })),
      ),
    )
  ).flat()

const MOST_COUNTS = 20

/**
 * Posts what the entries of resources lack (moved before the ledger existed, or under a release without it), and
 * computes the balances anew. Returns how many resources were corrected; `prove` reports what remains.
 */
export async function mend(context: Pick<Context, 'query' | 'commit' | 'by'>, merchant_id: string): Promise<number> {
  const found = await offs(context, merchant_id)
  let mended = 0
  for (const { of, row, off } of found) {
    const change = changeTo(context, of.name, { before: row, after: row }, 'ledger_mended', { posts: lacking(row, off) })
    if ((await context.commit(change)).is === 'written') mended++
  }
  // A concurrent dispatch from the outbox may be overwritten; then the balances are computed once more. After
  // `MOST_COUNTS`, concurrency is not the reason, and they are left to the next run.
  for (let counts = 0; counts < MOST_COUNTS; counts++) {
    await context.query(recount, [merchant_id])
    if ((await context.query(balancesOff, [merchant_id])).length === 0) break
  }
  return mended
}

function lacking(row: Row, off: Off['off']): Posting {
  const entries = Object.entries(off).filter(([, amount]) => amount !== 0)
  const processor = -entries.reduce((sum, [, amount]) => sum + amount, 0)
  return {
    request_id: null,
    profile_id: String(row.profile_id),
    merchant_connector_id: (row.merchant_connector_id as string | null) ?? null,
    currency: String(row.currency),
    entries: Object.fromEntries([...(processor === 0 ? [] : [['processor', processor]]), ...entries]),
  }
}
