import type { MaskedCard } from '../means/card.ts'
import { idFor, keepCard } from '../payment-methods/keep.ts'
import type { World } from '../world.ts'
import { keptRecipient } from './means.ts'
import { findPayout, type Payout } from './payout.ts'
import { moved } from './plan.ts'

/** A card that was paid out to is saved for its customer, where that was asked for (`recurring`), and named by the payout. Throws nothing: the payout has its end, whatever becomes of this. Doing it again does nothing more. */
export async function keepForLater(world: World, payout: Payout): Promise<void> {
  if (!payout.recurring || payout.status !== 'success' || payout.payout_method_id !== null) return
  try {
    await keep(world, payout)
  } catch (error) {
    world.log.warn({ err: error, payout_id: payout.payout_id }, 'a card that was paid out to could not be saved')
  }
}

async function keep(world: World, payout: Payout): Promise<void> {
  const { merchant_id, payout_id, customer_id, recipient } = payout
  const kept = await keptRecipient(world, payout)
  if (kept?.is !== 'card' || customer_id === null || recipient === null) return
  const { fingerprint, shown, type } = recipient
  const { bank_code: _none, ...seen } = shown as Omit<MaskedCard, 'fingerprint' | 'nick_name'> & { bank_code?: unknown }
  const payment_method_id = await idFor(world, { merchant_id, customer_id }, fingerprint)
  const saved = await keepCard(world, {
    merchant_id,
    customer_id,
    payment_method_id,
    payment_method_type: type,
    seen: { ...seen, nick_name: null, fingerprint },
    number: kept.number.reveal(),
    recurring: { usage: 'on_session', network_transaction_id: null, connectors: {} },
  })
  if (!saved) return
  for (let i = 0; i < 3; i++) {
    const now = await findPayout(world, merchant_id, payout_id)
    if (!now || now.payout_method_id !== null) return
    if ((await world.commit(moved(world, now, { ...now, payout_method_id: payment_method_id }, 'method_saved'))).is === 'written') return
  }
}
