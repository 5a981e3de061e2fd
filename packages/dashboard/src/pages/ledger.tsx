import type { ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type LedgerEntry } from '../api'
import { periods } from '../list-address'
import { AccountName } from '../parts/cells'
import { ObjectLink } from '../parts/id'
import { ListPage, type Resource } from '../parts/list-page'
import { Money } from '../parts/money'
import { Ago } from '../parts/time'
import { Balances } from './ledger/balances'

type Query = NonNullable<paths['/ledger/entries']['get']['parameters']['query']>
export type LedgerAccount = NonNullable<Query['account']>

/** The ledger accounts, described in a few words. */
const accounts: Record<LedgerAccount, string> = {
  processor: 'what processors owe you',
  bank: 'what came to your bank',
  sales: 'captured',
  refunds: 'refunded',
  disputes: 'withheld by disputes',
  payouts: 'paid out',
  fees: 'kept by processors',
  suspense: 'moved, and belongs to nothing',
  settled: 'your balance at processors',
  in_transit: 'on its way to your bank',
  reserves: 'kept back by processors',
  adjustments: 'corrected by processors',
  invoices: 'invoiced by processors',
  conversion: 'exchanged between currencies',
  write_offs: 'given up',
}

/** Shows one side of an entry: its accounts with their amounts. */
function Side({ entry, side }: { entry: LedgerEntry; side: 'debit' | 'credit' }): ReactElement {
  return (
    <>
      {entry.lines
        .filter(line => line[side] > 0)
        .map(line => (
          <span key={line.account} className="row side">
            <span className="muted">{line.account}</span> <Money amount={line[side]} currency={entry.currency} />
          </span>
        ))}
    </>
  )
}

/** Returns the filters that the list and the balances have both. They accept one currency and one connector account. */
const single = ({ currency, merchant_connector_id }: Readonly<Record<string, string>>) => ({
  ...(currency && { currency }),
  ...(merchant_connector_id && { merchant_connector_id }),
})

const ledger: Resource<LedgerEntry, { data: unknown[] }> = {
  title: 'Ledger',
  rowsName: 'Entries',
  path: '/ledger',
  one: 'entry',
  many: 'entries',
  key: 'ledger',
  live: null,
  read: (query, chosen) => answer(GET('/ledger/entries', { params: { query: { ...query, ...single(chosen) } as Query } })),
  begins: 'created_after',
  rowsOf: ({ data }) => data as LedgerEntry[],
  idOf: ({ entry_id }) => entry_id,
  to: ({ object_kind, object_id }) => `/${object_kind}s/${object_id}`,
  columns: [
    { name: 'What moved', cell: entry => entry.type.replaceAll('_', ' ') },
    { name: 'Debit', right: true, cell: entry => <Side entry={entry} side="debit" /> },
    { name: 'Credit', right: true, cell: entry => <Side entry={entry} side="credit" /> },
    { name: 'Connector account', wide: true, cell: ({ merchant_connector_id }) => <AccountName of={{ merchant_connector_id }} /> },
    { name: 'Object', wide: true, cell: entry => <ObjectLink id={entry.object_id} /> },
    { name: 'When', right: true, cell: entry => <Ago at={entry.created} /> },
  ],
  filters: [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    {
      name: 'account',
      label: 'Account',
      kind: 'one of',
      choices: Object.entries(accounts).map(([value, description]) => ({ value, label: `${value}: ${description}` })),
    },
    { name: 'currency', label: 'Currency', kind: 'one of', choices: 'currency' },
    { name: 'merchant_connector_id', label: 'Connector account', kind: 'one of', choices: 'account' },
    { name: 'object_id', label: 'Object', kind: 'text', hint: 'pay_… or pyt_…' },
  ],
  exportNeeds: 'ledger:read',
  empty: {
    title: 'Nothing is posted yet.',
    hint: 'The first capture, refund, dispute or payout posts an entry, in the same transaction.',
    curl: `curl ${location.origin}/ledger/entries -H "api-key: snd_…"`,
  },
}

export default function Ledger(): ReactElement {
  return (
    <ListPage
      of={ledger}
      between={({ filters }) => <Balances account={filters.account as LedgerAccount | undefined} asked={single(filters)} />}
    />
  )
}
