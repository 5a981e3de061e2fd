import creditCardType from 'credit-card-type'
import { refuse } from '../base/refusal.ts'
import type { CardFacts } from '../context.ts'

/** The ecosystem's names of the networks. */
export const networks = [
  'Visa',
  'Mastercard',
  'AmericanExpress',
  'JCB',
  'DinersClub',
  'Discover',
  'CartesBancaires',
  'UnionPay',
  'Interac',
  'RuPay',
  'Maestro',
  'Star',
  'Pulse',
  'Accel',
  'Nyce',
]

/** The names of those that a number tells. The numbers' ranges come from `credit-card-type`. */
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

/**
 * The library tries every pattern anew, which takes longer than sealing the card; the first eight digits decide, and
 * shops see the same ones again and again.
 */
const known = new Map<string, string | null>()
const MOST_KNOWN = 10_000

/** The network of a card number; null if it is of none that is known. */
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

/**
 * How a network numbers its cards. `patterns`: with what a number begins, alone or from one to another; `gaps`: after
 * how many digits people put a blank; `code`: the length of its security code.
 */
export type CardKind = { network: string; patterns: (number | [number, number])[]; lengths: number[]; gaps: number[]; code: number }

/** All that a checkout in a browser has to know to help with typing a number. */
export const cardKinds: readonly CardKind[] = Object.entries(byType).map(([type, network]) => {
  const { patterns, lengths, gaps, code } = creditCardType.getTypeInfo(type)
  return { network, patterns: patterns as CardKind['patterns'], lengths, gaps, code: code.size }
})

/** What others call them, in small letters without anything between. */
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

/** The network that is meant, however it is written; undefined if it is none of the interface's. */
export const networkNamed = (written: string): string | undefined => otherwise[written.toLowerCase().replace(/[^a-z]/g, '')]

/**
 * Refuses (IR_06) a network that is none of those that a card of several has. Of a card of one network its number
 * says which.
 */
export function checkNetwork(chosen: string | undefined, known: CardFacts | null, field: string): void {
  if (chosen !== undefined && known && known.networks.length > 1 && !known.networks.includes(chosen))
    refuse('unacceptable', { field, words: `${chosen} is not a network of this card; it has ${known.networks.join(', ')}` })
}

/** Of a card that has several networks, the one that its holder chose; null if none, and of a card that has but one. */
export const chosenOf = (chosen: string | undefined, known: CardFacts | null): string | null =>
  known && known.networks.length > 1 && chosen !== undefined && known.networks.includes(chosen) ? chosen : null
