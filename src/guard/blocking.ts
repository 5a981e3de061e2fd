import type { Blocking } from '../accounts/payment-method-blocking.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { Context } from '../context.ts'

/** What is known of a card, whichever way. */
type Told = { country: string | null; type: string | null; subtype: string | null; issuer: string | null }

/** Names are compared by their letters and digits: `DEBIT`, `debit`; `Visa Platinum`, `visa_platinum`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const names = (list: readonly string[], name: string): boolean => list.some(one => plain(one) === plain(name))

/** Where wallets say what the card behind them is. */
const walletTypes = ['payment_method.type', 'info.card_funding_source']

function blocksCard(card: NonNullable<Blocking['card']>, told: Told | null): boolean {
  const lists = [
    [card.issuing_country, told?.country],
    [card.card_types, told?.type],
    [card.card_subtypes, told?.subtype],
    [card.issuers, told?.issuer],
  ] as const
  if (told === null) return card.block_if_bin_info_unavailable === true
  return lists.some(([list, is]) => {
    if (!list?.length) return false
    return is ? names(list, is) : card.block_if_bin_info_unavailable === true
  })
}

/**
 * Does a profile take no payments by this? What a card is, its number tells, and not who pays. `seen`: of a card
 * whose number only its processor has, what that said of it. Nothing is asked where the profile says nothing.
 */
export async function isBlockedByKind(
  { bins }: Pick<Context, 'bins'>,
  blocking: Blocking | undefined,
  instrument: PaymentInstrument,
  seen: { card_type: string | null; card_issuer: string | null; card_issuing_country: string | null } | null,
): Promise<boolean> {
  if (blocking?.wallet?.card_types?.length && instrument.is === 'wallet') {
    const type = walletTypes.flatMap(place => instrument.open[place] ?? [])[0]
    return type !== undefined && names(blocking.wallet.card_types, type)
  }
  if (!blocking?.card) return false
  if ('number' in instrument) {
    const known = await bins.of(instrument.number.reveal().slice(0, 8))
    const told = known && { country: known.country, type: known.card_type, subtype: known.card_subtype ?? null, issuer: known.issuer }
    return blocksCard(blocking.card, told)
  }
  if (instrument.is !== 'stored_card' || seen === null) return false
  return blocksCard(blocking.card, { country: seen.card_issuing_country, type: seen.card_type, subtype: null, issuer: seen.card_issuer })
}
