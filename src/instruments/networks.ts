import creditCardType from 'credit-card-type'
import { refuse } from '../base/refusal.ts'
import type { CardFacts } from '../context.ts'

// biome-ignore format: a list reads better in rows
export const networks = [
  'Visa', 'Mastercard', 'AmericanExpress', 'JCB', 'DinersClub', 'Discover', 'CartesBancaires', 'UnionPay', 'Interac',
  'RuPay', 'Maestro', 'Star', 'Pulse', 'Accel', 'Nyce',
]

/** By the names of `credit-card-type`, which has the number ranges. */
const byType: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'AmericanExpress',
  'diners-club': 'DinersClub',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
}

/** The library tries every pattern each time, which takes longer than encrypting the card. */
const known = new Map<string, string | null>()
const MOST_KNOWN = 10_000

export function cardNetworkOf(number: string): string | null {
  const digits = number.slice(0, 8)
  let network = known.get(digits)
  if (network === undefined) {
    network = byType[creditCardType(digits)[0]?.type ?? ''] ?? null
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(digits, network)
  }
  return network
}

/** `patterns`: prefixes or ranges of them; `gaps`: where a blank is shown; `code`: the length of the security code. */
export type CardKind = { network: string; patterns: (number | [number, number])[]; lengths: number[]; gaps: number[]; code: number }

/** For a checkout in a browser that helps with typing a number. */
export const cardKinds: readonly CardKind[] = Object.entries(byType).map(([type, network]) => {
  const { patterns, lengths, gaps, code } = creditCardType.getTypeInfo(type)
  return { network, patterns: patterns as CardKind['patterns'], lengths, gaps, code: code.size }
})

/** In lowercase letters only. */
const otherwise: Record<string, string> = {
  amex: 'AmericanExpress',
  mastercardinternational: 'Mastercard',
  mc: 'Mastercard',
  diners: 'DinersClub',
  dinersclubinternational: 'DinersClub',
  chinaunionpay: 'UnionPay',
  cup: 'UnionPay',
  cb: 'CartesBancaires',
  cartebancaire: 'CartesBancaires',
  ...Object.fromEntries(networks.map(name => [name.toLowerCase(), name])),
}

export const networkNamed = (written: string): string | undefined => otherwise[written.toLowerCase().replace(/[^a-z]/g, '')]

/** For a card with one network, the number decides and the choice is ignored. */
export function checkNetwork(chosen: string | undefined, known: CardFacts | null, field: string): void {
  if (chosen !== undefined && known && known.networks.length > 1 && !known.networks.includes(chosen))
    refuse('unacceptable', { field, problem: `${chosen} is not a network of this card; it has ${known.networks.join(', ')}` })
}

/** Null without a choice, and for a card with one network. */
export const chosenOf = (chosen: string | undefined, known: CardFacts | null): string | null =>
  known && known.networks.length > 1 && chosen !== undefined && known.networks.includes(chosen) ? chosen : null
