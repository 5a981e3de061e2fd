import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { Icon } from './icons'
import { Id } from './id'

type Props<Row> = {
  columns: readonly { name: string; cell(row: Row): ReactNode }[]
  row: Row
  id: string
  to: string
  close(): void
}

/**
 * Shows a panel beside the list with all columns of one row. It follows the focus of `j` and `k`, and sends no
 * request.
 */
export function Preview<Row>({ columns, row, id, to, close }: Props<Row>): ReactElement {
  return (
    <aside className="preview" aria-label="Preview">
      <header>
        <Id id={id} />
        <ActionIcon variant="subtle" size={28} aria-label="Close" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </header>
      <dl className="kv">
        {columns.map(({ name, cell }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{cell(row)}</dd>
          </div>
        ))}
      </dl>
      <Link to={to} className="link">
        Open
      </Link>
    </aside>
  )
}
