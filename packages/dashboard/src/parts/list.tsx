import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactElement, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Newer } from '../live'
import { areLettersOn } from '../shortcuts'
import { cameBack, useListTrail } from './breadcrumb'
import { Icon } from './icons'
import { readOf } from './id'
import { ListTools, useColumns, useHeight } from './list-view'
import { LoadError } from './load-error'
import { placesIn } from './places'
import { Preview } from './preview'
import { copy, copyCurl } from './toast'

export type Column<Row> = {
  name: string
  cell(row: Row): ReactNode
  /** Whether the column is aligned right, as amounts and times are. */
  right?: boolean
  /** Whether the column is shown only on wide screens. */
  wide?: boolean
}

type Props<Row> = {
  /** The plural name of the objects: `payments`. */
  of: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  error: unknown
  /** Whether the rows of the previous filters are still shown. */
  isStale: boolean
  again(): void
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

const classOf = ({ right, wide }: { right?: boolean; wide?: boolean }): string | undefined =>
  [right && 'n', wide && 'wide'].filter(Boolean).join(' ') || undefined

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
              {isLate && <span className={`bone w${(row + at * 2) % 4}`} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** Whether the table is wider than its place. Only then does it get a box of its own that scrolls sideways. */
function useSideways(box: RefObject<HTMLDivElement | null>, what: unknown): boolean {
  const [isSideways, setSideways] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns and rows have another width
  useLayoutEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (!element || !table) return
    const look = () => setSideways(table.offsetWidth > element.clientWidth + 1)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    observer.observe(table)
    look()
    return () => observer.disconnect()
  }, [box, what])
  return isSideways
}

const linksOf = (box: HTMLElement): HTMLAnchorElement[] => [...box.querySelectorAll<HTMLAnchorElement>('a.row-link')]

/** Returns the index of the row that has or contains the focus, or -1. */
const rowIn = (box: HTMLElement): number =>
  linksOf(box).findIndex(link => link === document.activeElement || link.closest('tr')?.contains(document.activeElement))

/** Handles the shortcuts of a list while one of its rows has the focus: open, mark, copy, preview. */
function useRowKeys<Row>(rows: readonly Row[] | undefined, idOf: (row: Row) => string) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [previewed, setPreviewed] = useState<string | null>(null)
  const last = useRef(0)
  const mark = (from: number, to: number, isOn: boolean) => {
    const next = new Set(marked)
    for (const row of (rows ?? []).slice(Math.min(from, to), Math.max(from, to) + 1)) next[isOn ? 'add' : 'delete'](idOf(row))
    setMarked(next)
    last.current = to
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { key } = event
    const isLetter = key.length === 1
    if (event.ctrlKey || event.metaKey || event.altKey || (isLetter && !areLettersOn())) return
    const box = event.currentTarget
    const links = linksOf(box)
    const at = rowIn(box)
    const row = rows?.[at]
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
    const focus = (to: number) => {
      links[to]?.focus({ preventScroll: true })
      links[to]?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    }
    const id = row === undefined ? '' : idOf(row)
    const acts: Record<string, () => void> = {
      ...(by !== undefined && { [key]: () => focus(Math.max(0, Math.min(links.length - 1, at + by))) }),
      ...(row !== undefined && {
        o: () => void window.open(links[at]!.href, '_blank', 'noreferrer'),
        x: () => mark(at, at, !marked.has(id)),
        X: () => mark(last.current, at, true),
        c: () => copy(id, `Copied ${id}`),
        C: () => copyCurl(readOf(id) ?? links[at]!.pathname),
      }),
      ...(row !== undefined && document.activeElement === links[at] && { ' ': () => setPreviewed(previewed === id ? null : id) }),
      ...(previewed !== null && { Escape: () => setPreviewed(null) }),
    }
    if (!acts[key]) return
    event.preventDefault()
    acts[key]()
  }
  const follow = (id: string) => void (previewed !== null && setPreviewed(id))
  const clear = () => setMarked(new Set())
  return { marked, clear, previewed: rows?.find(row => idOf(row) === previewed), close: () => setPreviewed(null), follow, hear: onKeyDown }
}

/** Focuses the row that was opened before, when the user comes back to the list. */
function useReturn(box: RefObject<HTMLDivElement | null>, opened: string | null, tos: readonly string[] | undefined): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || tos === undefined || box.current === null) return
    isDone.current = true
    const at = opened !== null && cameBack() ? tos.indexOf(opened) : -1
    if (at >= 0) linksOf(box.current)[at]?.focus({ preventScroll: true })
  }, [box, opened, tos])
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

/** Shows a bar with the number of marked rows and the actions for them. */
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

/** Shows a list of objects, sorted, filtered and paged by the service. */
export function List<Row>({ of, columns, rows, error, isStale, again, idOf, to, empty, foot, newer }: Props<Row>): ReactElement {
  const { shown, isChosen, choose } = useColumns(of, columns)
  const height = useHeight()
  const box = useRef<HTMLDivElement>(null)
  const tos = rows?.map(to)
  const { opened } = useListTrail(tos)
  const { marked, clear, previewed, close, follow, hear: onKeyDown } = useRowKeys(rows, idOf)
  const isSideways = useSideways(box, `${rows === undefined} ${shown.length}`)
  useReturn(box, opened, tos)
  if (error && rows === undefined) return <LoadError what={of} error={error} retry={again} />
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
