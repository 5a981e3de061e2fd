import { ActionIcon } from '@mantine/core'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { usePageKeys } from '../keys'
import { Icon } from './icons'

// The way between a list and what it leads to: its filters, the row one came from, and the neighbours of it.

type Came = { search: Record<string, string>; rows: readonly string[]; opened: string | null }

/** The lists that were shown in this tab, by their place. */
const lists = new Map<string, Came>()

/** A list says what it shows; and gets the row that was opened from it. */
export function useTrail(rows: readonly string[] | undefined): { place: string; opened: string | null } {
  const { pathname, search } = useRouterState({ select: state => state.location })
  const key = rows?.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is what the rows are told apart by
  useEffect(() => {
    if (rows && rows.length > 0)
      lists.set(pathname, { search: search as Record<string, string>, rows, opened: lists.get(pathname)?.opened ?? null })
  }, [pathname, search, key])
  return { place: pathname, opened: lists.get(pathname)?.opened ?? null }
}

/** What a browser's Back comes to after a row was opened has this row in focus. */
let isBack = false
export const cameBack = (): boolean => isBack
export const watchHistory = (subscribe: (told: (how: { action: { type: string } }) => void) => () => void): (() => void) =>
  subscribe(({ action }) => {
    isBack = action.type === 'BACK'
  })

/** Where an object stands in the list one came from. */
function useNeighbours(list: string) {
  const router = useRouter()
  const path = useRouterState({ select: state => state.location.pathname })
  const came = lists.get(list)
  const at = came?.rows.indexOf(path) ?? -1
  useEffect(() => {
    if (came && at >= 0) lists.set(list, { ...came, opened: path })
  }, [came, at, list, path])
  // The list stays one step back, however many neighbours are looked at.
  const go = (by: number) => {
    const to = at < 0 ? undefined : came?.rows[at + by]
    return to === undefined ? null : () => void router.navigate({ to, replace: true })
  }
  return { at, count: came?.rows.length ?? 0, search: came?.search ?? {}, next: go(1), previous: go(-1) }
}

/** Above the head of a detail page: its list, as it was left, and the neighbours there (`j` and `k`). */
export function Trail({ list, name }: { list: string; name: string }): ReactElement {
  const { at, count, search, next, previous } = useNeighbours(list)
  usePageKeys({ ...(next && { j: next }), ...(previous && { k: previous }) })
  return (
    <nav className="trail" aria-label="Where this stands">
      <Link to={list} search={search} className="link">
        {name}
      </Link>
      {at >= 0 && (
        <span className="row">
          <span className="muted num">
            {at + 1} of {count} here
          </span>
          <ActionIcon variant="subtle" size={28} aria-label="Previous" title="k" disabled={!previous} onClick={() => previous?.()}>
            <Icon name="left" />
          </ActionIcon>
          <ActionIcon variant="subtle" size={28} aria-label="Next" title="j" disabled={!next} onClick={() => next?.()}>
            <Icon name="right" />
          </ActionIcon>
        </span>
      )}
    </nav>
  )
}
