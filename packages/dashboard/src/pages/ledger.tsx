import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type LedgerEntry } from '../api'
import { plural } from '../format'
import { EmptyState } from '../parts/empty-state'
import { Export } from '../parts/export'
import { type Filter, Filters } from '../parts/filters'
import { ObjectLink } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Money } from '../parts/money'
import { CursorPagination } from '../parts/pagination'
import { Ago } from '../parts/time'
import { useChoices, useLabels } from '../queries'
import { choicesOf, LIMIT, periods, questionOf, useView } from '../views'
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
}

/** The interface's name for the start of the period in this list. */
const BEGINS = 'created_after'

function useFilters(): Filter[] {
  const { data } = useChoices()
  const labelled = Object.values(data?.connector ?? {}).flat() as { connector_label: string; merchant_connector_id: string }[]
  return [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    {
      name: 'account',
      label: 'Account',
      kind: 'one of',
      choices: Object.entries(accounts).map(([value, description]) => ({ value, label: `${value}: ${description}` })),
    },
    { name: 'currency', label: 'Currency', kind: 'one of', choices: choicesOf(data?.currency ?? []) },
    {
      name: 'merchant_connector_id',
      label: 'Connector account',
      kind: 'one of',
      choices: labelled.map(({ connector_label, merchant_connector_id }) => ({ value: merchant_connector_id, label: connector_label })),
    },
    { name: 'object_id', label: 'Object', kind: 'text', hint: 'pay_… or pyt_…' },
  ]
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

const columnsWith = (labelOf: ReturnType<typeof useLabels>): Column<LedgerEntry>[] => [
  { name: 'What moved', cell: entry => entry.type.replaceAll('_', ' ') },
  { name: 'Debit', right: true, cell: entry => <Side entry={entry} side="debit" /> },
  { name: 'Credit', right: true, cell: entry => <Side entry={entry} side="credit" /> },
  { name: 'Connector account', wide: true, cell: entry => labelOf(entry.merchant_connector_id, null) },
  { name: 'Object', wide: true, cell: entry => <ObjectLink id={entry.object_id} /> },
  { name: 'When', right: true, cell: entry => <Ago at={entry.created} /> },
]

/** Returns the query parameters. This list accepts only one currency and one connector account at a time. */
const asked = (chosen: ReturnType<typeof useView>['chosen']): Query => {
  const { currency, merchant_connector_id, ...rest } = chosen
  const single = { ...(currency && { currency }), ...(merchant_connector_id && { merchant_connector_id }) }
  return { ...questionOf(rest, BEGINS), ...single } as Query
}

export default function Ledger(): ReactElement {
  const view = useView('/ledger', 'Ledger')
  const labelOf = useLabels()
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['ledger', 'entries', view.chosen],
    queryFn: () => answer(GET('/ledger/entries', { params: { query: { ...asked(view.chosen), limit: LIMIT } } })),
    placeholderData: keepPreviousData,
  })
  const rows = data?.data as LedgerEntry[] | undefined
  const { account, currency, merchant_connector_id } = view.filters
  return (
    <>
      <div className="head">
        <h1>Ledger</h1>
        <div className="acts">
          <Export path="/ledger/export" view={view} needs="ledger:read" begins={BEGINS} />
        </div>
      </div>
      <Filters filters={useFilters()} chosen={view.chosen} choose={view.choose} every />
      <div className="stack">
        <Balances
          account={account as LedgerAccount | undefined}
          asked={{ ...(currency && { currency }), ...(merchant_connector_id && { merchant_connector_id }) }}
        />
        <List
          of="Entries"
          columns={columnsWith(labelOf)}
          rows={rows}
          error={error}
          isStale={isPlaceholderData}
          again={() => void refetch()}
          idOf={entry => entry.entry_id}
          to={entry => `/${entry.object_kind}s/${entry.object_id}`}
          empty={
            <EmptyState
              clear={view.isFiltered ? () => view.show({}) : null}
              title="Nothing is posted yet."
              hint="The first capture, refund, dispute or payout posts an entry, in the same transaction."
              curl={`curl ${location.origin}/ledger/entries -H "api-key: snd_…"`}
            />
          }
          foot={rows && <CursorPagination ids={rows.map(row => row.entry_id)} view={view} text={plural(rows.length, 'entry', 'entries')} />}
        />
      </div>
    </>
  )
}
