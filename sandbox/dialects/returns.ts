// What a shopper brings back from the challenge of a payment that was made in a dialect, where only the merchant,
// with that, can have it decided.

import type { Account } from '../books.ts'
import type { Document, Operation } from '../records.ts'
import { redirectResult } from './adyen-documents.ts'

export type Decision = 'accept' | 'reject'

/** What is written down, and the pairs that come to the address that the shopper goes back to. */
type BringsBack = (account: Account, operation: Operation, decision: Decision) => { documents: Document[]; brings: Record<string, string> }

export const returns: Record<string, BringsBack> = { adyen: redirectResult }
