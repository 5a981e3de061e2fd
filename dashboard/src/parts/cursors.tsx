import type { ReactElement, ReactNode } from 'react'
import { LIMIT, type View } from '../views'
import { Pages } from './list'

/**
 * Shows buttons for the pages of a list that begin after an id or end before one. The id is a parameter of the page's
 * address.
 */
export function CursorPages({ ids, view, text }: { ids: readonly string[]; view: View; text: ReactNode }): ReactElement {
  const { chosen, filters, show } = view
  const isFull = ids.length === LIMIT
  const hasOlder = isFull || (Boolean(chosen.ending_before) && ids.length > 0)
  const hasNewer = ids.length > 0 && (Boolean(chosen.starting_after) || (Boolean(chosen.ending_before) && isFull))
  return (
    <Pages
      older={hasOlder ? () => show({ ...filters, starting_after: ids.at(-1)! }) : null}
      newer={hasNewer ? () => show({ ...filters, ending_before: ids[0]! }) : null}
      text={text}
    />
  )
}
