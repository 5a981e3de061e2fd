import { refuse } from '../../base/refusal.ts'
import { lengthOf } from '../../base/shapes.ts'
import type { PaymentParams } from '../payment.ts'

/** The maximum length of name and suffix together (spec.md, limits). */
const LONGEST = 255

/**
 * Returns the text for the customer's statement: name and suffix; null if none was requested. `billing_descriptor`
 * comes before the older members. Processors shorten the text to what statements allow.
 */
export function descriptorOf(request: PaymentParams): string | null {
  const parts = partsOf(request)
  return parts.length === 0 ? null : parts.join(' ')
}

function partsOf({ billing_descriptor, statement_descriptor_name, statement_descriptor_suffix }: PaymentParams): string[] {
  const name = billing_descriptor?.statement_descriptor ?? statement_descriptor_name ?? billing_descriptor?.name
  const suffix = billing_descriptor?.statement_descriptor_suffix ?? statement_descriptor_suffix
  return [name, suffix].filter(part => part !== undefined)
}

/** Refuses (IR_06) a descriptor whose name and suffix together are too long; the space between them does not count. */
export function checkDescriptor(request: PaymentParams): void {
  const received = partsOf(request).reduce((sum, part) => sum + lengthOf(part), 0)
  if (received > LONGEST) refuse('too_long', { field: 'statement_descriptor_suffix', limit: LONGEST, received })
}
