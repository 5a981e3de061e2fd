import { forgotten } from '../database/due.ts'
import { flag, int, type RowOf, table, text, time } from '../database/table.ts'

// Short-lived rows without a history: their effects are recorded with the user or the role that they changed.

export type Stage = 'signed_in' | 'totp'

export const userSessions = table('user_sessions', {
  key: ['digest'],
  columns: {
    digest: text(),
    session_id: text(),
    user_id: text(),
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

export type LinkKind = 'first' | 'invite' | 'reset' | 'passkey_new' | 'passkey_in' | 'sso'

export const userLinks = table('user_links', {
  key: ['digest'],
  columns: {
    digest: text(),
    link_id: text(),
    kind: text<LinkKind>('reset'),
    /** `@first` for a first owner, whose account does not exist yet. */
    user_id: text(),
    merchant_id: text(),
    /** The user becomes the operator of the deployment. */
    operator: flag(),
    created: time(),
    expires_at: time(),
  },
})
export type UserLink = RowOf<typeof userLinks>

const signInTries = table('sign_in_tries', { key: ['digest'], columns: { digest: text(), tries: int(), forget_at: time() } })

export type DeviceState = 'waiting' | 'approved' | 'denied'

/** Both codes are stored as keyed digests. */
export const deviceAuthorizations = table('device_authorizations', {
  key: ['digest'],
  columns: {
    digest: text(),
    user_code: text(),
    device_name: text(),
    /** The IP address of the command line. */
    address: text(),
    state: text<DeviceState>('waiting'),
    /** The user who approved it, then the merchant; null while it waits or if it was denied. */
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

export const forgettings = [
  forgotten(userSessions, 'expires_at'),
  forgotten(userLinks, 'expires_at'),
  forgotten(signInTries, 'forget_at'),
  forgotten(deviceAuthorizations, 'forget_at'),
] as const
