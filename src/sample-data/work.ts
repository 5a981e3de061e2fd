import { findProfile, type Merchant } from '../accounts/merchant.ts'
import { Refusal } from '../base/refusal.ts'
import { between, later } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { Context, Time } from '../context.ts'
import { createCustomer } from '../customers/customer.ts'
import { changeTo } from '../database/change-to.ts'
import { scheduledJob } from '../database/due.ts'
import { operations } from '../operations/operation.ts'
import type { JobContext } from '../operations/verb.ts'
import { cancelPayment } from '../payments/actions/cancel-payment.ts'
import { capturePayment } from '../payments/actions/capture-payment.ts'
import { createPayment } from '../payments/actions/create-payment.ts'
import type { Payment } from '../payments/payment.ts'
import type { CreateBody } from '../payments/request-shapes.ts'
import { findPayment } from '../payments/rows.ts'
import type { Services, UseCaseCall } from '../payments/services.ts'
import { createPayout } from '../payouts/create.ts'
import { createRefund } from '../refunds/create.ts'
import { findSampleData, type SampleDataJob, sampleDataJobs, sampleDataWork } from './job.ts'
import { customersOf, planOf, type SamplePlan, sampleCustomerId } from './plan.ts'

/** Sample data is created by the merchants' own operations, so that payments, ledger and processors agree. */

/** Payments before the job reports its progress, payments at once, and how long one claim works. */
const PART = 50
const AT_ONCE = 10
const WORKS_MS = 10_000

type Work = JobContext & { services: Services }
type Maker = { context: Context; services: Services; merchant: Merchant; job: SampleDataJob }

/** `completed` is called once, by the process that makes the last part. */
export const sampleDataJob = (completed: (context: Context, job: SampleDataJob) => Promise<void>) =>
  scheduledJob(sampleDataWork, async (work: Work, { merchant_id, job_id }) => {
    const job = await workOn(work, merchant_id, job_id)
    if (job?.status === 'completed') await completed(work.context, job)
  })

/**
 * The next ticks do the rest. A part that is begun again finds the payments that exist already. Null if nothing was
 * made, or another process has continued the job.
 */
async function workOn({ context, services, settings }: Work, merchant_id: string, job_id: string): Promise<SampleDataJob | null> {
  const began = context.now()
  let job = (await findSampleData(context, merchant_id, job_id)) ?? null
  if (!job?.work_at) return null
  while (job?.work_at && between(began, context.now()) <= WORKS_MS) {
    const merchant = await settings.merchant(merchant_id)
    if (!merchant) return null
    job = await nextPart({ context, services, merchant, job })
  }
  return job
}

/** Null: another process has continued the job. */
async function nextPart(maker: Maker): Promise<SampleDataJob | null> {
  const { context, job } = maker
  const first = job.made + job.refused
  const all = Array.from({ length: Math.min(PART, job.payments - first) }, (_, i) => first + i)
  let refused = 0
  const take = async (): Promise<void> => {
    for (let n = all.shift(); n !== undefined; n = all.shift()) if (!(await isMade(maker, planOf(job, n)))) refused++
  }
  const many = all.length
  await Promise.all(Array.from({ length: AT_ONCE }, take))
  const now = context.now()
  const isOver = first + many >= job.payments
  const after: SampleDataJob = {
    ...job,
    status: isOver ? 'completed' : 'processing',
    made: job.made + many - refused,
    refused: job.refused + refused,
    updated_at: now,
    work_at: isOver ? null : now,
  }
  const written = await context.commit(changeTo(context, sampleDataJobs.name, { before: job, after }, isOver ? 'completed' : 'went_on'))
  return written.is === 'written' ? written.row : null
}

const callAt = ({ context, services, merchant, job }: Maker, at: string): UseCaseCall => ({
  context: inThePast(context, at, job.job_id),
  services,
  merchant,
})

/** Null for a refusal, which is no failure of the job: the merchant may have no account for a currency or a payout. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** With all later steps. Returns whether the payment exists. */
async function isMade(maker: Maker, plan: SamplePlan): Promise<boolean> {
  const { merchant, job } = maker
  if (plan.n < customersOf(job)) await makeCustomer(maker, plan)
  const there = await findPayment(maker.context, merchant.merchant_id, plan.payment_id)
  const make = async (of: SamplePlan) => createPayment(callAt(maker, plan.created), await bodyOf(maker, of))
  // A card is saved a moment after its payment: until then the card number is sent.
  const payment =
    there ?? (await unlessRefused(make(plan))) ?? (plan.saved === 'uses' ? await unlessRefused(make({ ...plan, saved: null })) : null)
  if (!payment) return false
  for (const step of plan.steps) await takeStep(maker, plan, payment, step)
  if (plan.payout !== null && merchant.connectorAccounts.some(one => one.connector_type === 'payout_processor'))
    await unlessRefused(createPayout(callAt(maker, later(plan.created, 600_000)), payoutOf(job, plan) as never))
  return true
}

async function takeStep(
  maker: Maker,
  plan: SamplePlan,
  { payment_id, merchant_id }: Payment,
  { is, after_ms, part }: SamplePlan['steps'][number],
) {
  const at = later(plan.created, after_ms)
  if (at >= maker.job.created_at) return
  const call = callAt(maker, at)
  const payment = await findPayment(call.context, merchant_id, payment_id)
  const amount = Math.max(Math.round(plan.amount * part), 100)
  if (is === 'capture' && payment?.status === 'requires_capture')
    await unlessRefused(capturePayment(call, payment_id, { ...(part < 1 && { amount_to_capture: amount }) }))
  else if (is === 'cancel' && payment?.status === 'requires_capture')
    await unlessRefused(cancelPayment(call, payment_id, { cancellation_reason: 'requested_by_customer' }))
  else if (is === 'refund' && payment && payment.amount_received > 0)
    await unlessRefused(
      createRefund(call, {
        payment_id,
        refund_id: plan.refund_id,
        amount: Math.min(amount, payment.amount_received),
        reason: 'CUSTOMER_REQUEST',
      } as never),
    )
}

const names = ['Ada', 'Bruno', 'Chiara', 'Daan', 'Emi', 'Farah', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Kenji', 'Lina']
const surnames = ['Okafor', 'Meyer', 'Rossi', 'de Vries', 'Tanaka', 'Al-Sabah', 'Brown', 'Dupont']

async function makeCustomer(maker: Maker, { n, created }: SamplePlan): Promise<void> {
  const { context } = callAt(maker, created)
  const name = `${names[n % names.length]} ${surnames[n % surnames.length]}`
  const email = `${name.toLowerCase().replace(/[^a-z]+/g, '.')}.${n + 1}@example.com`
  const ask = { customer_id: sampleCustomerId(n), name, email, metadata: { sample_data: maker.job.job_id } }
  await unlessRefused(createCustomer(context, maker.merchant.merchant_id, ask as never, customer => customer))
}

/** As a merchant's server would send it. */
async function bodyOf(maker: Maker, plan: SamplePlan): Promise<CreateBody> {
  const { merchant, job } = maker
  const { n, payment_id, amount, currency, country, card, customer, saved, three_ds, manual } = plan
  const method = saved === 'uses' ? await savedBy(maker, customer!) : null
  const withCard = {
    payment_method: 'card',
    payment_method_data: {
      card: {
        card_number: card.number,
        card_exp_month: '12',
        card_exp_year: '2035',
        card_cvc: card.cvc,
        card_holder_name: 'Sample Customer',
      },
    },
  }
  const routing = routingOf(merchant, plan)
  return {
    ...{ payment_id, amount, currency, confirm: true, capture_method: manual ? 'manual' : 'automatic' },
    authentication_type: three_ds ? 'three_ds' : 'no_three_ds',
    description: 'Sample data',
    merchant_order_reference_id: `order-${10_000 + n}`,
    metadata: { sample_data: job.job_id },
    billing: { address: { country } },
    ...(customer !== null && { customer_id: sampleCustomerId(customer) }),
    ...(saved === 'saves' && { setup_future_usage: 'off_session', customer_acceptance: acceptedAt(plan.created) }),
    ...(three_ds && { return_url: 'https://shop.example/return' }),
    ...(method === null ? withCard : { off_session: true, recurring_details: { type: 'payment_method_id', data: method } }),
    ...(routing && { routing }),
  } as CreateBody
}

const acceptedAt = (accepted_at: string) => ({
  acceptance_type: 'online',
  accepted_at,
  online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' },
})

/** Saved with an earlier payment of this job. */
async function savedBy({ context, merchant, job }: Maker, customer: number): Promise<string | null> {
  const payment = await findPayment(context, merchant.merchant_id, planOf(job, customer).payment_id)
  return payment?.status === 'succeeded' ? (payment.request.payment_method_id ?? null) : null
}

/** Random if no rules are active, so that all accounts have payments. */
function routingOf(merchant: Merchant, { draw }: SamplePlan): object | null {
  const profile_id = merchant.default_profile
  if (profile_id === null || findProfile(merchant, profile_id) === undefined || merchant.routing.get(profile_id)?.active) return null
  const able = merchant.connectorAccounts.filter(
    one =>
      one.connector_type === 'payment_processor' &&
      one.profile_id === profile_id &&
      !one.disabled &&
      connectors[one.connector_name]?.authorize,
  )
  if (able.length < 2) return null
  const ordered = able.map((one, i) => ({ one, place: draw() * (i + 1) })).sort((a, b) => a.place - b.place)
  const data = ordered
    .slice(0, 3)
    .map(({ one: { connector_name, merchant_connector_id } }) => ({ connector: connector_name, merchant_connector_id }))
  return { type: 'priority', data }
}

const payoutOf = ({ job_id }: SampleDataJob, { payout_id, payout }: SamplePlan): object => ({
  ...{ payout_id, amount: payout, currency: 'EUR', confirm: true, auto_fulfill: true },
  payout_type: 'bank',
  payout_method_data: { bank: { iban: 'DE89370400440532013000', account_holder_name: 'Sample Supplier' } },
  description: 'Sample data',
  metadata: { sample_data: job_id },
})

/** Long after any request of a payment of the past has ended. */
const FIRST_POLL_AFTER_MS = 60_000

/**
 * Its clock stands at `at` now and goes on from there: all rows are dated accordingly. Only sample data uses it, in
 * test mode. Polls stay in the present: an operation in progress is not polled before it can have ended.
 */
function inThePast(context: Context, at: Time, by: string): Context {
  const began = context.now()
  const now = (): Time => later(at, between(began, context.now()))
  return {
    ...context,
    by,
    now,
    commit(change) {
      const rows = change.rows.map(row =>
        row.table === operations.name && row.after !== null && row.after.poll_at !== null
          ? { ...row, after: { ...row.after, poll_at: later(context.now(), FIRST_POLL_AFTER_MS) } }
          : row,
      )
      return context.commit({ ...change, rows, dated: now() })
    },
  }
}
