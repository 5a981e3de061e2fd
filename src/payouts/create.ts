import { chooseProfile } from '../accounts/choose-profile.ts'
import { newResourceId, randomAlphanumeric } from '../base/id.ts'
import { after } from '../base/lifecycle.ts'
import { later } from '../base/time.ts'
import type { RowChange } from '../context.ts'
import { payerRows } from '../customers/payer.ts'
import { createdBefore, insertHead, sameAs } from '../operations/insert.ts'
import { begun } from '../operations/open.ts'
import { perform } from '../operations/perform.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { initialRowOf } from '../resources/read.ts'
import { checkAutoFulfill } from '../users/second-person.ts'
import { checkPayable, checkRecipient, checkSaved } from './check.ts'
import { payoutFields } from './fields.ts'
import { lifecycle } from './lifecycle.ts'
import { checkLink, hasLink } from './link.ts'
import { findPayout, type Payout } from './payout.ts'
import { destined, destinedBy } from './recipient.ts'
import type { CreatePayoutBody } from './request-shapes.ts'
import { confirmed, openPayout } from './send.ts'
import { bodyDigest, type NewPayoutTerms, termsOf } from './terms.ts'

/** The default lifetime of a payout's client_secret in seconds (contract 5.3). */
export const SESSION_S = 900

/**
 * Creates a payout, and with `confirm: true` confirms it in the same call: with `auto_fulfill` it is sent at once,
 * otherwise it waits for `fulfill`.
 *
 * A `payout_id` makes creation idempotent: the same body again returns the stored payout; another body is refused
 * (HE_01).
 */
export async function createPayout(call: UseCaseCall, ask: CreatePayoutBody): Promise<Payout> {
  const { context, merchant } = call
  const body_digest = bodyDigest(call, ask)
  const find = (id: string) => findPayout(context, merchant.merchant_id, id)
  const earlier = await createdBefore(body_digest, { what: 'payout', id: ask.payout_id }, find)
  if (earlier) return earlier
  const terms = termsOf(call, ask)
  checkSaved(terms, terms.confirm)
  const created = newPayout(call, terms, body_digest)
  checkAutoFulfill(call, created)
  const to = await destinedBy(call, created, terms)
  const rows: RowChange[] = payerRows(context, call.services.payers, created, terms.request)
  checkLink(created, terms.confirm)
  let payout = created
  if (to) {
    const kept = await destined(context, created, to, null)
    payout = { ...kept.payout, status: 'requires_confirmation' }
    rows.push(...kept.rows)
  }
  if (!terms.confirm) return (await insert(call, overAtOnce(payout), rows)).head
  if (to) await checkRecipient(call, to.recipient)
  checkPayable(payout)
  if (!payout.auto_fulfill) return (await insert(call, confirmed(merchant, payout), rows)).head
  const begins = openPayout(call, payout)
  const written = await insert(call, begins.payout, [...rows, begun(begins.operation)])
  // A concurrent request with the same body created the payout: that request calls the processor.
  if (!written.mine) return written.head
  return perform(call, written.head, begins.operation, { instrument: to!.recipient })
}

/** Expires a payout whose session lasts 0 seconds: the session has ended before the payout could be confirmed. */
const overAtOnce = (payout: Payout): Payout =>
  payout.expire_at !== payout.created
    ? payout
    : { ...payout, status: after(lifecycle, payout.status as 'requires_confirmation', 'session_ended'), expire_at: null }

const insert = (call: UseCaseCall, payout: Payout, rows: RowChange[]) =>
  insertHead(
    call,
    { head: 'payouts', after: payout, rows, event: { type: 'created', announces: payout.status === 'expired' ? 'payout_expired' : null } },
    () => findPayout(call.context, payout.merchant_id, payout.payout_id),
    existing => sameAs(existing, payout.body_digest, { what: 'payout', id: existing.payout_id }),
  )

const initialRow = initialRowOf(payoutFields)

function newPayout({ context, merchant, platform }: UseCaseCall, { columns, request }: NewPayoutTerms, body_digest: string | null): Payout {
  const created = context.now()
  const payout_id = columns.payout_id ?? newResourceId(context, 'pyt_')
  const expires_on = later(created, 1000 * (request.session_expiry ?? SESSION_S))
  return {
    ...initialRow(columns),
    amount: columns.amount,
    currency: columns.currency,
    merchant_id: merchant.merchant_id,
    payout_id,
    version: 1,
    sequence: 0,
    alone: null,
    profile_id: chooseProfile(merchant, columns.profile_id === undefined ? request : columns).profile_id,
    payout_n: null,
    attempt_count: 1,
    operation_count: 0,
    client_secret: `payout_${payout_id}_secret_${randomAlphanumeric(context, 20)}`,
    recipient: null,
    request: platform === undefined ? request : { ...request, platform_merchant_id: platform },
    last_error: null,
    body_digest,
    created,
    modified_at: created,
    expires_on,
    expire_at: request.session_expiry === undefined && !hasLink({ request }) ? null : expires_on,
  }
}
