import { useEffect, useRef } from 'react'
import { usePageKeys } from './keys'
import type { IconName } from './parts/icons'
import { copy, copyCurl } from './parts/toast'

// What a detail page is about: the palette begins with it, `c` copies its id, `shift C` the curl that reads it.

type Act = { name: string; icon: IconName; key?: string; run(): void }
export type PageObject = {
  id: string
  /** `Payment of 249.00 EUR`. */
  name: string
  /** Where the interface has it. */
  read: string
  acts?: readonly Act[]
}

const open = new Set<{ current: PageObject | null }>()

/** The object of the page that is shown, if it has one. */
export const pageObject = (): PageObject | null => [...open].map(({ current }) => current).find(Boolean) ?? null

/** A detail page says what it shows; null until it is there. Keys of its acts work while it is shown. */
export function usePageObject(object: PageObject | null): void {
  const latest = useRef(object)
  latest.current = object
  useEffect(() => {
    open.add(latest)
    return () => void open.delete(latest)
  }, [])
  const acts = object?.acts?.flatMap(({ key, run }) => (key === undefined ? [] : [[key, run] as const])) ?? []
  usePageKeys(
    object === null ? {} : { c: () => copy(object.id, `Copied ${object.id}`), C: () => copyCurl(object.read), ...Object.fromEntries(acts) },
  )
}
