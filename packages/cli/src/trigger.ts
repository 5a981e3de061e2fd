import { type EventType, eventTypes, type Switchyard } from '@switchyard/node'
import { pause } from './pause.ts'
import { Mistake } from './settings.ts'

/** The created objects, by their kind. */
export type Made = Record<string, unknown>

const EXPIRES = { card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' }
const cards = {
  approves: '4242424242424242',
  declines: '4000000000000002',
  challenges: '4000003800000446',
  pends: '4000000000001976',
  halves: '4000000000000606',
  refusesRefunds: '4000000000000366',
} as const

const take = (client: Switchyard, card: keyof typeof cards, more: Record<string, unknown> = {}) =>
  client.payments.create({
    amount: 1250,
    currency: 'USD',
    confirm: true,
    payment_method: 'card',
    payment_method_data: { card: { card_number: cards[card], ...EXPIRES } },
    authentication_type: 'no_three_ds',
    description: 'switchyard trigger',
    ...more,
  } as Parameters<Switchyard['payments']['create']>[0])

const hold = (client: Switchyard) => take(client, 'approves', { capture_method: 'manual' })

async function dispute(client: Switchyard): Promise<Made> {
  const payment = await take(client, 'approves')
  return { payment, dispute: await client.disputes.create({ payment_id: payment.payment_id, amount: payment.amount }) }
}

const payout = (client: Switchyard, number: string, more: Record<string, unknown> = {}) =>
  client.payouts.create({
    amount: 1250,
    currency: 'EUR',
    confirm: true,
    auto_fulfill: true,
    payout_type: 'card',
    payout_method_data: { card: { card_number: number, expiry_month: '12', expiry_year: '2040', card_holder_name: 'Ada Byron' } },
    ...more,
  } as Parameters<Switchyard['payouts']['create']>[0])

/** For each type of event, the requests to the sandbox that cause it. */
const makes: Partial<Record<EventType, (client: Switchyard) => Promise<Made>>> = {
  payment_succeeded: async client => ({ payment: await take(client, 'approves') }),
  payment_failed: async client => ({ payment: await take(client, 'declines') }),
  payment_processing: async client => ({ payment: await take(client, 'pends') }),
  payment_authorized: async client => ({ payment: await hold(client) }),
  payment_partially_authorized: async client => ({
    payment: await take(client, 'halves', { capture_method: 'manual', enable_partial_authorization: true }),
  }),
  payment_captured: async client => {
    const { payment_id, amount } = await hold(client)
    return { payment: await client.payments.capture(payment_id, { amount_to_capture: amount - 250 }) }
  },
  payment_cancelled: async client => ({ payment: await client.payments.cancel((await hold(client)).payment_id) }),
  payment_cancelled_post_capture: async client => ({
    payment: await client.payments.cancelPostCapture((await take(client, 'approves')).payment_id, {}),
  }),
  action_required: async client => ({ payment: await take(client, 'challenges', { authentication_type: 'three_ds' }) }),
  refund_succeeded: async client => {
    const payment = await take(client, 'approves')
    return { payment, refund: await client.refunds.create({ payment_id: payment.payment_id, amount: 500 }) }
  },
  refund_failed: async client => {
    const payment = await take(client, 'refusesRefunds')
    return { payment, refund: await client.refunds.create({ payment_id: payment.payment_id, amount: 500 }) }
  },
  payout_success: async client => ({ payout: await payout(client, '4242424242424242') }),
  payout_failed: async client => ({ payout: await payout(client, '4000000000000002') }),
  payout_initiated: async client => ({ payout: await payout(client, '4000000000001976') }),
  payout_cancelled: async client => {
    const { payout_id } = await payout(client, '4242424242424242', { auto_fulfill: false })
    return { payout: await client.payouts.cancel(payout_id, { payout_id }) }
  },
  dispute_opened: dispute,
}

const whyNot: Partial<Record<EventType, string>> = {
  payment_expired: 'it comes when an authorization expires',
  payout_expired: 'it comes when a payout is not claimed in time',
  payout_reversed: 'it comes days after a payout: pay out to card 4000000000000713',
  webhook_endpoint_failing: 'it comes when deliveries have failed for three days',
  webhook_endpoint_disabled: 'it comes when deliveries have failed for five days',
  webhook_test: 'it is sent to one endpoint: POST /webhook_endpoints/{endpoint_id}/test',
}

export const canTrigger = Object.keys(makes) as EventType[]

/** How long an event is waited for: an answer of the sandbox may come later than that of the request. */
const WAITS_MS = 10_000
const LOOKS_EVERY_MS = 500
/** The statuses of an object whose result is not known yet. */
const mayStillCome = ['processing', 'pending', 'initiated', 'requires_fulfillment']

/** An event that did not happen, with the reason. */
class NotTriggered extends Error {}

/** Waits for an event of one of the made objects. Throws NotTriggered if it does not happen, with what happened. */
async function needEvent(client: Switchyard, type: EventType, made: Made, signal: AbortSignal): Promise<void> {
  const [kind, object] = Object.entries(made).at(-1) as [string, Record<string, unknown>]
  const { status, refund_status, dispute_status, error_code, error_message } = object
  const is = status ?? refund_status ?? dispute_status
  const ids = Object.entries(made).map(([kind, object]) => (object as Record<string, unknown>)[`${kind}_id`])
  for (let waited = 0; ; waited += LOOKS_EVERY_MS) {
    const { data } = await client.events.list({ event_types: [type], limit: 50 })
    if (data.some(event => ids.includes((event as { object_id?: string }).object_id))) return
    if (waited >= (mayStillCome.includes(String(is)) ? WAITS_MS : LOOKS_EVERY_MS) || signal.aborted) break
    await pause(LOOKS_EVERY_MS, signal)
  }
  const why = error_code ? `: ${error_message ?? error_code} (${error_code})` : ''
  throw new NotTriggered(`${type} did not happen: ${kind} ${object[`${kind}_id`]} is ${is}${why}`)
}

/**
 * Returns the function that causes events of a type, and waits until one has happened. The type may be written with
 * dots or underscores. Throws a Mistake for an unknown type, and for a type that cannot be caused.
 */
export function triggerOf(name: string): (client: Switchyard, signal?: AbortSignal) => Promise<Made> {
  const type = Object.entries(eventTypes).find(([own, { dotted }]) => own === name || dotted === name)?.[0] as EventType | undefined
  if (type === undefined) throw new Mistake(`there is no event ${name}; see: switchyard trigger --list`)
  const make = makes[type]
  if (make === undefined)
    throw new Mistake(
      `${type} cannot be made on demand: ${whyNot[type] ?? 'its processor or its customer decides it'}; see: switchyard trigger --list`,
    )
  return async (client, signal = new AbortController().signal) => {
    const made = await make(client)
    await needEvent(client, type, made, signal)
    return made
  }
}
