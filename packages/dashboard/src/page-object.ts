import { useEffect, useRef } from 'react'
import type { IconName } from './parts/icons'
import { copy, copyCurl } from './parts/toast'
import { usePageShortcuts } from './shortcuts'

// The object of a detail page: the palette lists its actions first, `c` copies its id, and `shift C` copies the curl
// command that reads it.

type Act = { name: string; icon: IconName; key?: string; run(): void }
export type PageObject = {
  id: string
  /** The object's name in the palette: `Payment of 249.00 EUR`. */
  name: string
  /** The path of the object in the interface. */
  read: string
  acts?: readonly Act[]
}

const open = new Set<{ current: PageObject | null }>()

/** Returns the object of the page that is shown, or null. */
export const pageObject = (): PageObject | null => [...open].map(({ current }) => current).find(Boolean) ?? null

/**
 * Registers the object that a detail page shows; null until it is loaded. The keys of its actions work while it is
 * shown.
 */
export function usePageObject(object: PageObject | null): void {
  const latest = useRef(object)
  latest.current = object
  useEffect(() => {
    open.add(latest)
    return () => void open.delete(latest)
  }, [])
  const acts = object?.acts?.flatMap(({ key, run }) => (key === undefined ? [] : [[key, run] as const])) ?? []
  usePageShortcuts(
    object === null ? {} : { c: () => copy(object.id, `Copied ${object.id}`), C: () => copyCurl(object.read), ...Object.fromEntries(acts) },
  )
}
