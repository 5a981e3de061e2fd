import { move } from '../../accounts/rows.ts'
import { newId } from '../../base/id.ts'
import { between, HOUR_MS, later } from '../../base/time.ts'
import type { References } from '../../connectors/connector.ts'
import { isOther, type PaymentInstrument } from '../../connectors/instrument.ts'
import type { Context, RowChange, Time } from '../../context.ts'
import { refuseDeletedCustomer } from '../../customers/payer.ts'
import { changeTo } from '../../database/change-to.ts'
import { claimed } from '../../database/due.ts'
import { statement } from '../../database/statement.ts'
import { bigint, int, type RowOf, select, table, text, time } from '../../database/table.ts'
import type { MaskedOther } from '../../instruments/other.ts'
import type { Operation } from '../../operations/operation.ts'
import { giveBackCharge } from '../../payment-methods/charge.ts'
import { idFor, type Keeping, keepMethod } from '../../payment-methods/keep.ts'
import { findMandate, mandates, mandateTotals } from '../../payment-methods/mandate.ts'
import { findMethod } from '../../payment-methods/method.ts'
import { useUp } from '../../payment-methods/revoke.ts'
import { statuses } from '../lifecycle.ts'
import { cardOf, type Payment, payments } from '../payment.ts'
import { findPayment } from '../rows.ts'
import { acceptanceOf, keepsMethod, mandateTypeOf } from '../stored-credentials/stored-credential.ts'
import { type Kept, storedInstrument } from './payment-instrument.ts'

/**
 * The follow-ups of a decided payment: its card is saved, a mandate is made, or an amount counted against a mandate is
 * kept or given back. A follow-up is written with the authorization's beginning (or, with a counted amount, before it),
 * and deleted when it is done: usually in the request or update that decides the payment, otherwise by its job. Every
 * step may be repeated.
 */
const paymentFollowUps = table('payment_follow_ups', {
  pointer: true,
  key: ['merchant_id', 'payment_id'],
  columns: {
    merchant_id: text(),
    payment_id: text(),
    mandate_id: text().orNull(),
    amount: bigint().orNull(),
    /** The number of the attempt that the follow-up belongs to. */
    attempt: int(),
    made_at: time(),
    due_at: time().unrecorded(),
  },
})
type FollowUp = RowOf<typeof paymentFollowUps>

const SOON_MS = 60_000
const LATE_MS = 24 * 3_600_000

/** Returns when a follow-up that is not done yet is looked at first. */
export const firstLook = (now: Time): Time => later(now, SOON_MS)

/** The follow-ups that the process which ended the payment did not complete. */
export const dueFollowUps = claimed(paymentFollowUps, { when: 'due_at', lease_ms: SOON_MS, gives: ['merchant_id', 'payment_id'] })

/** `known`: whether the payment is paid with a saved card. Most payments need no follow-up. */
export async function planFollowUp(
  context: Context,
  payment: Payment,
  instrument: PaymentInstrument,
  known: boolean,
): Promise<{ payment: Payment; rows: RowChange[] }> {
  const { merchant_id, payment_id, customer_id, request } = payment
  if (!keepsMethod(request) || payment.card === null || customer_id === null) return { payment, rows: [] }
  await refuseDeletedCustomer(context, payment)
  const owner = { merchant_id, customer_id }
  const payment_method_id = known ? request.payment_method_id! : await idFor(context, owner, fingerprintOf(context, payment, instrument))
  const made_at = context.now()
  return {
    payment: {
      ...payment,
      request: {
        ...request,
        payment_method_id,
        saves: known ? 'saved card' : 'card',
        ...(mandateTypeOf(request) && { new_mandate_id: request.new_mandate_id ?? newId(context, 'man_') }),
      },
    },
    rows: [
      {
        table: paymentFollowUps.name,
        before: null,
        after: {
          merchant_id,
          payment_id,
          mandate_id: null,
          amount: null,
          attempt: payment.attempt_count,
          made_at,
          due_at: firstLook(made_at),
        },
      },
    ],
  }
}

/**
 * Returns the fingerprint that recognizes a saved payment method: of the card, or of the account number. If only
 * another party knows the customer (a wallet, a bank's page), each payment has its own.
 */
function fingerprintOf(context: Pick<Context, 'vault'>, payment: Payment, instrument: PaymentInstrument | undefined): string {
  const card = cardOf(payment)
  if (card) return card.fingerprint
  const { merchant_id, payment_id } = payment
  const { iban, account_number, ...rest } = instrument && isOther(instrument) ? instrument.secrets : {}
  const account = iban ?? account_number
  const bank = rest.routing_number ?? rest.sort_code ?? rest.bsb_number
  return context.vault.fingerprint(merchant_id, account ? `${account.reveal()} ${bank?.reveal() ?? ''}` : payment_id)
}

/** Returns the result of a payment as far as follow-ups need it. `unclear`: manual review is required. */
export function verdictOf({ status, amount_authorized }: Payment): 'yes' | 'no' | 'not yet' | 'unclear' {
  if (amount_authorized > 0 || status === 'succeeded') return 'yes'
  const { traits } = statuses[status]
  return traits.includes('unclear') ? 'unclear' : traits.includes('awaits approval') ? 'not yet' : 'no'
}

/** Completes a payment's follow-up once a written change has decided it; after a failure its job tries again. */
export function afterwards(context: Context, payment: Payment): Promise<void> | undefined {
  const { saves, mandate_id } = payment.request
  if (saves === undefined && mandate_id === undefined) return undefined
  if (verdictOf(payment) === 'not yet') return undefined
  return findFollowUp(context, payment)
    .then(followUp => completeFollowUp(context, payment, followUp))
    .catch(error =>
      context.log.error(
        { err: error, merchant_id: payment.merchant_id, payment_id: payment.payment_id },
        'a follow-up of a payment could not be completed yet; it will be retried',
      ),
    )
}

const byPayment = statement('follow_up_of_payment', select(paymentFollowUps, 'where merchant_id = $1 and payment_id = $2'))

/** Whether a follow-up of the payment is not complete yet. */
export const isFollowedUp = async (context: Context, id: Pick<FollowUp, 'merchant_id' | 'payment_id'>): Promise<boolean> =>
  (await findFollowUp(context, id)) !== undefined

const findFollowUp = async (context: Context, { merchant_id, payment_id }: Pick<FollowUp, 'merchant_id' | 'payment_id'>) =>
  (await context.query<FollowUp>(byPayment, [merchant_id, payment_id]))[0] as FollowUp | undefined
/** Deletes a completed follow-up, unless the payment was begun anew meanwhile, with the same follow-up. */
const done = statement(
  'follow_up_done',
  `delete from payment_follow_ups p where p.merchant_id = $1 and p.payment_id = $2
    and not exists (select from payments b where b.merchant_id = $1 and b.payment_id = $2 and b.attempt_count > $3)`,
)
const postpone = statement('follow_up_postponed', 'update payment_follow_ups set due_at = $3 where merchant_id = $1 and payment_id = $2')

async function completeFollowUp(context: Context, payment: Payment, followUp: FollowUp | undefined): Promise<void> {
  const { merchant_id, payment_id, request, attempt_count } = payment
  // An amount counted for a later attempt belongs to the later attempt.
  if (!followUp || followUp.attempt > attempt_count) return
  const verdict = verdictOf(payment)
  const { mandate_id, due_at } = followUp
  if (mandate_id !== null && (verdict === 'no' || mandate_id !== request.mandate_id)) return giveBackCharge(context, payment, due_at)
  if (verdict === 'yes') {
    const saved = request.saves === undefined ? null : await saveMethod(context, payment)
    if (saved !== null && request.new_mandate_id !== undefined) await makeMandate(context, payment, saved)
    const mandate = followUp.mandate_id === null ? undefined : await findMandate(context, merchant_id, followUp.mandate_id)
    if (mandate?.type === 'single_use') await useUp(context, merchant_id, mandate.mandate_id)
  }
  await context.query(done, [merchant_id, payment_id, attempt_count])
}

/** Handles a follow-up's job: completes the follow-up, or sets the next job, later the older the follow-up is. */
export async function runFollowUp(
  context: Context,
  { merchant_id, payment_id }: Pick<FollowUp, 'merchant_id' | 'payment_id'>,
): Promise<void> {
  // Read before the payment: a process that begins the payment later takes it over, so nothing is given back.
  const followUp = await findFollowUp(context, { merchant_id, payment_id })
  if (!followUp) return
  const payment = await findPayment(context, merchant_id, payment_id)
  // The amount was counted, but the payment was never operationRow, or not again after an attempt that failed.
  if (!payment || (followUp.mandate_id !== null && followUp.attempt > payment.attempt_count))
    return giveBackCharge(context, followUp, followUp.due_at)
  if (verdictOf(payment) !== 'not yet') return completeFollowUp(context, payment, followUp)
  const now = context.now()
  const pause = Math.min(Math.max(between(followUp.made_at, now) / 2, SOON_MS), LATE_MS)
  await context.query(postpone, [merchant_id, payment_id, later(now, Math.round(pause))])
}

/** Saves the payment method and returns its id, null if none. Updates the payment if the id is not the planned one. */
async function saveMethod(context: Context, payment: Payment): Promise<string | null> {
  const { customer_id, request } = payment
  if (customer_id === null || payment.card === null || request.payment_method_id === undefined) return null
  const kept = request.saves === 'card' ? await storedInstrument(context, payment, undefined) : null
  const keeping = keepingOf(context, payment, customer_id, kept)
  // A processor's token of an account may come when the account number of the payment is gone.
  const isGone = request.saves === 'card' && kept === null && cardOf(payment) === null
  const known = isGone ? await findMethod(context, payment.merchant_id, request.payment_method_id) : undefined
  const saved = await keepMethod(context, known?.fingerprint ? { ...keeping, fingerprint: known.fingerprint } : keeping)
  if (saved !== null && saved !== request.payment_method_id) await paidWith(context, payment, saved)
  return saved
}

/** Returns the data of the payment method to save. `kept`: the instrument from the vault, if it may be new. */
function keepingOf(context: Context, payment: Payment, customer_id: string, kept: Kept | null): Keeping {
  const { merchant_id, merchant_connector_id, request, facts } = payment
  const masked = cardOf(payment)
  const instrument = kept?.instrument
  const mandate = facts?.connector_mandate_id
  return {
    merchant_id,
    customer_id,
    payment_method_id: request.payment_method_id!,
    payment_method_type: request.payment_method_type ?? null,
    payment_method: request.payment_method ?? 'card',
    fingerprint: fingerprintOf(context, payment, instrument),
    masked,
    ...(masked === null && { paid_with: payment.card as MaskedOther }),
    recipient: null,
    number:
      instrument?.is === 'card'
        ? instrument.number.reveal()
        : instrument && isOther(instrument)
          ? kept!.family.seal(instrument).lasting
          : null,
    recurring: {
      usage: request.setup_future_usage ?? 'on_session',
      network_transaction_id: facts?.network_transaction_id ?? null,
      network_account: merchant_connector_id,
      connectors:
        mandate === undefined || merchant_connector_id === null || request.tokenization === 'skip_psp'
          ? {}
          : { [merchant_connector_id]: { connector_mandate_id: mandate, connector_customer_id: facts?.connector_customer_id ?? null } },
    },
  }
}

/**
 * Stores the processor's id of the saved method, reported beside an approval. Ignores other attempts than the
 * payment's.
 */
export async function storeProcessorToken(context: Context, { merchant_id, object_id, n }: Operation, facts: References): Promise<void> {
  const learnt = await move(context, payments.name, 'token_learnt', async () => {
    const before = await findPayment(context, merchant_id, object_id)
    const isIts = before && (before.authorization_n === n || (before.authorization_n === null && before.operation_count === n))
    if (!before || !isIts) return { answer: null }
    if (before.facts?.connector_mandate_id === facts.connector_mandate_id) return { answer: before }
    return { before, after: { ...before, facts: { ...before.facts, ...facts } }, answer: before }
  })
  if (learnt?.request.saves === undefined || verdictOf(learnt) !== 'yes') return
  await saveMethod(context, { ...learnt, facts: { ...learnt.facts, ...facts } })
}

/** Sets the saved payment method that the payment was made with, in place of the expected one. */
const paidWith = (context: Context, { merchant_id, payment_id }: Payment, payment_method_id: string): Promise<void> =>
  move(context, payments.name, 'method_known', async () => {
    const before = await findPayment(context, merchant_id, payment_id)
    if (!before || before.request.payment_method_id === payment_method_id) return { answer: undefined }
    return { before, after: { ...before, request: { ...before.request, payment_method_id } }, answer: undefined }
  })

/** Creates the mandate. Its id was returned with the payment, so creating it again finds the existing one. */
async function makeMandate(context: Context, payment: Payment, payment_method_id: string): Promise<void> {
  const { merchant_id, payment_id, profile_id, connector, customer_id, request } = payment
  const { type, limits } = mandateTypeOf(request)!
  const { new_mandate_id: mandate_id } = request
  const now = context.now()
  const after = {
    merchant_id,
    mandate_id,
    version: 1,
    sequence: 0,
    status: 'active',
    customer_id,
    payment_method_id,
    payment_id,
    profile_id,
    connector,
    type,
    amount: limits?.amount ?? null,
    currency: limits?.currency ?? null,
    start_date: limits?.start_date ?? null,
    end_date: limits?.end_date ?? null,
    metadata: limits?.metadata ?? null,
    customer_acceptance: acceptanceOf(request),
    created_at: now,
    modified_at: now,
  }
  const most = { most_charges: type === 'single_use' ? 1 : null, most_amount: limits?.amount ?? null }
  const totals = { merchant_id, mandate_id, ...most, charges: 0, amount: 0 }
  const rows = [{ table: mandateTotals.name, before: null, after: totals }]
  await context.commit(changeTo(context, mandates.name, { before: null, after }, 'made', { rows, announces: 'mandate_active' }))
}

/** Follow-ups that began within the last hour: enough for a customer back from a bank. Jobs do the older ones. */
const ofCustomer = statement(
  'follow_ups_of_customer',
  `select f.payment_id from payment_follow_ups f join payments p on p.merchant_id = f.merchant_id and p.payment_id = f.payment_id
    where f.merchant_id = $1 and f.made_at > $3 and p.customer_id = $2 limit 20`,
)

/** Completes a customer's follow-ups before saved methods are read: a decided payment's card may not be saved yet. */
export async function completeFollowUpsOf(context: Context, merchant_id: string, customer_id: string): Promise<void> {
  const found = await context.query<{ payment_id: string }>(ofCustomer, [merchant_id, customer_id, later(context.now(), -HOUR_MS)])
  for (const { payment_id } of found) {
    const payment = await findPayment(context, merchant_id, payment_id)
    if (payment) await afterwards(context, payment)
  }
}
