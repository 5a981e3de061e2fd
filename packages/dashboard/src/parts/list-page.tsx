import { Button } from '@mantine/core'
import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { plural } from '../format'
import { type Chosen, LIMIT, type ListAddress, type Query, queryOf, useListAddress } from '../list-address'
import { type Kind, type Newer, useLiveList } from '../live'
import { type Permission, usePermission } from '../session'
import type { Column } from './columns'
import { EmptyState } from './empty-state'
import { Export } from './export'
import { type Filter, Filters } from './filters'
import { Icon } from './icons'
import { List } from './list'
import { PageHead } from './page-head'
import { CursorPagination, OffsetPagination } from './pagination'
import { type Counted, type Counts, useStatusCounts } from './status-counts'
import { type Tab, Tabs } from './tabs'

/** What the page of a list shows, whichever way its rows are read. */
export type ListLook<Row> = {
  title: string
  path: string
  /** The plural name of the rows, if it is not the title. */
  rowsName?: string
  idOf(row: Row): string
  /** Returns the address that a row links to. */
  to(row: Row): string
  columns: readonly Column<Row>[]
  filters: readonly Filter[]
  /** The page without rows: why it is empty, and how a first row comes about. `elsewhere`: rows outside the period. */
  empty: { title: string; hint?: ReactNode; curl?: string; action?: ReactNode; elsewhere?(address: ListAddress): ReactNode }
}

/** The list of a resource: how its rows are read, and how they are shown. */
export type Resource<Row, Answer = unknown> = ListLook<Row> & {
  /** The name of a row in the number of rows: `refund`. */
  one: string
  many?: string
  /** The first part of the list's query key, by which changes make it stale. */
  key: string
  /** The objects whose events say that the list has changed; null if it has none. */
  live: Kind | 'everything' | null
  read(query: Query, chosen: Chosen): Promise<Answer>
  rowsOf(answer: Answer): readonly Row[]
  /** Returns the number of rows on all pages. With `isByOffset` pages are counted from the first row. */
  totalOf?(answer: Answer): number
  isByOffset?: true
  /** Whether no page follows, whatever the number of rows. */
  isLast?(chosen: Chosen): boolean
  /** Returns the filters after one was chosen, if others end with it. */
  chosenWith?(filters: Chosen, name: string, value: string): Chosen
  /** The interface's name for the start of the period, if it is not `start_time`. */
  begins?: string
  /** The tabs: the filter that they set, and whose statuses are counted. */
  tabs?: { filter: string; counted: Counted; tabs: readonly Tab[] }
  /** The permission to export the list as CSV, at `{path}/export`; none if it has no export. */
  exportNeeds?: Permission
}

type LookProps<Row> = {
  of: ListLook<Row>
  address: ListAddress
  rows: readonly Row[] | undefined
  newer: Newer | null
  error: unknown
  isPlaceholderData: boolean
  refetch(): unknown
  acts?: ReactNode
  sub?: ReactNode
  /** What stands between the head and the filters: a note, tabs. */
  above?: ReactNode
  /** What stands between the filters and the rows. */
  between?: ReactNode
  /** Whether parameters of the address without a filter of their own are chips too. */
  areAllFilters?: boolean
  pagination: ReactNode
}

/** Shows the page of a list: head, filters, rows, pages. */
export function ListLayout<Row>(props: LookProps<Row>): ReactElement {
  const { of, address, rows, newer, error, isPlaceholderData, refetch, acts, sub, above, between, areAllFilters = true, pagination } = props
  const { title, hint, curl, action, elsewhere } = of.empty
  const list = (
    <List
      of={of.rowsName ?? of.title}
      columns={of.columns}
      rows={rows}
      newer={newer}
      error={error}
      isStale={isPlaceholderData}
      retry={() => void refetch()}
      idOf={of.idOf}
      to={of.to}
      empty={
        <EmptyState
          clear={address.isFiltered ? () => address.show({}) : null}
          elsewhere={elsewhere?.(address)}
          title={title}
          hint={hint}
          curl={curl}
        >
          {action}
        </EmptyState>
      }
      foot={rows && pagination}
    />
  )
  return (
    <>
      <PageHead title={of.title} sub={sub} acts={acts} />
      {above}
      <Filters filters={of.filters} chosen={address.chosen} choose={address.choose} every={areAllFilters} />
      {between === undefined ? (
        list
      ) : (
        <div className="stack">
          {between}
          {list}
        </div>
      )}
    </>
  )
}

type Create<Row> = { label: string; needs: Permission; dialog(rows: readonly Row[], close: () => void): ReactElement }

/** Shows a button that opens the dialog for a new object. */
function CreateButton<Row>({ of: { label, needs, dialog }, rows }: { of: Create<Row>; rows: readonly Row[] }): ReactElement | null {
  const may = usePermission()(needs)
  const [isOpen, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense>{isOpen && dialog(rows, () => setOpen(false))}</Suspense>
    </>
  )
}

type Props<Row, Answer> = {
  of: Resource<Row, Answer>
  create?: Create<Row>
  note?: ReactNode
  sub?(counts: Counts | undefined, chosen: Chosen): ReactNode
  between?(address: ListAddress): ReactNode
}

/** Shows the page of a resource's list. What differs between resources is in their `Resource`. */
export function ListPage<Row, Answer>({ of, create, note, sub, between }: Props<Row, Answer>): ReactElement {
  const { tabs, exportNeeds, one, many } = of
  const found = useListAddress(of.path)
  const { chosen, filters, show } = found
  const address = of.chosenWith ? { ...found, choose: (name: string, value: string) => show(of.chosenWith!(filters, name, value)) } : found
  const counts = useStatusCounts(tabs?.counted ?? null, filters, tabs?.filter)
  const { data, rows, ...list } = useLiveList({
    of: of.live,
    key: [of.key, 'list', chosen],
    ask: () => of.read({ ...queryOf(chosen, of.begins), limit: String(LIMIT) }, chosen),
    rowsOf: of.rowsOf,
    idOf: of.idOf,
    isFirst: address.isFirst,
  })
  const total = data === undefined ? 0 : (of.totalOf?.(data) ?? rows?.length ?? 0)
  const pages = { address, text: plural(total, one, many), isLast: of.isLast?.(chosen) ?? false }
  return (
    <ListLayout
      of={of}
      {...{ address, rows, ...list }}
      sub={sub?.(counts, chosen)}
      acts={
        (exportNeeds || create) && (
          <>
            {exportNeeds && <Export of={of} needs={exportNeeds} filters={filters} countedBy={tabs?.filter} counts={counts} />}
            {create && <CreateButton of={create} rows={rows ?? []} />}
          </>
        )
      }
      above={
        <>
          {note}
          {tabs && <Tabs to={of.path} name={tabs.filter} chosen={chosen} tabs={tabs.tabs} counts={counts} />}
        </>
      }
      between={between?.(address)}
      pagination={
        of.isByOffset ? <OffsetPagination {...pages} total={total} /> : <CursorPagination {...pages} ids={(rows ?? []).map(of.idOf)} />
      }
    />
  )
}
