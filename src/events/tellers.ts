import { endpointEvents } from './tell-endpoints.ts'
import { mandateEvents } from './tell-mandates.ts'
import { paymentEvents } from './tell-payments.ts'
import { payoutEvents } from './tell-payouts.ts'
import type { Teller } from './teller.ts'

/** The kinds of objects with events. Rendering, searching and listing events use this list. */
export const tellers: readonly Teller[] = [paymentEvents, payoutEvents, mandateEvents, endpointEvents]
