import { deepEqual, equal, ok } from 'node:assert/strict'
import { cards, type Shop } from '../../../test/shop.ts'
import { createClient } from '../src/client.ts'
import { dice, faults, openFaultyNetwork } from './faulty.ts'

const CLIENTS = 4

/**
 * Makes `count` payments through a network that loses every second request or answer. Asserts that each payment is
 * charged once, according to the processor's ledger.
 */
export async function payThroughFaults(shop: Shop, count: number, seed: number): Promise<void> {
  const random = dice(seed)
  const network = await openFaultyNetwork(shop.url, () => (random() < 0.5 ? faults[Math.floor(random() * faults.length)]! : null))
  let next = 0
  const paid: string[] = []
  const pay = async (name: string) => {
    const { options } = network.clientOf(name, shop.api_key)
    const client = createClient({ ...options, retries: 50 })
    while (next < count) {
      const amount = 1000 + next++
      const payment = await client.payments.create({
        amount,
        currency: 'EUR',
        confirm: true,
        payment_method: 'card',
        payment_method_data: { card: { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' } },
      })
      equal(payment.status, 'succeeded')
      equal(payment.amount, amount)
      paid.push(payment.payment_id)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => pay(`client-${i}`)))
  const charges = await shop.processor.charges()
  deepEqual(
    charges.map(({ amount, captured }) => [amount, captured]).toSorted(([a], [b]) => a! - b!),
    Array.from({ length: count }, (_, i) => [1000 + i, 1000 + i]),
    'one charge for each payment, and none besides',
  )
  equal(new Set(paid).size, count)
  for (const fault of faults) ok(network.happened.has(fault), `${fault} happened`)
}
