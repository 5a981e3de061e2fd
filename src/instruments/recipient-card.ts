import Type from 'typebox'
import { anyText, shortText, strictObject, withDescription } from '../base/shapes.ts'
import type { Recipient } from '../connectors/instrument.ts'
import { card as payingCard } from './card.ts'
import { networks } from './networks.ts'
import { readCard } from './read-card.ts'
import type { RecipientFamily } from './recipient.ts'

/** A payout's card has no security code. */

export type PayoutCard = Extract<Recipient, { is: 'card' }>
const shape = strictObject({
  card_number: withDescription(anyText, 'Digits; encrypted on receipt and never returned'),
  expiry_month: Type.String(),
  expiry_year: Type.String(),
  card_holder_name: Type.Optional(shortText),
  card_network: Type.Optional(Type.Enum(networks)),
})
export type PayoutCardSent = Type.Static<typeof shape>

/** With the member names that payments use. */
export const asPaid = ({ expiry_month, expiry_year, ...rest }: PayoutCardSent) => ({
  ...rest,
  card_exp_month: expiry_month,
  card_exp_year: expiry_year,
})

const place = { card_exp_month: 'expiry_month', card_exp_year: 'expiry_year' }

export const recipientCard: RecipientFamily<PayoutCard, PayoutCardSent> = {
  is: 'card',
  shape,
  payment_method: 'card',
  sealed: ['card_number'],
  read(sent, at, now) {
    const { number, exp_month, exp_year, holder } = readCard(asPaid(sent), now, at, place, 'unacceptable')
    return { is: 'card', type: null, number, exp_month, exp_year, holder }
  },
  show(recipient, sent, known, vault, merchant_id) {
    const {
      fingerprint: _it,
      nick_name: _none,
      ...seen
    } = payingCard.mask(vault, merchant_id, { ...recipient, cvc: null }, asPaid(sent), known)
    return { ...seen, card_networks: undefined, bank_code: null }
  },
}
