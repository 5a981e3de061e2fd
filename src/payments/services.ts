import type { Deployment } from '../accounts/connector-account.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { BoundedSet } from '../base/bounded-set.ts'
import type { BrowserTries } from '../guard/card-testing-counters.ts'
import type { Call, Engine } from '../operations/verb.ts'
import type { SavedCards } from '../payment-methods/saved-cards.ts'
import type { HealthMemory } from '../routing/dynamic/dynamic-routing.ts'

/**
 * The deployment as use cases know it: the address that customers return to, the browsers' tries under way, the health
 * of accounts, customers known to exist, their saved cards, and connectors' addresses. The engine of operations knows
 * none.
 */
export type Services = Engine & {
  publicUrl: string
  tries: BrowserTries
  health: HealthMemory
  payers: BoundedSet
  saved: SavedCards
  deployment: Deployment
  /** Reads the settings anew: they were written, and this process must drop its copy. */
  settingsWritten(): Promise<void>
  /** Returns a merchant with its current settings, undefined if it does not exist. */
  merchantNow(merchant_id: string): Promise<Merchant | undefined>
}

/** The call of a use case that knows more of the deployment than the engine does. */
export type UseCaseCall = Call & { services: Services }
