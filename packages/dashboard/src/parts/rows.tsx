import { Fragment, type ReactElement, type ReactNode } from 'react'
import { plural } from '../format'
import { Panel } from './details'
import { LoadError } from './load-error'
import { placesIn } from './places'

/** The state of a query for rows: its data, or its error. */
export type Asked<T> = { data: { data: readonly T[] } | undefined; error: unknown; refetch(): unknown }

type Props<T> = {
  title: string
  one: string
  many?: string
  asked: Asked<T>
  none: string
  acts?: ReactNode
  columns: readonly { name: string; cell(row: T): ReactNode; right?: boolean; wide?: boolean }[]
  keyOf(row: T): string
  /** The content that opens beneath a row; null where a row has none. */
  beneath?: (row: T) => ReactNode
}

/** Shows a table in a panel. It shows a text when there are no rows, and an error when they could not be read. */
export function Rows<T>({ title, one, many, asked, none, acts, columns, keyOf, beneath }: Props<T>): ReactElement {
  const rows = asked.data?.data
  const places = placesIn(columns)
  const classes = ({ right, wide }: { right?: boolean; wide?: boolean }) =>
    [right && 'n', wide && 'wide'].filter(Boolean).join(' ') || undefined
  return (
    <Panel title={title} hint={rows && plural(rows.length, one, many)} acts={acts}>
      {asked.error && rows === undefined ? (
        <div className="in">
          <LoadError what={title} error={asked.error} retry={() => void asked.refetch()} />
        </div>
      ) : rows?.length === 0 ? (
        <p className="in muted">{none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw rows" tabIndex={0} aria-label={`${title}, in a table`}>
          <table aria-label={title}>
            <thead>
              <tr>
                {columns.map(column => (
                  <th key={column.name} scope="col" className={classes(column)}>
                    {column.name || <span className="unseen">Actions</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows?.map(row => (
                <Fragment key={keyOf(row)}>
                  <tr>
                    {columns.map((column, n) => (
                      <td key={column.name} className={classes(column)} data-at={places[n]}>
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                  {beneath?.(row) && (
                    <tr className="beneath">
                      <td colSpan={columns.length}>{beneath(row)}</td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
