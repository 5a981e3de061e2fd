import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import type { Newer } from '../live'
import { Failed } from './failed'
import { Icon } from './icons'

export type Column<Row> = {
  name: string
  cell(row: Row): ReactNode
  /** Amounts and times stand right. */
  right?: boolean
  /** Shown only where there is room. */
  wide?: boolean
}

type Props<Row> = {
  /** What is listed: `payments`. */
  of: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  error: unknown
  /** Rows of the filters before are still shown. */
  isStale: boolean
  again(): void
  idOf(row: Row): string
  /** Where a row leads. */
  to(row: Row): string
  /** What is said where there is none. */
  empty: ReactNode
  foot?: ReactNode
  /** What has come since, if anything. */
  newer?: Newer | null
}

/** Rows that are there by now and not shown yet: a list does not jump. */
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

/** Rows as they will stand, once it is clear that they take a while: nothing flashes, nothing moves. */
function Skeleton({ columns }: { columns: readonly { wide?: boolean }[] }): ReactElement | null {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <tbody aria-hidden="true">
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing have no other name
        <tr key={row}>
          {columns.map(({ wide }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <td key={at} className={wide ? 'wide' : undefined}>
              {isLate && <span className={`bone w${(row + at * 2) % 4}`} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** `j` and `k` go from row to row, as the arrows do. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a.row-link')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  const next = links[Math.max(0, Math.min(links.length - 1, at + by))]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** A list of objects: sorted, filtered and paged by the service. */
export function List<Row>({ of, columns, rows, error, isStale, again, idOf, to, empty, foot, newer }: Props<Row>): ReactElement {
  const navigate = useNavigate()
  if (error && rows === undefined) return <Failed what={of} error={error} again={again} />
  if (rows?.length === 0 && !isStale)
    return (
      <div className="panel">
        <NewerRows newer={newer} />
        {empty}
      </div>
    )
  return (
    <div className="panel">
      <NewerRows newer={newer} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys go from link to link; the links are what one uses */}
      <div className={`tw ${isStale ? 'stale' : ''}`} onKeyDown={walk} aria-busy={rows === undefined || isStale}>
        <table aria-label={of}>
          <thead>
            <tr>
              {columns.map(({ name, right, wide }) => (
                <th key={name} scope="col" className={[right && 'n', wide && 'wide'].filter(Boolean).join(' ') || undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          {rows === undefined ? (
            <Skeleton columns={columns} />
          ) : (
            <tbody>
              {rows.map(row => (
                <tr
                  key={idOf(row)}
                  className="go"
                  onClick={event => {
                    if (!(event.target as Element).closest('a, button') && !getSelection()?.toString()) void navigate({ to: to(row) })
                  }}
                >
                  {columns.map(({ name, cell, right, wide }, at) => (
                    <td key={name} className={[right && 'n', wide && 'wide'].filter(Boolean).join(' ') || undefined}>
                      {at === 0 ? (
                        <Link to={to(row)} className="row-link">
                          {cell(row)}
                        </Link>
                      ) : (
                        cell(row)
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          )}
        </table>
      </div>
      {foot}
    </div>
  )
}

/** Pages by cursor: nobody is told a number of pages that is not true any more. */
export function Pages({ older, newer, says }: { older: (() => void) | null; newer: (() => void) | null; says: ReactNode }): ReactElement {
  return (
    <nav className="foot-bar" aria-label="Pages">
      <span className="grow">{says}</span>
      <Button variant="default" size="xs" disabled={newer === null} onClick={() => newer?.()} leftSection={<Icon name="left" size={12} />}>
        Newer
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={older === null}
        onClick={() => older?.()}
        rightSection={<Icon name="right" size={12} />}
      >
        Older
      </Button>
    </nav>
  )
}
