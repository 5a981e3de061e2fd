import { Button, Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import { type Chosen, queryOf } from '../list-address'
import { type Permission, usePermission, useSession } from '../session'
import { Icon } from './icons'
import { type Counts, countOf } from './status-counts'

type Props = {
  of: { path: string; begins?: string }
  filters: Chosen
  needs: Permission
  /** The filter by status, by which the counts are grouped. */
  countedBy?: string | undefined
  counts?: Counts | undefined
}

/** Shows a button that downloads all rows that match the filters as a CSV file. The service streams the file. */
export function Export({ of: { path, begins }, filters, needs, countedBy, counts }: Props): ReactElement {
  const may = usePermission()(needs)
  const { user } = useSession()
  if (!may)
    return (
      <Tooltip label={`Your role, ${user?.role}, does not export what it sees only in part.`}>
        <Button variant="default" data-disabled aria-disabled leftSection={<Icon name="down" />}>
          Export CSV
        </Button>
      </Tooltip>
    )
  const asked = Object.entries(queryOf(filters, begins)).flatMap(([name, value]) => [value].flat().map(one => [name, one]))
  const query = new URLSearchParams(asked).toString()
  const many = countedBy === undefined ? null : countOf(counts, filters[countedBy] ?? '')
  return (
    <Button component="a" href={`${path}/export${query && `?${query}`}`} download variant="default" leftSection={<Icon name="down" />}>
      Export {typeof many === 'number' && many.toLocaleString('en')} CSV
    </Button>
  )
}
