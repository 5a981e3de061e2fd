import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { between } from '../base/time.ts'
import type { Destination } from './operation.ts'
import type { Answered } from './verb.ts'

/** Whether and where an operation is retried after a definitive no, in the same request (contract 3.6). Pure. */

/** How long after the first attempt another may begin: the caller is answered within 25 s, finally if possible. */
const TIME_FOR_ANOTHER_MS = 15_000

type Tried = Pick<Answered<unknown>, 'merchant' | 'operation' | 'tried' | 'now'>

/** Whether another attempt may begin: within the profile's limit of retries, and only while the caller waits. */
export function mayTryAgain({ merchant, operation, tried, now }: Tried, profile_id: string): boolean {
  if (!profileSetting(merchant, profile_id, 'is_auto_retries_enabled')) return false
  const all = [...tried, operation]
  if (all.length > profileSetting(merchant, profile_id, 'max_auto_retries_enabled')) return false
  return inTimeForAnother({ operation, tried, now })
}

/** Whether the caller still waits for the final result. */
export const inTimeForAnother = ({ operation, tried, now }: Omit<Tried, 'merchant'>): boolean =>
  between((tried[0] ?? operation).began, now) <= TIME_FOR_ANOTHER_MS

/** Whether another processor may be tried after this no: nothing was sent, or the deployment's rule is `retry`. */
export const allowsAnother = ({ outcome, rule }: Pick<Answered<unknown>, 'outcome' | 'rule'>): boolean =>
  outcome.is === 'not_sent' || (outcome.is === 'declined' && rule?.decision === 'retry')

/** The next account in the order of the routing decision (`Routed`) that has not been tried; null if none is left. */
export function nextUntried({ merchant, operation, tried }: Tried): Destination | null {
  const order = operation.routing?.order ?? []
  const untried = order.find(id => ![...tried, operation].some(({ merchant_connector_id }) => merchant_connector_id === id))
  return accountOf(merchant, untried) ?? null
}

const accountOf = (merchant: Merchant, id: string | undefined) => merchant.connectorAccounts.find(one => one.merchant_connector_id === id)
