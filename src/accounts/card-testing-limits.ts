import Type, { type TUnsafe } from 'typebox'

/**
 * `card_testing_guard_config` (contract 6.3): how often confirmations from browsers may fail within
 * `card_testing_guard_expiry` seconds. The first four limits are the ecosystem's; those of a payment and of a card
 * range are ours.
 */

const limits = {
  /** One card, one IP network; off, because an address may stand for an office, or for a proxy unknown here. */
  card_ip: { usual: 3, on: false },
  /** One card, used by payers who are not customers of the merchant. */
  guest_user_card: { usual: 10, on: true },
  customer_id: { usual: 5, on: true },
  guest_ip: { usual: 10, on: false },
  /** One payment, for all holders of its client_secret together. */
  client_secret: { usual: 5, on: true },
  /** The same first eight digits; off, because a large shop would decline honest cards. */
  card_bin: { usual: 100, on: false },
} as const

export type LimitName = keyof typeof limits
export const limitNames = Object.keys(limits) as LimitName[]

type Status = 'enabled' | 'disabled'
export type CardTestingConfig = { [N in LimitName as `${N}_blocking_status`]: Status } & {
  [N in LimitName as `${N}_blocking_threshold`]: number
} & { card_testing_guard_expiry: number }

const HOUR = 3600
/** In seconds. */
export const LONGEST_EXPIRY = 7 * 24 * HOUR

const usualCardTesting = {
  ...Object.fromEntries(
    limitNames.flatMap(name => [
      [`${name}_blocking_status`, limits[name].on ? 'enabled' : 'disabled'],
      [`${name}_blocking_threshold`, limits[name].usual],
    ]),
  ),
  card_testing_guard_expiry: HOUR,
} as CardTestingConfig

/** A limit with a threshold of the profile's own is on, unless it is turned off. */
export function cardTestingOf(given: Partial<CardTestingConfig> | undefined): CardTestingConfig {
  const on = limitNames
    .filter(name => given?.[`${name}_blocking_threshold`] !== undefined)
    .map(name => [`${name}_blocking_status`, 'enabled'])
  return { ...usualCardTesting, ...Object.fromEntries(on), ...given }
}

const status = Type.Optional(Type.Enum(['enabled', 'disabled']))
const threshold = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))

/** Members that are left out have their defaults. */
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

/** The schema is built from the names of the limits, so its type is declared. */
export const cardTestingSetting = {
  shape: cardTestingShape as unknown as TUnsafe<Partial<CardTestingConfig>>,
  default: {},
  visibility: 'computed',
} as const
