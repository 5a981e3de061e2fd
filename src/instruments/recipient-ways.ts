import type { RecipientName } from '../connectors/instrument.ts'
import { schemes } from './recipient-bank.ts'
import { recipientFamilies } from './recipients.ts'

/** The ways that a recipient can enter on a page. Wallets that return a card number need an app of their own. */
export type RecipientWay = {
  is: RecipientName
  /** The payment_method_type; null for a card, whose type follows from its number. */
  type: string | null
  /** Where the method is offered by default; null: all currencies. */
  currencies: readonly string[] | null
  /** In `payout_method_data`. */
  place: string
  /** The page does not ask for these. */
  fixed: Readonly<Record<string, string>>
  asks: readonly string[]
  option: readonly string[]
}

const EUROPE = ['EUR']
const homes: Readonly<Record<keyof typeof schemes, readonly string[]>> = {
  ach: ['USD'],
  bacs: ['GBP'],
  sepa_bank_transfer: EUROPE,
  pix_key: ['BRL'],
  pix: ['BRL'],
  pix_emv: [],
  trustly: [],
  open_banking: [],
}

const banks = (Object.keys(homes) as (keyof typeof homes)[]).map((type): RecipientWay => {
  const { needs, takes } = schemes[type]
  const option = ['account_holder_name', 'bank_branch'].filter(name => (takes as readonly string[]).includes(name) && type !== 'pix_key')
  return { is: 'bank', type, currencies: homes[type], place: 'bank', fixed: { payout_method_type: type }, asks: needs, option }
})

const plain = { fixed: {}, option: [] }
export const recipientWays: readonly RecipientWay[] = [
  { is: 'card', type: null, currencies: null, place: 'card', asks: [], ...plain },
  ...banks,
  { is: 'wallet', type: 'paypal', currencies: null, place: 'wallet.paypal', asks: ['email'], ...plain },
  { is: 'wallet', type: 'venmo', currencies: ['USD'], place: 'wallet.venmo', asks: ['telephone_number'], ...plain },
  { is: 'bank_redirect', type: 'interac', currencies: ['CAD'], place: 'bank_redirect.interac', asks: ['email'], ...plain },
  {
    is: 'bank_redirect',
    type: 'open_banking_uk',
    currencies: ['GBP'],
    place: 'bank_redirect.open_banking_uk',
    asks: ['account_holder_name', 'iban'],
    ...plain,
  },
]

/** A card may be credit or debit. */
export const typesOf = ({ is, type }: Pick<RecipientWay, 'is' | 'type'>): readonly string[] =>
  is === 'card' ? ['credit', 'debit'] : type === 'sepa_bank_transfer' ? ['sepa_bank_transfer', 'sepa'] : type === null ? [] : [type]

/** None for a card of unknown type. */
export const typesGiven = ({ is, type }: { is: RecipientName; type: string | null }): readonly string[] =>
  type === null ? [] : is === 'card' ? [type] : typesOf({ is, type })

/** An entry without types allows all types of its method. */
export type EnabledPayoutMethods = readonly { payment_method: string; payment_method_types: readonly string[] }[]

/** `types`: those that it may have; empty if its type is not known. */
export const isEnabledWay = (enabled: EnabledPayoutMethods, { is }: Pick<RecipientWay, 'is'>, types: readonly string[]): boolean =>
  enabled.some(
    ({ payment_method, payment_method_types: only }) =>
      payment_method === recipientFamilies[is].payment_method &&
      (only.length === 0 || types.length === 0 || only.some(type => types.includes(type))),
  )
