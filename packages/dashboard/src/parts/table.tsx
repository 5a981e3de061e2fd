import { Fragment, type ReactElement, type ReactNode } from 'react'
import { plural } from '../format'
import { type Column, classOf, placesIn } from './columns'
import { Panel } from './details'
import { type Asked, Loaded } from './loaded'
import { Scrollable } from './scrollable'

export type TableColumn<Row> = Column<Row> & {
  /** The classes of the cells: `num`, `mono`, `strong`, `muted`. */
  look?: string
  /** The text that is shown on hover. */
  hint?(row: Row): string | null | undefined
}

type TableProps<Row> = {
  title: string
  /** The name of the region around the table, where several tables have one title. */
  label?: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[] | undefined
  keyOf(row: Row): string
  /** Whether a row has two lines on a telephone. Else the table scrolls sideways. */
  isStacked?: boolean
  /** Whether a row becomes pairs of names and values on a telephone, as a row with several amounts. */
  isPaired?: boolean
  isBusy?: boolean
  isHeadless?: boolean
  className?: string
  /** What a column without a name is for, for screen readers. */
  actions?: string
  /** Whether a row is the one that the page shows more of. */
  isCurrent?(row: Row): boolean
  /** The content that opens beneath a row; null where a row has none. */
  beneath?(row: Row): ReactNode
}

/** Shows rows in a table that has nothing to choose. Lists of objects are a `List`. */
export function Table<Row>(props: TableProps<Row>): ReactElement {
  const {
    title,
    label = `${title}, in a table`,
    columns,
    rows,
    keyOf,
    isStacked,
    isPaired,
    isBusy,
    isHeadless,
    className,
    actions = 'Actions',
    isCurrent,
    beneath,
  } = props
  const places = placesIn(columns)
  return (
    <Scrollable
      label={label}
      className={['tw', isStacked && 'rows', isPaired && 'pairs', isBusy && 'stale'].filter(Boolean).join(' ')}
      isBusy={isBusy ?? false}
    >
      <table aria-label={title} className={className}>
        {!isHeadless && (
          <thead>
            <tr>
              {columns.map(({ name, right, wide }) => (
                <th key={name} scope="col" className={classOf({ right, wide })}>
                  {name || <span className="unseen">{actions}</span>}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows?.map(row => (
            <Fragment key={keyOf(row)}>
              <tr aria-current={isCurrent?.(row) ? 'true' : undefined}>
                {columns.map((column, n) => (
                  <td
                    key={column.name}
                    className={classOf(column)}
                    title={column.hint?.(row) ?? undefined}
                    data-at={isStacked ? places[n] : undefined}
                    data-name={isPaired ? column.name : undefined}
                  >
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
    </Scrollable>
  )
}

type PanelProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  /** The title of the panel, if it is not the table's. */
  heading?: string
  /** The name of a row, for the number of rows; `hint` instead says something else beside the title. */
  one?: string
  many?: string
  hint?: ReactNode
  asked: Asked<readonly Row[]>
  /** The text of a table without rows. */
  none: ReactNode
  acts?: ReactNode
  foot?: ReactNode
}

/** Shows a table in a panel, with a text when there are no rows, and the error when they could not be read. */
export function TablePanel<Row>(props: PanelProps<Row>): ReactElement {
  const { heading = props.title, one, many, hint, asked, none, acts, foot, ...table } = props
  const count = asked.data && one && plural(asked.data.length, one, many)
  return (
    <Panel title={heading} hint={hint ?? count} acts={acts}>
      <Loaded what={heading} asked={asked} isPadded>
        {rows => (rows?.length === 0 ? none : <Table {...table} rows={rows} />)}
      </Loaded>
      {foot}
    </Panel>
  )
}
