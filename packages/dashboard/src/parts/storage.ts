import { useSyncExternalStore } from 'react'
import { userOfTab } from '../session'

// Preferences of the signed-in user about how pages look, stored in this browser. No data of the pages are stored.

const listeners = new Set<() => void>()
const keyOf = (name: string): string => `switchyard ${userOfTab()?.user_id ?? ''} ${name}`

/** Returns a stored preference, or null. A browser may refuse storage; then the defaults apply. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), value)
  } catch {
    // Without storage the preference is lost when the page is closed.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useStored = (name: string): string | null => useSyncExternalStore(subscribe, () => stored(name))
