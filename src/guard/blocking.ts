import type { Blocking } from '../accounts/payment-method-blocking.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { Context } from '../context.ts'

type CardTraits = { country: string | null; type: string | null; subtype: string | null; issuer: string | null }

/** Letters and digits only: `DEBIT`, `debit`; `Visa Platinum`, `visa_platinum`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const names = (list: readonly string[], name: string): boolean => list.some(one => plain(one) === plain(name))

const walletTypes = ['payment_method.type', 'info.card_funding_source']

/** `debit`, `credit`: the card's type; `kind`: another type, or the subtype; `unknown`: no BIN data. */
export type BlockedBy = 'region' | 'debit' | 'credit' | 'kind' | 'bank' | 'unknown'

const byType = (type: string): BlockedBy => {
  const name = plain(type)
  return name === 'debit' || name === 'credit' ? name : 'kind'
}

function blocksCard(card: NonNullable<Blocking['card']>, traits: CardTraits | null): BlockedBy | null {
  const unknown = card.block_if_bin_info_unavailable === true ? 'unknown' : null
  if (traits === null) return unknown
  const lists = [
    [card.issuing_country, traits.country, (): BlockedBy => 'region'],
    [card.card_types, traits.type, byType],
    [card.card_subtypes, traits.subtype, (): BlockedBy => 'kind'],
    [card.issuers, traits.issuer, (): BlockedBy => 'bank'],
  ] as const
  for (const [list, is, by] of lists) if (list?.length && is && names(list, is)) return by(is)
  return lists.some(([list, is]) => list?.length && !is) ? unknown : null
}

/** A card's properties come from its number, not from the payer's data. `seen`: as its processor reported them. */
export async function blockedByKind(
  { bins }: Pick<Context, 'bins'>,
  blocking: Blocking | undefined,
  instrument: PaymentInstrument,
  seen: { card_type: string | null; card_issuer: string | null; card_issuing_country: string | null } | null,
): Promise<BlockedBy | null> {
  if (blocking?.wallet?.card_types?.length && instrument.is === 'wallet') {
    const type = walletTypes.flatMap(place => instrument.open[place] ?? [])[0]
    return type !== undefined && names(blocking.wallet.card_types, type) ? byType(type) : null
  }
  if (!blocking?.card) return null
  if ('number' in instrument) {
    const known = await bins.of(instrument.number.reveal().slice(0, 8))
    const traits = known && { country: known.country, type: known.card_type, subtype: known.card_subtype ?? null, issuer: known.issuer }
    return blocksCard(blocking.card, traits)
  }
  if (instrument.is !== 'stored_card' || seen === null) return null
  return blocksCard(blocking.card, { country: seen.card_issuing_country, type: seen.card_type, subtype: null, issuer: seen.card_issuer })
}
