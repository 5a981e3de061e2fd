import type { RecipientName } from '../connectors/instrument.ts'
import { schemes } from './recipient-bank.ts'
import { recipientFamilies } from './recipients.ts'

/**
 * The ways in which recipients say on a page whereto they are paid. What a page asks of each, what a link may be
 * limited to, and what is offered are read off this table. Wallets that hand over the number of a card need an app of
 * their own.
 */
export type RecipientWay = {
  is: RecipientName
  /** The interface's payment_method_type; null: that of a card follows from its number. */
  type: string | null
  /** Where nothing else is said it is offered for payouts in these; null: in any. */
  currencies: readonly string[] | null
  /** Where its members stand in `payout_method_data`. */
  place: string
  /** What need not be asked. */
  said: Readonly<Record<string, string>>
  asks: readonly string[]
  /** What may be left out. */
  option: readonly string[]
}

const EUROPE = ['EUR']
/** Where a scheme is at home. */
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
  return { is: 'bank', type, currencies: homes[type], place: 'bank', said: { payout_method_type: type }, asks: needs, option }
})

const plain = { said: {}, option: [] }
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

/** What the interface calls the types of a way: a card may be either. */
export const typesOf = ({ is, type }: Pick<RecipientWay, 'is' | 'type'>): readonly string[] =>
  is === 'card' ? ['credit', 'debit'] : type === 'sepa_bank_transfer' ? ['sepa_bank_transfer', 'sepa'] : type === null ? [] : [type]

/** The same of what was said: nothing of a card of which it is not known. */
export const typesSaid = ({ is, type }: { is: RecipientName; type: string | null }): readonly string[] =>
  type === null ? [] : is === 'card' ? [type] : typesOf({ is, type })

/** What a link may be limited to; without types, all of the method. */
export type EnabledPayoutMethods = readonly { payment_method: string; payment_method_types: readonly string[] }[]

/** Is this among what is enabled? `types`: of which it may be; none: that is not known. */
export const isEnabledWay = (enabled: EnabledPayoutMethods, { is }: Pick<RecipientWay, 'is'>, types: readonly string[]): boolean =>
  enabled.some(
    ({ payment_method, payment_method_types: only }) =>
      payment_method === recipientFamilies[is].payment_method &&
      (only.length === 0 || types.length === 0 || only.some(type => types.includes(type))),
  )
