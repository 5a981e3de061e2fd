import { type EventType, eventTypes, type Switchyard } from '@switchyard/node'
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

/**
 * Returns the function that causes events of a type. The type may be written with dots or underscores. Throws a
 * Mistake for an unknown type, and for a type that cannot be caused.
 */
export function triggerOf(name: string): (client: Switchyard) => Promise<Made> {
  const type = Object.entries(eventTypes).find(([own, { dotted }]) => own === name || dotted === name)?.[0] as EventType | undefined
  if (type === undefined) throw new Mistake(`there is no event ${name}; see: switchyard trigger --list`)
  const make = makes[type]
  if (make === undefined)
    throw new Mistake(
      `${type} cannot be made on demand: ${whyNot[type] ?? 'its processor or its customer decides it'}; see: switchyard trigger --list`,
    )
  return make
}
