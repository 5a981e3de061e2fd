import { chooseProfile } from '../accounts/choose-profile.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { may } from '../base/lifecycle.ts'
import { networkOf } from '../base/network.ts'
import { refuse } from '../base/refusal.ts'
import type { Means } from '../connectors/means.ts'
import { checkPayer, payerRows } from '../customers/payer.ts'
import { broughtBy } from '../means/brought.ts'
import { familyNamed } from '../means/families.ts'
import { begun } from '../operations/open.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import type { RowChange, Time, World } from '../world.ts'
import type { ConfirmAsk } from './ask.ts'
import { mayBeRetried } from './attempt.ts'
import { openAuthorization, route } from './authorize.ts'
import { blocked, mustNotPay, wasBlocked } from './blocked.ts'
import { checkAsk, checkTerms, netAmount, sessionEnds } from './check.ts'
import { lifecycle, welcomes } from './lifecycle.ts'
import { keptMeans, noLongerWaiting, rowsKeeping } from './means.ts'
import { askedOf, type CaptureMethod, type Payment } from './payment.ts'
import { begin } from './plan.ts'
import { noteUse, paidBy, type Saved, savedBy } from './saved.ts'
import { tryOf } from './tries.ts'

/** Who confirms: the merchant's server may change anything, a browser with a client_secret may not change what is sold to whom, and its failures are counted by its address. */
export type Confirmer = { is: 'server' } | { is: 'client'; address: string }

/**
 * Members that a client-side confirm may bring: how the customer pays and who they say they are. A browser's word on price, buyer, capture or the need of a challenge is worth nothing.
 * `customer_id` and `customer.id` only as the payment has them already.
 */
const clientMembers: readonly (keyof ConfirmAsk)[] = [
  'client_secret',
  'confirm',
  'retry_action',
  'payment_method',
  'payment_method_type',
  'payment_method_data',
  'payment_token',
  'payment_experience',
  'card_cvc',
  'browser_info',
  'return_url',
  'billing',
  'shipping',
  'customer',
  'customer_id',
  'email',
  'name',
  'phone',
  'phone_country_code',
  'customer_acceptance',
  'setup_future_usage',
  'mandate_data',
  'recurring_details',
  'payment_type',
  'installment_data',
  'feature_metadata',
  'connector_metadata',
  'threeds_method_comp_ind',
  'is_iframe_redirection_enabled',
  'ctp_service_details',
  'three_ds_data',
  'all_keys_required',
]

/**
 * Confirms a payment: authorizes it with what is sent now to pay with, or was kept before. Refuses (IR_16) in any status that does not wait for it, and a browser of which too many tries have failed. What
 * is on the blocklist ends it: nothing is sent.
 */
export async function confirmPayment(call: Call, payment_id: string, ask: ConfirmAsk, confirmer: Confirmer): Promise<Payment> {
  const { world, merchant } = call
  if (confirmer.is === 'client') checkMembers(ask)
  checkAsk(merchant, ask)
  if (confirmer.is === 'server') return confirm(call, payment_id, ask, confirmer, async () => null)
  let leave = () => {}
  const guard = async (masked: Payment) => {
    // Who plans again tries once.
    leave()
    leave = () => {}
    const client_network = networkOf(confirmer.address)
    leave = await call.here.tries.enter(world, merchant, masked.profile_id, tryOf(masked, client_network))
    return client_network
  }
  return confirm(call, payment_id, ask, confirmer, guard).finally(() => leave())
}

/** `guard`: lets a browser try, and says from where it does. */
async function confirm(
  call: Call,
  payment_id: string,
  ask: ConfirmAsk,
  confirmer: Confirmer,
  guard: (masked: Payment) => Promise<string | null>,
): Promise<Payment> {
  const { world, merchant } = call
  const { payment, plan } = await begin(call, payment_id, async before => {
    if (before.status === 'failed') checkRetry(merchant, before, world.now())
    else if (!may(lifecycle, before.status, 'sent')) {
      refuse('precondition', {
        words: `This payment cannot be confirmed: its status is ${before.status}; it must be one of ${welcomes.confirm.join(', ')}`,
      })
    }
    if (confirmer.is === 'client') checkCustomer(before, ask)
    const asked = withAsk(merchant, before, ask)
    checkTerms(asked, { ...asked.asked, ...ask })
    const { means, rows, saved, masked } = await meansOf(world, merchant, before, asked, ask)
    const client_network = await guard(masked)
    const again = before.status === 'failed'
    const attempt = again ? { ...masked, attempt_count: masked.attempt_count + 1 } : masked
    const not = await mustNotPay(world, merchant, attempt, means)
    const begins = openAuthorization(world, merchant, attempt, means, client_network)
    const { payment: after, operation } = not ? blocked(attempt, begins) : begins
    rows.push(begun(operation))
    if (asked.customer_id !== before.customer_id) {
      await checkPayer(world, asked)
      rows.push(...payerRows(world, asked, ask))
    }
    const event = not ? { type: 'blocked', announces: 'payment_failed' } : { type: again ? 'retried' : 'sent', announces: null }
    return { means, saved, operation, change: { head: 'payments', before, after, rows, event, by: world.by } }
  })
  if (wasBlocked(payment)) return payment
  const performed = await perform(call, payment, plan.operation, { means: plan.means })
  await noteUse(world, performed, plan.saved)
  return performed
}

/** A failed payment may be confirmed again in the first half of its session, where the profile allows it (contract 3.6). */
function checkRetry(merchant: Merchant, payment: Payment, now: Time): void {
  if (!profileSetting(merchant, payment.profile_id, 'is_manual_retry_enabled'))
    refuse('precondition', {
      words: 'This payment has failed: it can be confirmed again only if its business profile has is_manual_retry_enabled',
    })
  if (!mayBeRetried(payment, now)) refuse('precondition', { words: 'This payment has failed, and the time to confirm it again is over' })
}

function checkMembers(ask: ConfirmAsk): void {
  for (const member of Object.keys(ask) as (keyof ConfirmAsk)[]) {
    if (!clientMembers.includes(member)) refuse('forbidden', { words: `${member} cannot be set with a publishable key` })
  }
}

function checkCustomer(payment: Payment, ask: ConfirmAsk): void {
  for (const customer_id of [ask.customer_id, ask.customer?.id]) {
    if (customer_id !== undefined && customer_id !== payment.customer_id)
      refuse('unauthorized', { words: 'customer_id cannot be changed with a publishable key' })
  }
}

/** The payment with what the confirm changes of the request. */
function withAsk(merchant: Merchant, payment: Payment, ask: ConfirmAsk): Payment {
  const { retry_action: _retry, ...said } = ask
  const more = askedOf(said)
  // Where nothing is added it stays the same object, and is not written again.
  const asked = Object.keys(more).length === 0 ? payment.asked : { ...payment.asked, ...more }
  const amount = ask.amount ?? payment.amount
  const profile_id = ask.profile_id === undefined ? payment.profile_id : chooseProfile(merchant, ask).profile_id
  return {
    ...payment,
    asked,
    profile_id,
    expires_on: ask.session_expiry === undefined ? payment.expires_on : sessionEnds(merchant, profile_id, ask, payment.created),
    amount,
    net_amount: netAmount(asked, amount),
    currency: ask.currency ?? payment.currency,
    customer_id: ask.customer_id ?? ask.customer?.id ?? payment.customer_id,
    capture_method: (ask.capture_method ?? payment.capture_method) as CaptureMethod,
    authentication_type: (ask.authentication_type ?? payment.authentication_type) as Payment['authentication_type'],
  }
}

/** What to pay with: from the request, else from the vault, with a security code sent now or one that waited; and the rows that keep, or stop keeping, it. */
async function meansOf(
  world: World,
  merchant: Merchant,
  before: Payment,
  asked: Payment,
  ask: ConfirmAsk,
): Promise<{ means: Means; rows: RowChange[]; saved: Saved | null; masked: Payment }> {
  const kept = await keptMeans(world, before, ask.card_cvc)
  // Whatever happens next, what waited for a confirm waits no longer: it is deleted by the statement that begins the authorization.
  const rows = kept?.waits ? [noLongerWaiting(before)] : []
  const saved = await savedBy(world, asked, ask)
  const brought = saved ?? broughtBy(ask, world.now())
  if (brought) {
    const { family, sent, means } = brought
    rows.push(...rowsKeeping(world, before, brought, 'not', kept))
    const { payment_method_id: _before, payment_token: _spent, ...other } = asked.asked
    const said = saved ? paidBy(asked.asked, saved) : { asked: asked.asked.payment_method_id === undefined ? asked.asked : other }
    return { means, rows, saved, masked: { ...asked, ...said, card: family.mask(world.vault, merchant.merchant_id, means, sent) } }
  }
  const { payment_method } = asked.asked
  if (!kept || kept.family.method !== payment_method) {
    // A method that nobody takes is refused as that.
    if (payment_method !== undefined && !familyNamed(payment_method)) route(merchant, asked, undefined)
    refuse('missing', { field: 'payment_method_data' })
  }
  return { means: kept.means, rows, saved: null, masked: asked }
}
