import { chooseProfile } from '../accounts/choose-profile.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { RowChange } from '../context.ts'
import { payerRows, refuseDeletedCustomer } from '../customers/payer.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { checkAutoFulfill } from '../users/second-person.ts'
import { checkLink } from './link.ts'
import type { Payout } from './payout.ts'
import { type Destined, destined, destinedBy } from './recipient.ts'
import type { PayoutTerms } from './terms.ts'

type Applied = { payout: Payout; to: Destined | null; rows: RowChange[] }

/** Returns the payout with all changes that a request makes, the payout method that it names, and the rows of both. */
export async function applyTerms(call: UseCaseCall, before: Payout, terms: PayoutTerms): Promise<Applied> {
  const { context, merchant } = call
  const wanted = onTerms(merchant, before, terms)
  checkLink(wanted, false)
  checkAutoFulfill(call, wanted)
  const rows: RowChange[] = []
  if (wanted.customer_id !== before.customer_id) {
    await refuseDeletedCustomer(context, wanted)
    rows.push(...payerRows(context, call.services.payers, wanted, terms.request))
  }
  const to = await destinedBy(call, wanted, terms)
  if (!to) return { payout: wanted, to, rows }
  const kept = await destined(context, wanted, to, before.recipient)
  return { payout: kept.payout, to, rows: [...rows, ...kept.rows] }
}

/** Returns the payout with the columns and members that an update or a confirm sets. */
export function onTerms(merchant: Merchant, before: Payout, { columns, request: more }: PayoutTerms): Payout {
  if (more.payout_link !== undefined && more.payout_link !== (before.request.payout_link ?? false))
    refuse('unacceptable', { field: 'payout_link', problem: 'cannot be changed' })
  const profile_id = columns.profile_id === undefined ? before.profile_id : chooseProfile(merchant, columns).profile_id
  const { payout_id: _fixed, ...rest } = columns
  const seconds = more.session_expiry
  const expires_on = seconds === undefined ? before.expires_on : later(before.created, 1000 * seconds)
  return {
    ...before,
    ...rest,
    profile_id,
    request: Object.keys(more).length === 0 ? before.request : { ...before.request, ...more },
    expires_on,
    expire_at: seconds === undefined ? before.expire_at : expires_on,
  }
}
