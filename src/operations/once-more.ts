import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { between } from '../base/time.ts'
import type { Destination } from './operation.ts'
import type { Answered } from './verb.ts'

/**
 * Whether, and where, something that ended with a definitive no is tried once more within the same request (contract
 * 3.6). Pure.
 */

/**
 * The caller is answered within 25 s, and what it is answered should be how it ended: later than this after the first
 * attempt no other one begins.
 */
const TIME_FOR_ANOTHER_MS = 15_000

type Tried = Pick<Answered<unknown>, 'merchant' | 'operation' | 'tried' | 'now'>

/** At most as often as the profile allows, and only while the caller waits. */
export function mayTryAgain({ merchant, operation, tried, now }: Tried, profile_id: string): boolean {
  if (!profileSetting(merchant, profile_id, 'is_auto_retries_enabled')) return false
  const all = [...tried, operation]
  if (all.length > profileSetting(merchant, profile_id, 'max_auto_retries_enabled')) return false
  return inTimeForAnother({ operation, tried, now })
}

/** Does the caller still wait for how it ends? */
export const inTimeForAnother = ({ operation, tried, now }: Omit<Tried, 'merchant'>): boolean =>
  between((tried[0] ?? operation).began, now) <= TIME_FOR_ANOTHER_MS

/** Is this a no after which another processor may be asked? Nothing was sent, or the deployment's rule says `retry`. */
export const allowsAnother = ({ outcome, rule }: Pick<Answered<unknown>, 'outcome' | 'rule'>): boolean =>
  outcome.is === 'not_sent' || (outcome.is === 'declined' && rule?.decision === 'retry')

/** The next account of the order that was decided (`Routed`) that has not been tried; null if there is none. */
export function nextUntried({ merchant, operation, tried }: Tried): Destination | null {
  const order = operation.routing?.order ?? []
  const untried = order.find(id => ![...tried, operation].some(({ merchant_connector_id }) => merchant_connector_id === id))
  return accountOf(merchant, untried) ?? null
}

const accountOf = (merchant: Merchant, id: string | undefined) => merchant.connectorAccounts.find(one => one.merchant_connector_id === id)
