import { refuse } from '../../base/refusal.ts'
import type { PaymentParams } from '../payment.ts'

/** Name and suffix together (spec.md, limits). */
const LONGEST = 255

/**
 * What the customer's statement is to say: the name that was asked for, and after it the suffix; null if nothing was.
 * Of `billing_descriptor` and the older members the former counts. Processors cut it to what statements take.
 */
export function descriptorOf({ billing_descriptor, statement_descriptor_name, statement_descriptor_suffix }: PaymentParams): string | null {
  const name = billing_descriptor?.statement_descriptor ?? statement_descriptor_name ?? billing_descriptor?.name ?? null
  const suffix = billing_descriptor?.statement_descriptor_suffix ?? statement_descriptor_suffix ?? null
  if (name === null || suffix === null) return name ?? suffix
  return `${name} ${suffix}`
}

/** Refuses (IR_06) one that is too long as a whole. */
export function checkDescriptor(request: PaymentParams): void {
  const received = descriptorOf(request)?.length ?? 0
  if (received > LONGEST) refuse('too_long', { field: 'statement_descriptor_suffix', limit: LONGEST, received })
}
