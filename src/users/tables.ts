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

/** What is over. */
export const forgettings = [
  forgotten(userSessions, 'expires_at'),
  forgotten(userLinks, 'expires_at'),
  forgotten(signInTries, 'forget_at'),
] as const
