import type { AuthenticationDetails } from './authentication-details.ts'
import type { CardTestingConfig } from './card-testing.ts'
import type { ExtendedCardInfoConfig } from './extended-card-info.ts'
import { findProfileOnce, type Merchant } from './merchant.ts'
import type { Blocking } from './payment-method-blocking.ts'
import { isTaxRates, type TaxRates } from './tax-rates.ts'

/** `is`: its type. `by`: who may say it, whose word comes first. `usual`: what holds if nobody does. */
type Setting<T> = { is(value: unknown): value is T; by: readonly ('profile' | 'merchant')[]; usual?: T }

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isLimits = (value: unknown): value is Partial<CardTestingConfig> => typeof value === 'object' && value !== null
const isAuthentication = (value: unknown): value is AuthenticationDetails => typeof value === 'object' && value !== null
const isBlocking = (value: unknown): value is Blocking => typeof value === 'object' && value !== null
const isCardInfo = (value: unknown): value is ExtendedCardInfoConfig =>
  typeof (value as { public_key?: unknown } | null)?.public_key === 'string'
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

/** What the service goes by of all that profiles and merchants say (`Details`); the rest is only kept and shown. */
const profileSettings = {
  merchant_name: { is: isText, by: ['merchant'] },
  /** Where customers go back to. */
  return_url: { is: isText, by: ['profile', 'merchant'] },
  /** Seconds that a payment's session lasts. */
  session_expiry: { is: isNumber, by: ['profile'], usual: 900 },
  /** Is the address that a customer goes back to signed? */
  enable_payment_response_hash: { is: isFlag, by: ['profile'], usual: true },
  /** Do customers go back by a form (POST), and not by a link? */
  redirect_to_merchant_with_http_post: { is: isFlag, by: ['profile'], usual: false },
  /** Is the challenge shown in an iframe of the checkout, unless its payment says otherwise? */
  is_iframe_redirection_enabled: { is: isFlag, by: ['profile'], usual: false },
  /** Is a declined payment tried at another connector account within the same confirm, and how often at most? */
  is_auto_retries_enabled: { is: isFlag, by: ['profile'], usual: false },
  max_auto_retries_enabled: { is: isNumber, by: ['profile'], usual: 1 },
  /** May a failed payment be confirmed again? */
  is_manual_retry_enabled: { is: isFlag, by: ['profile'], usual: false },
  /** Does a checkout ask wallets for addresses? */
  collect_shipping_details_from_wallet_connector: { is: isFlag, by: ['profile'], usual: false },
  collect_billing_details_from_wallet_connector: { is: isFlag, by: ['profile'], usual: false },
  always_collect_shipping_details_from_wallet_connector: { is: isFlag, by: ['profile'], usual: false },
  always_collect_billing_details_from_wallet_connector: { is: isFlag, by: ['profile'], usual: false },
  /**
   * The connectors that authenticate customers apart from the processor. Below: whether every customer is challenged,
   * unless the payment says otherwise.
   */
  authentication_connector_details: { is: isAuthentication, by: ['profile'] },
  force_3ds_challenge: { is: isFlag, by: ['profile'], usual: false },
  /**
   * May a saved card be charged without its customer at another account than the one where that was agreed on, by the
   * network's id?
   */
  is_connector_agnostic_mit_enabled: { is: isFlag, by: ['profile'], usual: false },
  /**
   * Do answers show eight digits of a card, and not six, and is the card given out for a while, encrypted for whom
   * the config says?
   */
  is_extended_card_info_enabled: { is: isFlag, by: ['profile'], usual: false },
  /** What is asked of every hold, unless its payment says otherwise. */
  always_request_extended_authorization: { is: isFlag, by: ['profile'], usual: false },
  always_enable_overcapture: { is: isFlag, by: ['profile'], usual: false },
  /** What is due by where the goods go. */
  tax_rates: { is: isTaxRates, by: ['profile'], usual: [] },
  /** Are processors told what the price is made of (level 2 and 3 data)? */
  is_l2_l3_enabled: { is: isFlag, by: ['profile'], usual: false },
  extended_card_info_config: { is: isCardInfo, by: ['profile'] },
  /** How often confirmations from browsers may fail; what it does not say is as usual. */
  card_testing_guard_config: { is: isLimits, by: ['profile'], usual: {} },
  /** Kinds of cards that the profile takes from no caller. */
  payment_method_blocking: { is: isBlocking, by: ['profile'] },
} as const satisfies Record<
  string,
  | Setting<string>
  | Setting<number>
  | Setting<boolean>
  | Setting<Partial<CardTestingConfig>>
  | Setting<TaxRates>
  | Setting<AuthenticationDetails>
  | Setting<Blocking>
  | Setting<ExtendedCardInfoConfig>
>

type Settings = typeof profileSettings
type Value<N extends keyof Settings> =
  | (Settings[N]['is'] extends (value: unknown) => value is infer T ? T : never)
  | (Settings[N] extends { usual: unknown } ? never : undefined)

/** What holds for this profile of the merchant's. What is not of its type was not said. */
export function profileSetting<N extends keyof Settings>(merchant: Merchant, profile_id: string | null, name: N): Value<N> {
  const setting: Setting<unknown> = profileSettings[name] as Setting<unknown>
  for (const who of setting.by) {
    const speaker = who === 'merchant' ? merchant : findProfileOnce(merchant, profile_id)
    const said = speaker?.details[name]
    if (setting.is(said)) return said as Value<N>
  }
  return setting.usual as Value<N>
}

/** What customers call the merchant. */
export const merchantDisplayName = (merchant: Merchant): string => profileSetting(merchant, null, 'merchant_name') ?? merchant.merchant_id
