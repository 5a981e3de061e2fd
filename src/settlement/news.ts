import type { SettlementLine } from './line.ts'

/**
 * News in a line that this service may not have yet, by the processor's and our names of it: the payment is looked up
 * at the processor, as after a webhook. Null: the line is about no payment.
 */
type LineNews = { request_id: string | null; references: readonly string[] }

/** Returns the names by which the payment or payout of a line is found and asked about. */
export function newsOfLine(line: Pick<SettlementLine, 'request_id' | 'object_reference' | 'payment_reference'>): LineNews | null {
  const references = [line.payment_reference, line.object_reference].filter(name => name !== null)
  return line.request_id === null && references.length === 0 ? null : { request_id: line.request_id, references }
}
