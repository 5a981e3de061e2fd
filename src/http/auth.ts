import type { Permission } from '../users/roles.ts'

/**
 * The kinds of credentials that an operation accepts. `client`: a publishable key together with a client_secret, or the
 * SDK's token, which stands for both. `publishable`: either of these, for every object that it opens. `ephemeral`: a
 * key for one customer's browser; the customer must be the `customer_id` of the path. `user`: a signed-in person, and
 * no key. An operation that accepts a secret key, or the admin key for actions that a role allows, accepts a person's
 * session as well.
 */
const kinds = {
  nothing: [],
  user: ['user'],
  secret: ['secret'],
  admin: ['admin'],
  client: ['client'],
  publishable: ['publishable'],
  'secret or admin': ['secret', 'admin'],
  'secret or client': ['secret', 'client'],
  'secret or ephemeral': ['secret', 'ephemeral'],
  'secret, client or ephemeral': ['secret', 'client', 'ephemeral'],
} as const satisfies Record<string, readonly Kind[]>
type Kind = 'user' | 'secret' | 'admin' | 'client' | 'publishable' | 'ephemeral'
export type Credential = keyof typeof kinds

/** The members of requests that name an object of a profile; `profile-access.ts` finds the object. */
export type ProfileObjectId =
  | 'profile_id'
  | 'payment_id'
  | 'payment_link_id'
  | 'refund_id'
  | 'payout_id'
  | 'dispute_id'
  | 'file_id'
  | 'event_id'
  | 'merchant_connector_id'
  | 'endpoint_id'
  | 'routing_algorithm_id'
  | 'algorithm_id'
  | 'approval_id'
  | 'object_id'

/** A permission that a role can have, and a scope that a key can have. */
type MerchantPermission = Exclude<Permission, 'deployment'>

/**
 * The permission that a person, or a key with scopes, needs for an operation, and the scope of the operation. A person
 * whose role holds for some profiles only may call operations of scope `profile`, for objects of these profiles, and
 * none of scope `merchant`.
 */
type Access =
  | { permission: MerchantPermission; scope: 'merchant' }
  | {
      permission: MerchantPermission
      scope: 'profile'
      /** The members of query and body that must name an existing object. Those of the path are known. */
      ids?: readonly ProfileObjectId[]
      /** The object that is looked for within the named object, for the words of the error. */
      within?: string
    }
  /** The account of the person who calls: to be signed in is enough. */
  | { permission: null; scope: 'own' }
  /** The deployment: only its operator. */
  | { permission: 'deployment'; scope: 'deployment' }

/**
 * The callers of an operation, as its entry says. People and keys with scopes have no business with operations for
 * browsers, and a secret key does nothing for the deployment.
 */
export type EntryAuth<T extends Credential> = { credential: T } & (T extends 'nothing' | 'client' | 'publishable'
  ? { permission?: never; scope?: never }
  : T extends 'admin'
    ? Exclude<Access, { scope: 'own' }>
    : Exclude<Access, { scope: 'deployment' }>)

/** The callers of an operation, as the server reads it. `scope`: null for operations that no person can call. */
export type Auth = {
  credential: Credential
  permission: Permission | null
  scope: Access['scope'] | null
  ids: readonly ProfileObjectId[]
  within: string | null
}

export const anyone = { credential: 'nothing' } as const
export const oneself = { credential: 'user', permission: null, scope: 'own' } as const
export const operator = { credential: 'admin', permission: 'deployment', scope: 'deployment' } as const

export const admits = ({ credential }: Pick<Auth, 'credential'>, kind: Kind): boolean =>
  (kinds[credential] as readonly Kind[]).includes(kind)

/** Whether a signed-in person can call an operation at all. */
export const isForPeople = (auth: Pick<Auth, 'credential'>): boolean =>
  admits(auth, 'user') || admits(auth, 'secret') || admits(auth, 'admin')
