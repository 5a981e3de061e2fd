import { refuse } from '../../base/refusal.ts'
import type { PaymentParams } from '../payment.ts'

/** The maximum length of name and suffix together (spec.md, limits). */
const LONGEST = 255

/**
 * Returns the text for the customer's statement: the requested name, followed by the suffix; null if none was
 * requested. `billing_descriptor` takes precedence over the older members. Processors shorten the text to what
 * statements allow.
 */
export function descriptorOf({ billing_descriptor, statement_descriptor_name, statement_descriptor_suffix }: PaymentParams): string | null {
  const name = billing_descriptor?.statement_descriptor ?? statement_descriptor_name ?? billing_descriptor?.name ?? null
  const suffix = billing_descriptor?.statement_descriptor_suffix ?? statement_descriptor_suffix ?? null
  if (name === null || suffix === null) return name ?? suffix
  return `${name} ${suffix}`
}

/** Refuses (IR_06) a descriptor whose name and suffix together are too long. */
export function checkDescriptor(request: PaymentParams): void {
  const received = descriptorOf(request)?.length ?? 0
  if (received > LONGEST) refuse('too_long', { field: 'statement_descriptor_suffix', limit: LONGEST, received })
}
