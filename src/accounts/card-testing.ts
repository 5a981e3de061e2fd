import Type, { type TUnsafe } from 'typebox'

/**
 * Limits against card testing, as profiles say them (`card_testing_guard_config`, contract 6.3): how often
 * confirmations from browsers may fail within `card_testing_guard_expiry` seconds. The first four are the
 * ecosystem's; a payment's own and a card range's are ours.
 */

const limits = {
  /**
   * One card from one network. Off unless it is said, and so is the other limit by network: behind one address there
   * may be a whole office, or a proxy that was not named.
   */
  card_ip: { usual: 3, on: false },
  /** One card of guests, who are not customers of the merchant. */
  guest_user_card: { usual: 10, on: true },
  /** One customer. */
  customer_id: { usual: 5, on: true },
  /** One network of guests. */
  guest_ip: { usual: 10, on: false },
  /** One payment: all holders of its client_secret. */
  client_secret: { usual: 5, on: true },
  /**
   * Cards that begin with the same eight digits. Off unless it is said: how many of them honest customers see
   * declined, depends on how large the shop is.
   */
  card_bin: { usual: 100, on: false },
} as const

export type LimitName = keyof typeof limits
export const limitNames = Object.keys(limits) as LimitName[]

type Status = 'enabled' | 'disabled'
export type CardTestingConfig = { [N in LimitName as `${N}_blocking_status`]: Status } & {
  [N in LimitName as `${N}_blocking_threshold`]: number
} & { card_testing_guard_expiry: number }

const HOUR = 3600
/** Failures are remembered no longer than this, in seconds. */
export const LONGEST_EXPIRY = 7 * 24 * HOUR

/** What holds where a profile says nothing. */
const usualCardTesting = {
  ...Object.fromEntries(
    limitNames.flatMap(name => [
      [`${name}_blocking_status`, limits[name].on ? 'enabled' : 'disabled'],
      [`${name}_blocking_threshold`, limits[name].usual],
    ]),
  ),
  card_testing_guard_expiry: HOUR,
} as CardTestingConfig

/** What holds with what a profile says: a limit of which it says how many is on, unless it says otherwise. */
export function cardTestingOf(said: Partial<CardTestingConfig> | undefined): CardTestingConfig {
  const on = limitNames
    .filter(name => said?.[`${name}_blocking_threshold`] !== undefined)
    .map(name => [`${name}_blocking_status`, 'enabled'])
  return { ...usualCardTesting, ...Object.fromEntries(on), ...said }
}

const status = Type.Optional(Type.Enum(['enabled', 'disabled']))
const threshold = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))

/** As requests say it: what is left out is as usual. */
const cardTestingShape = Type.Object(
  {
    ...Object.fromEntries(
      limitNames.flatMap(name => [
        [`${name}_blocking_status`, status],
        [`${name}_blocking_threshold`, threshold],
      ]),
    ),
    card_testing_guard_expiry: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LONGEST_EXPIRY, description: `Seconds; default ${HOUR}` }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Limits on failed confirmations from browsers; further confirmations are refused. The limits by network (`card_ip`, `guest_ip`) and by card range (`card_bin`) are off unless they are enabled or have a threshold. In test mode, callers on the same machine are not limited.',
  },
)

/** As a setting of a profile. Its members are made of the names of limits, which the type of the shape does not see. */
export const cardTestingSetting = {
  is: cardTestingShape as unknown as TUnsafe<Partial<CardTestingConfig>>,
  usual: {},
  shown: 'otherwise',
} as const
