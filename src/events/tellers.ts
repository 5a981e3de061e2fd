import { tellEndpoints } from './tell-endpoints.ts'
import { tellMandates } from './tell-mandates.ts'
import { tellPayments } from './tell-payments.ts'
import { tellPayouts } from './tell-payouts.ts'
import type { Teller } from './teller.ts'

/** The kinds of objects with events. Rendering, searching and listing events use this list. */
export const tellers: readonly Teller[] = [tellPayments, tellPayouts, tellMandates, tellEndpoints]
