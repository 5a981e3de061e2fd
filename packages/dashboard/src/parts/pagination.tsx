import { Button } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { LIMIT, type View } from '../views'
import { Icon } from './icons'

/**
 * Shows buttons for the pages of a list that begin after an id or end before one. The id is a parameter of the page's
 * address.
 */
export function CursorPagination({ ids, view, text }: { ids: readonly string[]; view: View; text: ReactNode }): ReactElement {
  const { chosen, filters, show } = view
  const isFull = ids.length === LIMIT
  const hasOlder = isFull || (Boolean(chosen.ending_before) && ids.length > 0)
  const hasNewer = ids.length > 0 && (Boolean(chosen.starting_after) || (Boolean(chosen.ending_before) && isFull))
  return (
    <Pagination
      older={hasOlder ? () => show({ ...filters, starting_after: ids.at(-1)! }) : null}
      newer={hasNewer ? () => show({ ...filters, ending_before: ids[0]! }) : null}
      text={text}
    />
  )
}

/**
 * Shows buttons for the next and previous page by cursor. No page numbers are shown, because new rows would make them
 * wrong.
 */
export function Pagination({
  older,
  newer,
  text,
}: {
  older: (() => void) | null
  newer: (() => void) | null
  text: ReactNode
}): ReactElement {
  return (
    <nav className="foot-bar" aria-label="Pagination">
      <span className="grow">{text}</span>
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
