import { forgotten } from '../database/due.ts'
import { flag, int, type RowOf, table, text, time } from '../database/table.ts'

// What people hold for a while: sessions, links that open one thing once, and their wrong tries. Without history:
// what counts of it is written with the person or the role that it changed.

export type Stage = 'signed_in' | 'totp'

export const userSessions = table('user_sessions', {
  key: ['digest'],
  columns: {
    digest: text(),
    session_id: text(),
    user_id: text(),
    /** The merchant whose data its requests are about. */
    merchant_id: text().orNull(),
    stage: text<Stage>('signed_in'),
    tries: int(),
    address: text().orNull(),
    user_agent: text().orNull(),
    created: time(),
    seen_at: time(),
    expires_at: time(),
  },
})
export type UserSession = RowOf<typeof userSessions>

/** Links that open one thing once, and challenges that are answered once. */
export type LinkKind = 'first' | 'invite' | 'reset' | 'passkey_new' | 'passkey_in' | 'sso'

export const userLinks = table('user_links', {
  key: ['digest'],
  columns: {
    digest: text(),
    link_id: text(),
    kind: text<LinkKind>('reset'),
    /** `@first` for the first owner, who is not known yet. */
    user_id: text(),
    merchant_id: text(),
    /** Does the person who opens it run the deployment? */
    operator: flag(),
    created: time(),
    expires_at: time(),
  },
})
export type UserLink = RowOf<typeof userLinks>

export const signInTries = table('sign_in_tries', { key: ['digest'], columns: { digest: text(), tries: int(), forget_at: time() } })

export type DeviceState = 'waiting' | 'approved' | 'denied'

/** Command lines that ask to be signed in. Both codes are keyed digests. */
export const deviceAuthorizations = table('device_authorizations', {
  key: ['digest'],
  columns: {
    digest: text(),
    user_code: text(),
    /** What the machine calls itself. */
    device_name: text(),
    /** From where it asks. */
    address: text(),
    state: text<DeviceState>('waiting'),
    /** Who has decided, and for which merchant. */
    user_id: text().orNull(),
    merchant_id: text().orNull(),
    interval_s: int(),
    polled_at: time().orNull(),
    created: time(),
    expires_at: time(),
    forget_at: time(),
  },
})
export type DeviceAuthorization = RowOf<typeof deviceAuthorizations>

/** What is over. */
export const forgettings = [
  forgotten(userSessions, 'expires_at'),
  forgotten(userLinks, 'expires_at'),
  forgotten(signInTries, 'forget_at'),
  forgotten(deviceAuthorizations, 'forget_at'),
] as const
