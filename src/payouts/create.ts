import { chooseProfile } from '../accounts/choose-profile.ts'
import { newResourceId, randomAlphanumeric } from '../base/id.ts'
import { later } from '../base/time.ts'
import { createdBefore, insertHead } from '../operations/begin.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { initialRowOf } from '../resources/read.ts'
import { payoutFields } from './fields.ts'
import { hasLink } from './link.ts'
import { findPayout, type Payout } from './payout.ts'
import { performPlan, planPayout, writePlan } from './plan.ts'
import type { CreatePayoutBody } from './request-shapes.ts'
import { bodyDigest, type NewPayoutTerms, termsOf } from './terms.ts'

/** The default lifetime of a payout's client_secret in seconds (contract 5.3). */
const SESSION_S = 900

/**
 * Creates a payout, and with `confirm: true` confirms it in the same call. A `payout_id` makes this idempotent: the
 * same body again returns the stored payout; another body is refused (HE_01).
 */
export async function createPayout(call: UseCaseCall, ask: CreatePayoutBody): Promise<Payout> {
  const { context, merchant } = call
  const body_digest = bodyDigest(call, ask)
  const find = (id: string) => findPayout(context, merchant.merchant_id, id)
  const earlier = await createdBefore(body_digest, { what: 'payout', id: ask.payout_id }, find)
  if (earlier) return earlier
  const terms = termsOf(call, ask)
  const plan = await planPayout(call, null, newPayout(call, terms, body_digest), terms, 'server', terms.confirm)
  return insertHead(
    call,
    plan.change,
    { what: 'payout', id: plan.change.after.payout_id },
    { find, write: change => writePlan(call, plan, change), perform: written => performPlan(call, plan, written) },
  )
}

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
