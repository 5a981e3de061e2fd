import { Button, Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import { type Permission, useMay, useSession } from '../session'
import { questionOf, type View } from '../views'
import { type Counts, countOf } from './counts'
import { Icon } from './icons'

type Props = {
  /** The path of the export: `/payments/export`. */
  path: string
  view: View
  needs: Permission
  /** The interface's name for the start of the period in this list. */
  begins?: string
  /** The only filter by which the rows can be counted. With any other filter the length of the file is not known. */
  countedBy?: string
  counts?: Counts | undefined
}

/** Shows a button that downloads all rows that match the filters as a CSV file. The service streams the file. */
export function Export({ path, view, needs, begins, countedBy, counts }: Props): ReactElement {
  const may = useMay()(needs)
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
  const others = Object.entries(filters).filter(([name, value]) => value !== '' && name !== 'days' && name !== countedBy)
  const many = countedBy !== undefined && filters.days && others.length === 0 ? countOf(counts, filters[countedBy] ?? '') : null
  return (
    <Button component="a" href={query === '' ? path : `${path}?${query}`} download variant="default" leftSection={<Icon name="down" />}>
      Export {typeof many === 'number' && many.toLocaleString('en')} CSV
    </Button>
  )
}
