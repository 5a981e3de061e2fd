import { useSyncExternalStore } from 'react'
import { userOfTab } from '../session'

// What a person likes to see how, kept in this browser for each person; nothing of what is seen.

const listeners = new Set<() => void>()
const nameOf = (name: string): string => `switchyard ${userOfTab()?.user_id ?? ''} ${name}`

/** A browser may refuse to keep anything: then it is as at first. */
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
    // It lasts as long as this page.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useKept = (name: string): string | null => useSyncExternalStore(subscribe, () => kept(name))
