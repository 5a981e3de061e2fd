import { createPublicKey } from 'node:crypto'
import { USUAL_TTL_S } from '../../accounts/extended-card-info.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { refuse } from '../../base/refusal.ts'
import { later } from '../../base/time.ts'
import { findOperations } from '../../operations/operation.ts'
import type { Call } from '../../operations/verb.ts'
import { disclose } from '../../vault/disclosures.ts'
import { storedInstrument } from '../authorization/payment-instrument.ts'
import { cardOf, ownerOf } from '../payment.ts'
import { needPayment } from '../rows.ts'

/**
 * Returns the card that a payment was confirmed with, encrypted for the holder of the profile's public key (JWE:
 * RSA-OAEP-256, A256GCM), for a limited time and without the security code. Each disclosure is recorded first. Refuses
 * (IR_27) a profile that does not allow it, an old payment, and one not paid with a card of its own request.
 */
export async function extendedCardInfo(call: Call, payment_id: string): Promise<string> {
  const { context, merchant } = call
  const payment = await needPayment(context, merchant.merchant_id, payment_id)
  const config = profileSetting(merchant, payment.profile_id, 'extended_card_info_config')
  const card = cardOf(payment)
  if (!config || !card || !profileSetting(merchant, payment.profile_id, 'is_extended_card_info_enabled'))
    return refuse('no_extended_card_info')
  const latest = (await findOperations(context, ownerOf(payment))).findLast(({ verb }) => verb === 'authorize' || verb === 'authenticate')
  const until = latest && later(latest.began, 1000 * (config.ttl_in_secs ?? USUAL_TTL_S))
  if (until === undefined || until <= context.now()) return refuse('no_extended_card_info')
  const kept = await storedInstrument(context, payment, undefined)
  if (kept?.instrument.is !== 'card') return refuse('no_extended_card_info')
  const { number, exp_month, exp_year, holder } = kept.instrument
  await disclose(context, merchant.merchant_id, 'card', { payment_id })
  const { CompactEncrypt } = await import('jose')
  const shown = {
    card_number: number.reveal(),
    card_exp_month: String(exp_month).padStart(2, '0'),
    card_exp_year: String(exp_year),
    card_holder_name: holder,
    card_issuer: card.card_issuer,
    card_network: card.card_network,
    card_type: card.card_type,
    card_issuing_country: card.card_issuing_country,
  }
  return new CompactEncrypt(Buffer.from(JSON.stringify(shown)))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
    .encrypt(createPublicKey(config.public_key))
}
