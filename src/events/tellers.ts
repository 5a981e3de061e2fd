import { tellEndpoints } from './tell-endpoints.ts'
import { tellMandates } from './tell-mandates.ts'
import { tellPayments } from './tell-payments.ts'
import { tellPayouts } from './tell-payouts.ts'
import type { Teller } from './teller.ts'

/** Of whose changes merchants hear: rendering, searching and listing events ask these. */
export const tellers: readonly Teller[] = [tellPayments, tellPayouts, tellMandates, tellEndpoints]
