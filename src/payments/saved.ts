import { refuse } from '../base/refusal.ts'
import { statement } from '../database/statement.ts'
import type { Brought } from '../means/brought.ts'
import { card } from '../means/card.ts'
import { type CardSent, readCard } from '../means/read-card.ts'
import { isUsable, type Method } from '../payment-methods/method.ts'
import { findSealedNumber } from '../payment-methods/number.ts'
import { findByToken } from '../payment-methods/tokens.ts'
import type { World } from '../world.ts'
import type { Asked, Payment } from './payment.ts'

/** What a payment is paid with that its customer has saved. */
export type Saved = Brought & { payment_method_id: string }

type Payer = Pick<Payment, 'merchant_id' | 'customer_id'>
type Said = { asked: Asked; brought: Brought | null; card_cvc: string | undefined; card_holder_name?: string | undefined }

/**
 * The saved card that a payment_token stands for; null if the request brings none. Refuses (IR_29) a token that is unknown, too old, of another customer, or of a card that was deleted meanwhile: to whoever
 * holds it, these are the same.
 */
export async function savedBy(
  world: World,
  { merchant_id, customer_id }: Payer,
  { asked, brought, card_cvc, card_holder_name }: Said,
): Promise<Saved | null> {
  const { payment_token, payment_method = card.method } = asked
  if (payment_token === undefined) return null
  if (brought) refuse('unacceptable', { field: 'payment_token', words: 'and payment_method_data both say what is paid with' })
  if (payment_method !== card.method) refuse('unacceptable', { field: 'payment_token', words: `is not of a ${payment_method}` })
  const found = await findByToken(world, merchant_id, payment_token)
  const isTheirs = found?.method.customer_id === customer_id
  if (!isTheirs || !found) return refuse('token_unusable')
  const { method, number } = found
  return (await readSaved(world, named(method, card_holder_name), card_cvc, number)) ?? refuse('token_unusable')
}

/** With the name on the card, if it was saved without. */
const named = (method: Method, card_holder_name: string | undefined): Method =>
  method.seen && method.seen.card_holder_name === null && card_holder_name !== undefined
    ? { ...method, seen: { ...method.seen, card_holder_name } }
    : method

/** A saved card as it is paid with; null if it cannot be. Refuses (IR_16) one that has expired. `read`: its number, if it was read already. */
export async function readSaved(world: World, method: Method, card_cvc: string | undefined, read?: string | null): Promise<Saved | null> {
  const sent = await sentOf(world, method, card_cvc, read)
  return sent && { family: card, sent, means: readCard(sent, world.now()), payment_method_id: method.payment_method_id }
}

/** A saved card as a request would bring it; null if it cannot be paid with. */
export async function sentOf(world: World, method: Method, card_cvc: string | undefined, read?: string | null): Promise<CardSent | null> {
  const number = !isUsable(method) ? null : read === undefined ? await findSealedNumber(world, method) : read
  if (!method.seen || number === null) return null
  const { card_exp_month, card_exp_year, ...seen } = method.seen
  const known = {
    card_holder_name: seen.card_holder_name,
    card_network: seen.card_network,
    card_type: seen.card_type,
    card_issuer: seen.card_issuer,
    card_issuing_country: seen.card_issuing_country,
    nick_name: seen.nick_name,
    card_cvc: card_cvc ?? null,
  }
  const said = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
  return { ...said, card_number: number, card_exp_month, card_exp_year }
}

/** What a payment keeps of what it is paid with now: of a saved card; or, if it is none, nothing of one that was chosen before. */
export function askedWith(asked: Asked, saved: (Brought & { payment_method_id: string | null }) | null): Asked {
  if (saved) return paidBy(asked, saved).asked
  if (asked.payment_method_id === undefined) return asked
  const { payment_method_id: _before, payment_token: _spent, saves: _saved, ...other } = asked
  return other
}

/** What a payment keeps of it. */
export function paidBy(asked: Asked, { family, payment_method_id }: Brought & { payment_method_id: string | null }): { asked: Asked } {
  return { asked: { ...asked, payment_method: family.method, ...(payment_method_id !== null && { payment_method_id }) } }
}

const use = statement(
  'use_payment_method',
  'update payment_methods set last_used_at = $3 where merchant_id = $1 and payment_method_id = $2 and last_used_at < $3',
)

/** A saved card was paid with: it goes before those that were used earlier. The payment has its answer, and keeps it whatever becomes of this. */
export async function noteUse(
  world: World,
  { merchant_id, status }: Payment,
  saved: { payment_method_id: string | null } | null,
): Promise<void> {
  if (!saved?.payment_method_id || status === 'failed') return
  try {
    await world.query(use, [merchant_id, saved.payment_method_id, world.now()])
  } catch (error) {
    world.log.warn({ err: error, payment_method_id: saved.payment_method_id }, 'that a saved card was used could not be noted')
  }
}
