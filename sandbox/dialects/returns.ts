// The data that a shopper brings back from a challenge, in dialects where the merchant needs the data to have the
// payment decided.

import type { Account } from '../books.ts'
import type { Document, DocumentEvent, Operation } from '../records.ts'
import { redirectResult } from './adyen-documents.ts'
import { returned } from './paypal.ts'

export type Decision = 'accept' | 'reject'

/**
 * Returns the documents to write, and the pairs to add to the return address. `waits`: payments by methods other than
 * cards are also decided by the merchant, afterwards. `address`: another return address. `events`: the webhooks to send
 * at once.
 */
type Returns = (
  account: Account,
  operation: Operation,
  decision: Decision,
) => { documents: Document[]; parameters: Record<string, string>; waits?: true; address?: string; events?: DocumentEvent[] }

export const returns: Record<string, Returns> = { adyen: redirectResult, paypal: returned }
