import { useSyncExternalStore } from 'react'

/**
 * Who works in this tab: a secret key of test mode. It is kept in the memory of the tab and nowhere else, so a reload
 * asks for it again.
 */
export type Session = { key: string | null; merchant: string | null; why: string | null }

let session: Session = { key: null, merchant: null, why: null }
const listeners = new Set<() => void>()

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

export const keyOfTab = (): string | null => session.key

/** Keeps a key that the service has taken, and the merchant it belongs to where that is known. */
export const signIn = (key: string, merchant: string | null): void => become({ key, merchant, why: null })

/** Signs out; `why` is shown where one signs in again. */
export function forget(why: string | null = null): void {
  if (session.key !== null) become({ key: null, merchant: null, why })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSession = (): Session => useSyncExternalStore(subscribe, () => session)
