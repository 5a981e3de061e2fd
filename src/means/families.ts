import type { FamilyName } from '../connectors/means.ts'
import { card } from './card.ts'
import type { Family } from './family.ts'

/**
 * The families that this version reads, by their names. Another one is an entry here, beside the connectors that speak it: requests, the vault, answers, digests and the door for card numbers follow
 * (`brought.ts`, `payments/means.ts`). Methods of the interface without one are taken as they come, and refused where a processor is looked for. Not frozen: a test adds one of its own before the
 * service is loaded.
 */
export const families = { card }

/** What stands in a payment's row, whichever family it is of. */
export type Seen = ReturnType<(typeof families)[keyof typeof families]['mask']>

// biome-ignore lint/suspicious/noExplicitAny: what a family reads, it has made itself
export type AnyFamily = Family<any, any, any>

export const familyNamed = (name: string | undefined): AnyFamily | undefined =>
  (families as Partial<Record<FamilyName, AnyFamily>>)[name as FamilyName]
