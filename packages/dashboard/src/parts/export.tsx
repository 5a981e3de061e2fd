import { Button, Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import { type Permission, usePermission, useSession } from '../session'
import { questionOf, type View } from '../views'
import { Icon } from './icons'
import { type Counts, countOf } from './status-counts'

type Props = {
  /** The path of the export: `/payments/export`. */
  path: string
  view: View
  needs: Permission
  /** The interface's name for the start of the period in this list. */
  begins?: string
  /** The filter by status, by which the counts are grouped. */
  countedBy?: string
  counts?: Counts | undefined
}

/** Shows a button that downloads all rows that match the filters as a CSV file. The service streams the file. */
export function Export({ path, view, needs, begins, countedBy, counts }: Props): ReactElement {
  const may = usePermission()(needs)
  const { user } = useSession()
  const { filters } = view
  if (!may)
    return (
      <Tooltip label={`Your role, ${user?.role}, does not export what it sees only in part.`}>
        <Button variant="default" data-disabled aria-disabled leftSection={<Icon name="down" />}>
          Export CSV
        </Button>
      </Tooltip>
    )
  const query = new URLSearchParams(
    Object.entries(questionOf(filters, begins)).flatMap(([name, value]) => [value].flat().map(one => [name, one] as [string, string])),
  ).toString()
  const many = countedBy === undefined ? null : countOf(counts, filters[countedBy] ?? '')
  return (
    <Button component="a" href={query === '' ? path : `${path}?${query}`} download variant="default" leftSection={<Icon name="down" />}>
      Export {typeof many === 'number' && many.toLocaleString('en')} CSV
    </Button>
  )
}
