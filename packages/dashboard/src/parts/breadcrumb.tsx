import { ActionIcon } from '@mantine/core'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { usePageShortcuts } from '../shortcuts'
import { Icon } from './icons'

// The connection between a list and its detail pages: the list's filters, the opened row, and the neighbors of that
// row.

type Came = { search: Record<string, string>; rows: readonly string[]; opened: string | null }

/** The lists that were shown in this tab, by their path. */
const lists = new Map<string, Came>()

/** Stores the rows that a list shows. Returns the list's path and the row that was last opened from the list. */
export function useListTrail(rows: readonly string[] | undefined): { place: string; opened: string | null } {
  const { pathname, search } = useRouterState({ select: state => state.location })
  const key = rows?.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is what the rows are told apart by
  useEffect(() => {
    if (rows && rows.length > 0)
      lists.set(pathname, { search: search as Record<string, string>, rows, opened: lists.get(pathname)?.opened ?? null })
  }, [pathname, search, key])
  return { place: pathname, opened: lists.get(pathname)?.opened ?? null }
}

/**
 * Whether the page was reached with the browser's Back button. Only then does the list focus the row that was opened.
 */
let isBack = false
export const cameBack = (): boolean => isBack
export const watchHistory = (subscribe: (listener: (how: { action: { type: string } }) => void) => () => void): (() => void) =>
  subscribe(({ action }) => {
    isBack = action.type === 'BACK'
  })

function useNeighbours(list: string) {
  const router = useRouter()
  const path = useRouterState({ select: state => state.location.pathname })
  const came = lists.get(list)
  const at = came?.rows.indexOf(path) ?? -1
  useEffect(() => {
    if (came && at >= 0) lists.set(list, { ...came, opened: path })
  }, [came, at, list, path])
  // The navigation replaces the current page, so the list stays one step back however many neighbors the user opens.
  const go = (by: number) => {
    const to = at < 0 ? undefined : came?.rows[at + by]
    return to === undefined ? null : () => void router.navigate({ to, replace: true })
  }
  return { at, count: came?.rows.length ?? 0, search: came?.search ?? {}, next: go(1), previous: go(-1) }
}

/**
 * Shows the line above the head of a detail page: a link to the list with its filters, and the neighbors in it (`j`
 * and `k`).
 */
export function Breadcrumb({ list, name }: { list: string; name: string }): ReactElement {
  const { at, count, search, next, previous } = useNeighbours(list)
  usePageShortcuts({ ...(next && { j: next }), ...(previous && { k: previous }) })
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
