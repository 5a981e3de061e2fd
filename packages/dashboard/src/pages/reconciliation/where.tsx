import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { Money } from '../../parts/money'
import { type TableColumn, TablePanel } from '../../parts/table'

type Balance = Schemas['LedgerBalance']
type Account = Balance['account']
type Row = { currency: string; of: Partial<Record<Account, number>> }
/** `isCredit`: the account's money is a credit in the ledger. */
type Place = { account: Account; name: string; isCredit?: true; sometimes?: true }

/** The accounts of the ledger between the processor's report and the bank, in the order in which money passes them. */
const places: readonly Place[] = [
  { account: 'settled', name: 'At processors, settled' },
  { account: 'in_transit', name: 'On its way to your bank' },
  { account: 'bank', name: 'At your bank' },
  { account: 'fees', name: 'Kept as fees' },
  { account: 'reserves', name: 'Withheld', sometimes: true },
  { account: 'suspense', name: 'Belongs to nothing', isCredit: true, sometimes: true },
  { account: 'write_offs', name: 'Given up', sometimes: true },
]

/** Sums up the balances of profiles and accounts by currency. */
function rowsOf(balances: readonly Balance[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { currency, account, balance } of balances) {
    const row = rows.get(currency) ?? { currency, of: {} }
    rows.set(currency, row)
    row.of[account] = (row.of[account] ?? 0) + balance
  }
  return [...rows.values()].filter(({ of }) => places.some(({ account }) => of[account])).sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** Shows where the money is that processors have settled: there, on its way, or at the bank. */
export function WherePanel({ merchant_connector_id }: { merchant_connector_id: string | undefined }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['ledger', 'balances', { ...(merchant_connector_id && { merchant_connector_id }) }],
    queryFn: () => answer(GET('/ledger/balances', { params: { query: { ...(merchant_connector_id && { merchant_connector_id }) } } })),
  })
  const rows = data && rowsOf(data.data)
  const shown = places.filter(({ account, sometimes }) => !sometimes || rows?.some(({ of }) => of[account]))
  const columns: TableColumn<Row>[] = [
    { name: 'Currency', look: 'strong', cell: ({ currency }) => currency },
    ...shown.map(({ account, name, isCredit }) => ({
      name,
      right: true,
      cell: ({ of, currency }: Row) => <Money amount={(isCredit ? -1 : 1) * (of[account] ?? 0) || 0} currency={currency} />,
    })),
  ]
  return (
    <TablePanel
      isPaired
      title="Where your money is"
      hint="as the ledger has it"
      asked={{ data: rows, error, refetch }}
      none={<p className="blank">Nothing is settled yet. A processor’s report says what was settled, kept as a fee and paid out.</p>}
      keyOf={({ currency }) => currency}
      columns={columns}
    />
  )
}
