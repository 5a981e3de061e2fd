import { holdsCardNumber } from '../base/card-number.ts'
import { uuidDigits } from '../base/id.ts'
import type { Context } from '../context.ts'

/** Returns the caller's own x-request-id if it is well-formed, else a version 7 UUID. */
export function requestId(given: string | string[] | undefined, context: Pick<Context, 'now' | 'random'>): string {
  if (typeof given === 'string' && /^[A-Za-z0-9_.:-]{1,128}$/.test(given) && !holdsCardNumber(given)) return given
  const hex = uuidDigits(context)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
