import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Payout } from '../api'
import { plural } from '../format'
import { useLiveList } from '../live'
import { curlOf, EmptyState } from '../parts/empty-state'
import { Export } from '../parts/export'
import { type Filter, Filters } from '../parts/filters'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Money } from '../parts/money'
import { CursorPagination } from '../parts/pagination'
import { Status } from '../parts/status'
import { useCounts } from '../parts/status-counts'
import { Tabs } from '../parts/tabs'
import { Ago } from '../parts/time'
import { useLabels } from '../queries'
import { usePermission } from '../session'
import { familyOfPayout, paidTo, payeeOf } from '../summaries'
import { choicesOf, LIMIT, periods, questionOf, useView } from '../views'

const NewPayout = lazy(() => import('./payouts/new-payout'))

type Query = paths['/payouts/list']['get']['parameters']['query']

const tabs = ['requires_fulfillment', 'pending', 'initiated', 'success', 'failed'].map(status => ({ name: status, values: status }))

function useFilters(): Filter[] {
  const { data } = useQuery({
    queryKey: ['payouts', 'choices'],
    queryFn: () => answer(GET('/payouts/v2/filter')),
    staleTime: 300_000,
  })
  return [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    { name: 'status', label: 'Status', kind: 'any of', choices: choicesOf(data?.status ?? []) },
    { name: 'connector', label: 'Processor', kind: 'any of', choices: choicesOf(Object.keys(data?.connector ?? {})) },
    { name: 'currency', label: 'Currency', kind: 'any of', choices: choicesOf(data?.currency ?? []) },
    { name: 'payout_method', label: 'Method', kind: 'any of', choices: choicesOf(data?.payout_method ?? []) },
    { name: 'customer_id', label: 'Customer', kind: 'text', hint: 'customer_id' },
    { name: 'merchant_order_reference_id', label: 'Order', kind: 'text', hint: 'your order number' },
  ]
}

const none = <span className="faint">–</span>
const columnsWith = (labelOf: ReturnType<typeof useLabels>): Column<Payout>[] => [
  { name: 'Amount', right: true, cell: payout => <Money amount={payout.amount} currency={payout.currency} /> },
  { name: 'Status', cell: payout => <Status status={payout.status} family={familyOfPayout(payout)} /> },
  { name: 'Paid to', cell: payout => paidTo(payout) ?? <span className="faint">not said yet</span> },
  { name: 'Recipient', cell: payout => payeeOf(payout) ?? payout.customer_id ?? none },
  { name: 'Account', wide: true, cell: payout => (payout.connector ? labelOf(payout.merchant_connector_id, payout.connector) : none) },
  { name: 'Order', wide: true, cell: payout => payout.merchant_order_reference_id ?? none },
  { name: 'Id', wide: true, cell: payout => <Id id={payout.payout_id} short /> },
  { name: 'Created', right: true, cell: payout => <Ago at={payout.created} /> },
]

const FIRST = {
  ...{ amount: 9900, currency: 'EUR', confirm: true, payout_type: 'bank' },
  payout_method_data: { bank: { iban: 'DE89370400440532013000', account_holder_name: 'Ada Byron' } },
}

export default function Payouts(): ReactElement {
  const view = useView('/payouts', 'Payouts')
  const filters = useFilters()
  const labelOf = useLabels()
  const mayWrite = usePermission()('payouts:write')
  const counts = useCounts('payouts', view.filters)
  const [isAsking, setAsking] = useState(false)
  const { rows, newer, error, isPlaceholderData, refetch } = useLiveList({
    of: 'payouts',
    key: ['payouts', 'list', view.chosen],
    ask: () => answer(GET('/payouts/list', { params: { query: { ...questionOf(view.chosen), limit: LIMIT } as Query } })),
    rowsOf: found => found.data as Payout[],
    idOf: payout => payout.payout_id,
    isFirst: view.isFirst,
  })
  return (
    <>
      <div className="head">
        <h1>Payouts</h1>
        <div className="acts">
          <Export path="/payouts/export" view={view} needs="customers:personal" countedBy="status" counts={counts} />
          {mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setAsking(true)}>
              New payout
            </Button>
          )}
        </div>
      </div>
      <Tabs to="/payouts" name="status" chosen={view.chosen} tabs={tabs} counts={counts} />
      <Filters filters={filters} chosen={view.chosen} choose={view.choose} every />
      <List
        of="Payouts"
        columns={columnsWith(labelOf)}
        rows={rows}
        newer={newer}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={payout => payout.payout_id}
        to={payout => `/payouts/${payout.payout_id}`}
        empty={
          <EmptyState
            clear={view.isFiltered ? () => view.show({}) : null}
            title="No payouts yet."
            hint="This makes one, which waits to be fulfilled. It needs a connector account of the type payout_processor."
            curl={curlOf('/payouts/create', FIRST)}
          />
        }
        foot={rows && <CursorPagination ids={rows.map(row => row.payout_id)} view={view} text={plural(rows.length, 'payout')} />}
      />
      {isAsking && (
        <Suspense>
          <NewPayout currency={rows?.[0]?.currency ?? 'EUR'} close={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
