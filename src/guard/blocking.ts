import type { Blocking } from '../accounts/payment-method-blocking.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { Context } from '../context.ts'

/** The properties of a card that blocking rules use, from any source. */
type CardTraits = { country: string | null; type: string | null; subtype: string | null; issuer: string | null }

/** Reduces a name to its letters and digits for comparison: `DEBIT`, `debit`; `Visa Platinum`, `visa_platinum`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const names = (list: readonly string[], name: string): boolean => list.some(one => plain(one) === plain(name))

/** The members in which wallets send the type of the card behind them. */
const walletTypes = ['payment_method.type', 'info.card_funding_source']

function blocksCard(card: NonNullable<Blocking['card']>, traits: CardTraits | null): boolean {
  const lists = [
    [card.issuing_country, traits?.country],
    [card.card_types, traits?.type],
    [card.card_subtypes, traits?.subtype],
    [card.issuers, traits?.issuer],
  ] as const
  if (traits === null) return card.block_if_bin_info_unavailable === true
  return lists.some(([list, is]) => {
    if (!list?.length) return false
    return is ? names(list, is) : card.block_if_bin_info_unavailable === true
  })
}

/**
 * Whether a profile blocks this kind of instrument. The properties of a card come from its number, not from the
 * payer's data. `seen`: for a card whose number only its processor has, the properties that the processor reported.
 * Nothing is looked up if the profile has no blocking rules.
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
    const traits = known && { country: known.country, type: known.card_type, subtype: known.card_subtype ?? null, issuer: known.issuer }
    return blocksCard(blocking.card, traits)
  }
  if (instrument.is !== 'stored_card' || seen === null) return false
  return blocksCard(blocking.card, { country: seen.card_issuing_country, type: seen.card_type, subtype: null, issuer: seen.card_issuer })
}
