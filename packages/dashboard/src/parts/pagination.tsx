import { Button } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { LIMIT, type ListAddress } from '../list-address'
import { Icon } from './icons'

type Props = { older: (() => void) | null; newer: (() => void) | null; text: ReactNode }

/**
 * Shows buttons for the next and previous page by cursor. No page numbers are shown, because new rows would make them
 * wrong.
 */
export function Pagination({ older, newer, text }: Props): ReactElement {
  return (
    <nav className="foot-bar" aria-label="Pages">
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

type CursorProps = { ids: readonly string[]; address: ListAddress; text: ReactNode; isLast?: boolean }

/** Shows buttons for the pages of a list that begin after an id or end before one. `isLast`: there is no older page. */
export function CursorPagination({ ids, address, text, isLast = false }: CursorProps): ReactElement {
  const { chosen, filters, show } = address
  const isFull = ids.length === LIMIT && !isLast
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

export function OffsetPagination({ total, address, text, isLast = false }: Omit<CursorProps, 'ids'> & { total: number }): ReactElement {
  const { chosen, filters, show } = address
  const at = Number(chosen.offset) || 0
  return (
    <Pagination
      newer={at > 0 ? () => show({ ...filters, offset: at > LIMIT ? String(at - LIMIT) : '' }) : null}
      older={at + LIMIT < total && !isLast ? () => show({ ...filters, offset: String(at + LIMIT) }) : null}
      text={text}
    />
  )
}
