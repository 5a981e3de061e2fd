import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Refund } from '../api'
import { plural } from '../format'
import { useLiveList } from '../live'
import { curlOf, EmptyState } from '../parts/empty-state'
import { Export } from '../parts/export'
import { type Filter, Filters } from '../parts/filters'
import { Id, shortId } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Money } from '../parts/money'
import { CursorPagination } from '../parts/pagination'
import { Status } from '../parts/status'
import { useCounts } from '../parts/status-counts'
import { Tabs } from '../parts/tabs'
import { Ago } from '../parts/time'
import { useChoices, useLabels } from '../queries'
import { choicesOf, LIMIT, periods, questionOf, useView } from '../views'

type Query = paths['/refunds/list']['get']['parameters']['query']

const STATUSES = ['succeeded', 'pending', 'failed', 'review']
const tabs = STATUSES.map(status => ({ name: status, values: status }))

const columnsWith = (labelOf: ReturnType<typeof useLabels>): Column<Refund>[] => [
  { name: 'Amount', right: true, cell: refund => <Money amount={refund.amount} currency={refund.currency} /> },
  { name: 'Status', cell: refund => <Status status={refund.status} /> },
  {
    name: 'Payment',
    cell: refund => (
      <Link to="/payments/$payment_id" params={{ payment_id: refund.payment_id }} className="link mono">
        {shortId(refund.payment_id)}
      </Link>
    ),
  },
  { name: 'Account', cell: refund => labelOf(refund.merchant_connector_id, refund.connector) },
  { name: 'Reason', wide: true, cell: refund => refund.reason ?? <span className="faint">–</span> },
  { name: 'Id', wide: true, cell: refund => <Id id={refund.refund_id} short /> },
  { name: 'Created', right: true, cell: refund => <Ago at={refund.created_at} /> },
]

const filtersOf = (connectors: readonly string[], currencies: readonly string[]): Filter[] => [
  { name: 'days', label: 'Created', kind: 'one of', choices: periods },
  { name: 'refund_status', label: 'Status', kind: 'any of', choices: choicesOf(STATUSES) },
  { name: 'connector', label: 'Processor', kind: 'any of', choices: choicesOf(connectors) },
  { name: 'currency', label: 'Currency', kind: 'any of', choices: choicesOf(currencies) },
  { name: 'payment_id', label: 'Payment', kind: 'text', hint: 'pay_…' },
]

export default function Refunds(): ReactElement {
  const view = useView('/refunds', 'Refunds')
  const labelOf = useLabels()
  const { data: choices } = useChoices()
  const counts = useCounts('refunds', view.filters, 'refund_status')
  const { rows, newer, error, isPlaceholderData, refetch } = useLiveList({
    of: 'refunds',
    key: ['refunds', 'list', view.chosen],
    ask: () => answer(GET('/refunds/list', { params: { query: { ...questionOf(view.chosen), limit: LIMIT } as Query } })),
    rowsOf: ({ data }) => data,
    idOf: refund => refund.refund_id,
    isFirst: view.isFirst,
  })
  return (
    <>
      <div className="head">
        <h1>Refunds</h1>
        <div className="acts">
          <Export path="/refunds/export" view={view} needs="payments:read" countedBy="refund_status" counts={counts} />
        </div>
      </div>
      <Tabs to="/refunds" name="refund_status" chosen={view.chosen} tabs={tabs} counts={counts} />
      <Filters
        filters={filtersOf(Object.keys(choices?.connector ?? {}), choices?.currency ?? [])}
        chosen={view.chosen}
        choose={view.choose}
        every
      />
      <List
        of="Refunds"
        columns={columnsWith(labelOf)}
        rows={rows}
        newer={newer}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={refund => refund.refund_id}
        to={refund => `/refunds/${refund.refund_id}`}
        empty={
          <EmptyState
            clear={view.isFiltered ? () => view.show({}) : null}
            title="No refunds yet."
            hint="A refund begins on the page of its payment."
            curl={curlOf('/refunds', { payment_id: 'pay_…', amount: 5000 })}
          />
        }
        foot={rows && <CursorPagination ids={rows.map(row => row.refund_id)} view={view} text={plural(rows.length, 'refund')} />}
      />
    </>
  )
}
