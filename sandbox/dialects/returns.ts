// What a shopper brings back from the challenge of a payment that was made in a dialect, where only the merchant,
// with that, can have it decided.

import type { Account } from '../books.ts'
import type { Document, News, Operation } from '../records.ts'
import { redirectResult } from './adyen-documents.ts'
import { brought } from './paypal.ts'

export type Decision = 'accept' | 'reject'

/**
 * What is written down, and the pairs that come to the address that the shopper goes back to. `waits`: also what is no
 * card is decided by the merchant, afterwards. `address`: where the shopper goes instead. `news`: what is told at once.
 */
type BringsBack = (
  account: Account,
  operation: Operation,
  decision: Decision,
) => { documents: Document[]; brings: Record<string, string>; waits?: true; address?: string; news?: News[] }

export const returns: Record<string, BringsBack> = { adyen: redirectResult, paypal: brought }
