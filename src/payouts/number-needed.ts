import { may } from '../base/lifecycle.ts'
import { later } from '../base/time.ts'
import type { Time } from '../context.ts'
import { lifecycle } from './lifecycle.ts'
import type { Payout } from './payout.ts'

/**
 * When nothing needs the stored payout method any more; null while the payout may still be sent or is under way. Pure.
 * `hours_ms`: `CARD_NUMBER_HOURS`.
 */
export function recipientNeededUntil({ status, alone, expire_at, modified_at }: Payout, hours_ms: number): Time | null {
  if (alone !== null || status === 'pending' || status === 'initiated') return null
  if (!may(lifecycle, status, 'sent')) return later(modified_at, hours_ms)
  // A payout without a session waits for its merchant as long as that takes.
  return expire_at === null ? null : later(expire_at, hours_ms)
}
