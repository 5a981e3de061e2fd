import { useSyncExternalStore } from 'react'
import { userOfTab } from '../session'

// Preferences of the signed-in user about how pages look, stored in this browser. No data of the pages are stored.

const listeners = new Set<() => void>()
const nameOf = (name: string): string => `switchyard ${userOfTab()?.user_id ?? ''} ${name}`

/** Returns a stored preference, or null. A browser may refuse storage; then the defaults apply. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(nameOf(name))
  } catch {
    return null
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(nameOf(name))
    else localStorage.setItem(nameOf(name), value)
  } catch {
    // Without storage the preference is lost when the page is closed.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useKept = (name: string): string | null => useSyncExternalStore(subscribe, () => kept(name))
