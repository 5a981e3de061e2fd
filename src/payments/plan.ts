import { refuse } from '../base/refusal.ts'
import type { Call } from '../operations/verb.ts'
import type { Change, World } from '../world.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './rows.ts'

/** A begin that somebody else overtook reads and plans again this often. */
const TRIES = 3

/**
 * The *begin* of a money call on an existing payment: reads it, plans purely, writes one change. If somebody moved the payment meanwhile it reads and plans again, up to three times;
 * usually the new state refuses then. Afterwards: 422 HE_00 with Retry-After.
 *
 * `plan` refuses, or gives the change and whatever the story wants to know of it; without a change there is nothing to write.
 */
export async function begin<P extends { change: (Change & { after: Payment }) | null }>(
  { world, merchant: { merchant_id } }: Call,
  payment_id: string,
  plan: (payment: Payment) => P | Promise<P>,
): Promise<{ payment: Payment; plan: P }> {
  for (let i = 0; i < TRIES; i++) {
    const payment = await needPayment(world, merchant_id, payment_id)
    const planned = await plan(payment)
    if (!planned.change) return { payment, plan: planned }
    const written = await world.commit(planned.change)
    if (written.is === 'written') return { payment: written.row, plan: planned }
  }
  return refuse('busy')
}

/** The payment, or 404: a foreign one is as absent as a missing one. */
export const needPayment = async (world: Pick<World, 'query'>, merchant_id: string, payment_id: string): Promise<Payment> =>
  (await findPayment(world, merchant_id, payment_id)) ?? refuse('not_found', { what: 'payment' })
