import type { Permission } from '../users/roles.ts'

/**
 * `client`: a publishable key with a client_secret, or the SDK's token for both. `publishable`: either, for every
 * object that it opens. `ephemeral`: for one customer's browser, the `customer_id` of the path. `user`: a signed-in
 * person, whom operations with a secret key, or the admin key and a permission, accept as well.
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
 * For people and keys with scopes. A person whose role holds for some profiles only may call operations of
 * scope `profile` alone, for these profiles' objects.
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

/** As the entry says. Operations for browsers are not for people, those for the deployment not for secret keys. */
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
