import { useSyncExternalStore } from 'react'
import type { components } from '../.made/interface'

export type User = components['schemas']['User']
export type Permission = User['permissions'][number]

/**
 * Who works in this browser. The session itself is a cookie that no script can read; `csrf_token` of the user goes with
 * requests that change something. Nothing of it is kept by this page.
 */
export type Session = { user: User | null; isKnown: boolean; why: string | null }

/** The document says whether the browser has brought a cookie: without one there is nobody to ask about. */
const mayBeSignedIn = document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content !== 'none'

let session: Session = { user: null, isKnown: !mayBeSignedIn, why: null }
const listeners = new Set<() => void>()

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

export const userOfTab = (): User | null => session.user

export const enter = (user: User): void => become({ user, isKnown: true, why: null })

/** Nobody is signed in (any more); `why` is shown where one signs in again. */
export function leave(why: string | null = null): void {
  if (session.user !== null || !session.isKnown) become({ user: null, isKnown: true, why })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSession = (): Session => useSyncExternalStore(subscribe, () => session)

/** Whether the role holds for the whole merchant, and not for some of its profiles only. */
export const useIsWhole = (): boolean => useSession().user?.profile_ids == null

/** Whether the role, or the flag of the deployment's operator, allows this; the service decides. */
export const useMay = (): ((permission: Permission | 'operator') => boolean) => {
  const { user } = useSession()
  return permission => (permission === 'operator' ? user?.operator : user?.permissions.includes(permission)) ?? false
}
