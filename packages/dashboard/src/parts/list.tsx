import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Newer } from '../live'
import { useListTrail } from './breadcrumb'
import { type Column, classOf, placesIn } from './columns'
import { Icon } from './icons'
import { useReturn, useRowKeys, useSideways } from './list-keys'
import { ListTools, useColumns, useHeight } from './list-tools'
import { LoadError } from './load-error'
import { Preview } from './preview'
import { copy } from './toast'

type Props<Row> = {
  /** The plural name of the objects: `payments`. */
  of: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  error: unknown
  /** Whether the rows of the previous filters are still shown. */
  isStale: boolean
  retry(): void
  idOf(row: Row): string
  /** Returns the address that a row links to. */
  to(row: Row): string
  /** The content of a list without rows. */
  empty: ReactNode
  foot?: ReactNode
  /** Rows that came after the list was read, if any. */
  newer?: Newer | null
}

/**
 * Shows a button with the number of new rows that are not shown yet. They are added only with a click, so that the
 * list does not jump.
 */
function NewerRows({ newer }: { newer: Newer | null | undefined }): ReactElement {
  return (
    <div role="status">
      {newer && (
        <button type="button" className="newer" onClick={newer.load}>
          <Icon name="up" size={12} /> {newer.count} newer
        </button>
      )}
    </div>
  )
}

/** Placeholders of four widths. */
const bones = ['bone', 'bone w1', 'bone w2', 'bone w3']

/**
 * Shows placeholders for rows that take longer than 200 ms to load. Before that nothing is shown, so that nothing
 * flashes or moves.
 */
function Skeleton({ columns }: { columns: readonly { name: string; right?: boolean; wide?: boolean }[] }): ReactElement | null {
  const [isLate, setLate] = useState(false)
  const places = placesIn(columns)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <tbody aria-hidden="true">
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing have no other name
        <tr key={row}>
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <td key={at} className={classOf(column)} data-at={places[at]}>
              {isLate && <span className={bones[(row + at * 2) % 4]} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

type RowProps<Row> = { row: Row; at: number; to: string; columns: readonly Column<Row>[]; isMarked: boolean; focused(): void }

function RowOf<Row>({ row, at, to, columns, isMarked, focused }: RowProps<Row>): ReactElement {
  const navigate = useNavigate()
  const places = placesIn(columns)
  return (
    <tr
      className="go"
      aria-rowindex={at + 2}
      data-marked={isMarked || undefined}
      onFocus={focused}
      onClick={event => {
        if (!(event.target as Element).closest('a, button') && !getSelection()?.toString()) void navigate({ to })
      }}
    >
      {columns.map((column, n) => (
        <td key={column.name} className={classOf(column)} data-at={places[n]}>
          {n === 0 ? (
            <Link to={to} className="row-link">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

function Marked({ ids, clear }: { ids: readonly string[]; clear(): void }): ReactElement | null {
  if (ids.length === 0) return null
  return (
    <p className="foot-bar" role="status">
      <span className="grow">{ids.length} marked</span>
      <Button variant="default" size="xs" onClick={() => copy(ids.join('\n'), `Copied ${ids.length} ids`)}>
        Copy their ids
      </Button>
      <Button variant="default" size="xs" onClick={clear}>
        Mark none
      </Button>
    </p>
  )
}

export function List<Row>({ of, columns, rows, error, isStale, retry, idOf, to, empty, foot, newer }: Props<Row>): ReactElement {
  const { shown, isChosen, choose } = useColumns(of, columns)
  const height = useHeight()
  const box = useRef<HTMLDivElement>(null)
  const tos = rows?.map(to)
  const { opened } = useListTrail(tos)
  const { marked, clear, previewed, close, follow, hear: onKeyDown } = useRowKeys(rows, idOf)
  const isSideways = useSideways(box, `${rows === undefined} ${shown.length}`)
  useReturn(box, opened, tos)
  if (error && rows === undefined) return <LoadError what={of} error={error} retry={retry} />
  if (rows?.length === 0 && !isStale)
    return (
      <div className="panel">
        <NewerRows newer={newer} />
        {empty}
      </div>
    )
  const names = (some: readonly Column<Row>[]) => some.slice(1).map(({ name }) => name)
  return (
    <div className="list">
      <ListTools height={height} all={names(columns)} shown={names(shown)} isChosen={isChosen} choose={choose} />
      <div className="panel" data-rows={height}>
        <NewerRows newer={newer} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys go from link to link; the links are what one uses */}
        <div
          className={`tw ${isStale ? 'stale' : ''}`}
          ref={box}
          data-scroll-restoration-id={`list of ${of}`}
          data-sideways={(isSideways && rows !== undefined) || undefined}
          onKeyDown={onKeyDown}
          aria-busy={rows === undefined || isStale}
        >
          <table aria-label={of} aria-rowcount={-1}>
            <thead>
              <tr aria-rowindex={1}>
                {shown.map(column => (
                  <th key={column.name} scope="col" className={classOf(column)}>
                    {column.name}
                  </th>
                ))}
              </tr>
            </thead>
            {rows === undefined ? (
              <Skeleton columns={shown} />
            ) : (
              <tbody>
                {rows.map((row, at) => (
                  <RowOf
                    key={idOf(row)}
                    {...{ row, at, columns: shown }}
                    to={to(row)}
                    isMarked={marked.has(idOf(row))}
                    focused={() => follow(idOf(row))}
                  />
                ))}
              </tbody>
            )}
          </table>
        </div>
        <Marked ids={[...marked]} clear={clear} />
        {foot}
      </div>
      {previewed !== undefined && <Preview columns={columns} row={previewed} to={to(previewed)} id={idOf(previewed)} close={close} />}
    </div>
  )
}
