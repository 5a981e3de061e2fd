import { chooseProfile } from '../accounts/choose-profile.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { canonical } from '../base/canonical.ts'
import { newResourceId, randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { checkPayer, payerRows, unlessRedacted } from '../customers/payer.ts'
import { type Brought, broughtBy, lastingPart } from '../means/brought.ts'
import { familyNamed } from '../means/families.ts'
import { begun } from '../operations/open.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import type { RowChange, World } from '../world.ts'
import type { CreateAsk } from './ask.ts'
import { openAuthorization } from './authorize.ts'
import { blocked, mustNotPay, wasBlocked } from './blocked.ts'
import { checkAsk, checkChosenId, checkTerms, netAmount, sessionEnds } from './check.ts'
import { rowsKeeping } from './means.ts'
import { askedOf, type CaptureMethod, type Payment } from './payment.ts'
import { findPayment } from './rows.ts'
import { noteUse, paidBy, savedBy } from './saved.ts'

/**
 * Creates a payment, and with `confirm: true` authorizes it in the same call.
 *
 * What is on the blocklist ends it: nothing is sent. A `payment_id` makes creation idempotent: the same body again gives the stored payment, another body is refused (HE_01).
 */
export async function createPayment(call: Call, ask: CreateAsk): Promise<Payment> {
  const { world, merchant } = call
  checkAsk(merchant, ask)
  if (ask.payment_id !== undefined) checkChosenId('payment_id', ask.payment_id)
  const payer = { merchant_id: merchant.merchant_id, customer_id: ask.customer_id ?? ask.customer?.id ?? null }
  const saved = await savedBy(world, payer, ask)
  const brought = saved ?? broughtBy(ask, world.now())
  if (ask.confirm === true && !brought) {
    if (ask.payment_method === undefined)
      refuse('unacceptable', { field: 'confirm', words: 'there is nothing to pay with: payment_method_data is missing' })
    if (familyNamed(ask.payment_method)) refuse('missing', { field: 'payment_method_data' })
  }
  const payment = { ...newPayment(world, merchant, ask, brought), ...(saved && paidBy(askedOf(ask), saved)) }
  checkTerms(payment, ask)

  const rows = brought ? rowsKeeping(world, payment, brought, ask.confirm === true ? 'not' : 'for confirm', null) : []
  rows.push(...payerRows(world, payment, ask))
  if (ask.confirm !== true) return (await insert(world, payment, rows)).payment
  const not = brought !== null && (await mustNotPay(world, merchant, payment, brought.means))
  const begins = openAuthorization(world, merchant, payment, brought?.means)
  const authorization = not ? blocked(payment, begins) : begins
  rows.push(begun(authorization.operation))
  const written = await insert(world, authorization.payment, rows)
  // Somebody created it a moment before, with the same body: theirs is the one that talks to the processor.
  if (!written.mine || wasBlocked(written.payment)) return written.payment
  const performed = await perform(call, written.payment, authorization.operation, brought ? { means: brought.means } : {})
  await noteUse(world, performed, saved)
  return performed
}

function newPayment(world: World, merchant: Merchant, ask: CreateAsk, brought: Brought | null): Payment {
  const created = world.now()
  const profile_id = chooseProfile(merchant, ask).profile_id
  const payment_id = ask.payment_id ?? newResourceId(world, 'pay_')
  return {
    merchant_id: merchant.merchant_id,
    payment_id,
    version: 1,
    sequence: 0,
    status: brought ? 'requires_confirmation' : 'requires_payment_method',
    alone: null,
    profile_id,
    connector: null,
    merchant_connector_id: null,
    connector_transaction_id: null,
    authorization_n: null,
    authorization_request_id: null,
    customer_id: ask.customer_id ?? ask.customer?.id ?? null,
    currency: ask.currency,
    amount: ask.amount,
    net_amount: netAmount(ask, ask.amount),
    amount_authorized: 0,
    amount_capturable: 0,
    amount_capturing: 0,
    amount_received: 0,
    amount_refunding: 0,
    amount_refunded: 0,
    amount_disputed: 0,
    capture_method: (ask.capture_method ?? 'automatic') as CaptureMethod,
    authentication_type: (ask.authentication_type ?? 'three_ds') as Payment['authentication_type'],
    attempt_count: 1,
    operation_count: 0,
    refund_count: 0,
    client_secret: `${payment_id}_secret_${randomAlphanumeric(world, 20)}`,
    card: brought ? brought.family.mask(world.vault, merchant.merchant_id, brought.means, brought.sent) : null,
    asked: askedOf(ask),
    facts: null,
    next_action: null,
    last_error: null,
    cancellation_reason: null,
    body_digest: ask.payment_id === undefined ? null : bodyDigest(world, ask),
    created,
    modified_at: created,
    expires_on: sessionEnds(merchant, profile_id, ask, created),
  }
}

/** A keyed digest of what lasts of the body: what "the same body" means. Never a plain hash, because it covers a card number. */
function bodyDigest(world: World, ask: CreateAsk): string {
  const lasting = lastingPart(ask)
  // Also of a body without a card it has always covered one, an empty one: digests in the database stay what they are.
  return world.vault.digest('payment body', canonical({ ...lasting, payment_method_data: { card: {}, ...lasting.payment_method_data } }))
}

async function insert(world: World, payment: Payment, rows: RowChange[]): Promise<{ payment: Payment; mine: boolean }> {
  const written = await world.commit({
    head: 'payments',
    before: null,
    after: payment,
    rows,
    event: { type: 'created', announces: wasBlocked(payment) ? 'payment_failed' : null },
    by: world.by,
    // Only an id that was chosen makes creation idempotent, and has its body's digest.
    ownId: payment.body_digest === null,
    ...unlessRedacted(payment),
  })
  if (written.is === 'written') return { payment: written.row, mine: true }
  const existing = await findPayment(world, payment.merchant_id, payment.payment_id)
  if (!existing) {
    await checkPayer(world, payment)
    refuse('busy')
  }
  if (existing.body_digest === null || existing.body_digest !== payment.body_digest)
    refuse('duplicate', { what: 'payment', id: payment.payment_id })
  return { payment: existing, mine: false }
}
