import { createHash } from 'node:crypto'
import type { Currency } from '../base/currencies.ts'
import { newResourceId } from '../base/id.ts'
import { DAY_MS, HOUR_MS, later } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { SampleDataJob } from './job.ts'

/** A pure function of the job and the payment's number, so that a part can be begun again. */

/** `after_ms`: since the payment's creation. `part`: the share of its amount. */
type Step = { is: 'capture' | 'refund' | 'cancel'; after_ms: number; part: number }
export type SamplePlan = {
  n: number
  payment_id: string
  refund_id: string
  payout_id: string
  created: Time
  amount: number
  currency: Currency
  country: string
  card: { number: string; cvc: string }
  customer: number | null
  /** Whether the payment saves its card, or charges a saved card of the customer. */
  saved: 'saves' | 'uses' | null
  three_ds: boolean
  manual: boolean
  steps: Step[]
  /** The amount of a payout beside the payment, to a bank account; null: none. */
  payout: number | null
  /** Returns the next random number for the order of accounts. */
  draw(): number
}

/** Numbers from 0 to 1, always the same for the same seed. */
function openDraw(seed: string): () => number {
  let [n, bytes] = [0, Buffer.alloc(0)]
  return () => {
    if (bytes.length < 4) bytes = createHash('sha256').update(`${seed} ${n++}`).digest()
    const value = bytes.readUInt32BE(0) / 2 ** 32
    bytes = bytes.subarray(4)
    return value
  }
}

function weighted<T>(draw: () => number, choices: readonly (readonly [weight: number, choice: T])[]): T {
  let left = draw() * choices.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, choice] of choices) {
    left -= weight
    if (left < 0) return choice
  }
  return choices.at(-1)![1]
}

/** `usual`: an amount in the currency's lowest denomination. */
const markets: readonly (readonly [number, { currency: Currency; country: string; usual: number }])[] = [
  [30, { currency: 'EUR', country: 'DE', usual: 5200 }],
  [12, { currency: 'EUR', country: 'FR', usual: 4700 }],
  [8, { currency: 'EUR', country: 'NL', usual: 4100 }],
  [25, { currency: 'USD', country: 'US', usual: 6400 }],
  [12, { currency: 'GBP', country: 'GB', usual: 4500 }],
  [8, { currency: 'JPY', country: 'JP', usual: 7800 }],
  [5, { currency: 'KWD', country: 'KW', usual: 18_500 }],
]

/** Cards of the sandbox (`sandbox/README.md`), by their behavior. */
const cards: readonly (readonly [number, { number: string; cvc: string }])[] = [
  [520, { number: '4242424242424242', cvc: '123' }],
  [240, { number: '5555555555554444', cvc: '123' }],
  [70, { number: '378282246310005', cvc: '1234' }],
  [60, { number: '4000000000009995', cvc: '123' }],
  [38, { number: '4000000000000002', cvc: '123' }],
  [12, { number: '4000000000009987', cvc: '123' }],
  [12, { number: '4000000000000101', cvc: '123' }],
  [14, { number: '4000000000000259', cvc: '123' }],
  [10, { number: '4000000000007726', cvc: '123' }],
  [6, { number: '4000000000001976', cvc: '123' }],
  [3, { number: '4000000000000432', cvc: '123' }],
  [2, { number: '4000000000000614', cvc: '123' }],
]
/** Requires a challenge, which is never completed. */
const challenged = { number: '4000003800000446', cvc: '123' }

/** Of a hundred payments, by the hour of the day (UTC): quiet at night, two peaks. */
const rhythm = [3, 2, 2, 2, 2, 2, 3, 3, 4, 5, 6, 6, 7, 6, 6, 6, 6, 7, 8, 8, 7, 5, 3, 2].map((weight, hour) => [weight, hour] as const)
const WEEKEND = [0, 6]
/** How many more payments the last days have: 1 means no more. */
const GROWTH = 1.5

/** Within the days before the job: fewer at night and on weekends, more in recent days. */
function momentOf(draw: () => number, { created_at, days }: Pick<SampleDataJob, 'created_at' | 'days'>): Time {
  for (let tries = 0; ; tries++) {
    const midnight = later(`${created_at.slice(0, 10)}T00:00:00.000Z`, -Math.floor(draw() ** GROWTH * (days + 1)) * DAY_MS)
    const moment = later(midnight, Math.floor((weighted(draw, rhythm) + draw()) * HOUR_MS))
    const isQuiet = WEEKEND.includes(new Date(moment).getUTCDay()) && draw() < 0.35
    const isWithin = moment < later(created_at, -60_000) && moment > later(created_at, -days * DAY_MS)
    if (isWithin && (!isQuiet || tries > 20)) return moment
  }
}

/** The first payments of a job are those of returning customers, and save their cards. */
export const customersOf = ({ payments }: Pick<SampleDataJob, 'payments'>): number => Math.min(60, Math.floor(payments / 12))

/** The next job finds the same customers. */
export const sampleCustomerId = (customer: number): string => `sample_customer_${String(customer + 1).padStart(2, '0')}`

/** The same each time, so that no object is created twice. */
const idOf = (prefix: 'pay_' | 'ref_' | 'pyt_', { job_id }: Pick<SampleDataJob, 'job_id'>, n: number, created: Time): string => {
  const random = (bytes: number) => createHash('sha512').update(`${prefix} ${job_id} ${n}`).digest().subarray(0, bytes)
  return newResourceId({ now: () => created, random }, prefix)
}

const rounded = (amount: number, usual: number): number => Math.max(100, usual > 10_000 ? Math.round(amount / 10) * 10 : amount)

export function planOf(job: Pick<SampleDataJob, 'job_id' | 'payments' | 'days' | 'created_at'>, n: number): SamplePlan {
  const draw = openDraw(`${job.job_id} ${n}`)
  const customers = customersOf(job)
  const { currency, country, usual } = weighted(draw, markets)
  const amount = rounded(Math.round(usual * 0.2 * (1 + draw() * 4) ** 1.4), usual)
  const isSaving = n < customers
  const created = isSaving ? later(job.created_at, -job.days * DAY_MS + Math.floor(draw() * 0.15 * job.days * DAY_MS)) : momentOf(draw, job)
  const customer = isSaving ? n : customers > 0 && draw() < 0.3 ? Math.floor(draw() * customers) : null
  const three_ds = !isSaving && customer === null && draw() < 0.02
  const manual = draw() < 0.12
  return {
    n,
    payment_id: idOf('pay_', job, n, created),
    refund_id: idOf('ref_', job, n, created),
    payout_id: idOf('pyt_', job, n, created),
    ...{ created, amount, currency, country, customer, three_ds, manual },
    card: isSaving ? cards[0]![1] : three_ds ? challenged : weighted(draw, cards),
    saved: isSaving ? 'saves' : customer !== null && draw() < 0.7 ? 'uses' : null,
    steps: stepsOf(draw, manual),
    payout: draw() < 0.05 ? 1000 + Math.floor(draw() * 50_000) : null,
    draw,
  }
}

function stepsOf(draw: () => number, manual: boolean): Step[] {
  const steps: Step[] = []
  const captures = !manual || draw() < 0.85
  if (manual && captures) steps.push({ is: 'capture', after_ms: Math.floor((2 + draw() * 40) * HOUR_MS), part: draw() < 0.2 ? 0.6 : 1 })
  if (!captures && draw() < 0.5) steps.push({ is: 'cancel', after_ms: Math.floor((1 + draw() * 20) * HOUR_MS), part: 1 })
  if (captures && draw() < 0.07)
    steps.push({ is: 'refund', after_ms: Math.floor((48 + draw() * 150) * HOUR_MS), part: draw() < 0.5 ? 1 : 0.4 })
  return steps
}
