import type { EventRenderer } from './event-renderer.ts'
import { endpointEvents } from './render-endpoints.ts'
import { mandateEvents } from './render-mandates.ts'
import { paymentEvents } from './render-payments.ts'
import { payoutEvents } from './render-payouts.ts'

/** The kinds of objects with events. Rendering, searching and listing events use this list. */
export const eventRenderers: readonly EventRenderer[] = [paymentEvents, payoutEvents, mandateEvents, endpointEvents]
