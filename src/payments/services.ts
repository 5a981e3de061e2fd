import type { Deployment } from '../accounts/connector-account.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { Remembered } from '../base/remembered.ts'
import type { Tries } from '../guard/card-testing.ts'
import type { Call, Engine } from '../operations/verb.ts'
import type { SavedCards } from '../payment-methods/saved-cards.ts'
import type { HealthMemory } from '../routing/memory.ts'

/**
 * What a story may know of the deployment besides the edges: where customers come back to, which tries of browsers
 * are under way, how the accounts are, which customers are known to be there, the cards that they have saved, and
 * where accounts live. The engine of operations knows nothing of these: what a kind needs of them it is made with.
 */
export type Services = Engine & {
  publicUrl: string
  tries: Tries
  health: HealthMemory
  payers: Remembered
  saved: SavedCards
  deployment: Deployment
  /** Settings were written: what this process knew of them is read anew. */
  settingsWritten(): Promise<void>
  /** A merchant as its settings stand now. */
  merchantNow(merchant_id: string): Promise<Merchant | undefined>
}

/** The call of a story that knows more of the deployment than the engine. */
export type StoryCall = Call & { services: Services }
