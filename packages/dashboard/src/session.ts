import { useSyncExternalStore } from 'react'
import type { components } from '../.made/interface'

export type User = components['schemas']['User']
export type Permission = User['permissions'][number]

/**
 * The user who is signed in to this browser. The session is a cookie that scripts cannot read. The user's `csrf_token`
 * is sent with every request that changes something. The page stores neither.
 */
export type Session = { user: User | null; isKnown: boolean; why: string | null }

/**
 * Whether the browser sent a session cookie, as the HTML document says. Without a cookie the page does not query the
 * user.
 */
const mayBeSignedIn = document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content !== 'none'

let session: Session = { user: null, isKnown: !mayBeSignedIn, why: null }
const listeners = new Set<() => void>()

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

export const userOfTab = (): User | null => session.user

export const enter = (user: User): void => become({ user, isKnown: true, why: null })

/** Ends the session in this page. `why` is shown above the sign-in form. */
export function leave(why: string | null = null): void {
  if (session.user !== null || !session.isKnown) become({ user: null, isKnown: true, why })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useSession = (): Session => useSyncExternalStore(subscribe, () => session)

/** Whether the role holds for the whole merchant, not only for some of its profiles. */
export const useIsMerchantWide = (): boolean => useSession().user?.profile_ids == null

/**
 * Returns a function that checks a permission against the user's role, or `operator` against the deployment's operator
 * flag. The check only adapts the page; the service enforces permissions.
 */
export const usePermission = (): ((permission: Permission | 'operator') => boolean) => {
  const { user } = useSession()
  return permission => (permission === 'operator' ? user?.operator : user?.permissions.includes(permission)) ?? false
}
