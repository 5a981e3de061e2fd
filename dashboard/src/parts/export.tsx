import { Button, Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import { type Permission, useMay, useSession } from '../session'
import { questionOf, type View } from '../views'
import { type Counts, countOf } from './counts'
import { Icon } from './icons'

type Props = {
  /** `/payments/export` */
  path: string
  view: View
  needs: Permission
  /** What the list calls the beginning of a period. */
  begins?: string
  /** How many there are by this filter alone: nothing else tells how long the file will be. */
  countedBy?: string
  counts?: Counts | undefined
}

/** A file of everything that the filters hold of, as the service streams it. */
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
