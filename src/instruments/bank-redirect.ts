import Type from 'typebox'
import { anyText, orNull } from '../base/shapes.ts'
import { banksOf } from './banks.ts'
import { familyOfWays } from './other.ts'
import { readNumber } from './read-card.ts'
import {
  ask,
  asked,
  bankName,
  clear,
  country,
  digits,
  expiry,
  iban,
  last4,
  masked,
  need,
  never,
  partsOf,
  person,
  shownParts,
  type Way,
  way,
} from './way.ts'

type Shown = Pick<Partial<Way>, 'experience' | 'also' | 'ends'> & { more?: (seen: Readonly<Record<string, string>>) => object }

/** The customer approves the payment at their bank. Answers show the bank, and for some ways `more` members. */
const redirect = (
  types: string | readonly string[],
  parts: Way['parts'] = {},
  { experience, also = null, ends = null, more }: Shown = {},
): Way =>
  way(types, parts, {
    ...(experience && { experience }),
    also,
    ends,
    shows: seen => ({ type: 'BankRedirectResponse', bank_name: seen.bank_name ?? seen.issuer ?? null, interac: null, ...more?.(seen) }),
  })

const billing = { 'billing_details.billing_name': never(), 'billing_details.email': never() }
const bankOf = (type: keyof typeof banksOf) => clear(bankName, { options: banksOf[type] })
const at = { country: clear(country) }
const issued = (type: keyof typeof banksOf): Way => redirect(type, { issuer: need(bankOf(type), 'user_bank_options') })

export const bankRedirect = familyOfWays(
  'bank_redirect',
  {
    bancontact_card: redirect(
      'bancontact_card',
      {
        card_number: masked(anyText, { read: readNumber }),
        card_exp_month: expiry.month,
        card_exp_year: expiry.year,
        card_holder_name: person(),
        ...billing,
      },
      {
        ends: ['card_exp_month', 'card_exp_year'],
        more: seen => ({
          BancontactCard: {
            last4: last4(seen.card_number),
            ...shownParts(seen, { card_exp_month: 'card_exp_month', card_exp_year: 'card_exp_year', card_holder_name: 'card_holder_name' }),
          },
        }),
      },
    ),
    bizum: redirect('bizum'),
    blik: redirect(
      'blik',
      { blik_code: ask(masked(undefined, { read: digits(6, 6) }), 'user_blik_code') },
      { experience: 'display_wait_screen', more: seen => ({ Blik: shownParts(seen, { blik_code: 'blik_code' }) }) },
    ),
    eps: redirect('eps', { ...billing, bank_name: bankOf('eps'), ...at }),
    giropay: redirect(
      'giropay',
      { ...billing, bank_account_bic: masked(), bank_account_iban: masked(undefined, { read: iban }), ...at },
      { more: seen => ({ Giropay: shownParts(seen, { bic: 'bank_account_bic', iban: 'bank_account_iban', country: 'country' }) }) },
    ),
    ideal: redirect('ideal', { ...billing, bank_name: bankOf('ideal'), ...at }),
    interac: redirect('interac', { ...at, email: never() }),
    online_banking_czech_republic: issued('online_banking_czech_republic'),
    online_banking_finland: redirect('online_banking_finland', { email: asked.email }),
    online_banking_fpx: issued('online_banking_fpx'),
    online_banking_poland: issued('online_banking_poland'),
    online_banking_slovakia: issued('online_banking_slovakia'),
    online_banking_thailand: issued('online_banking_thailand'),
    open_banking: redirect(['open_banking', 'open_banking_pis'], {}, { experience: 'invoke_sdk_client', also: 'open_banking_pis' }),
    open_banking_uk: redirect('open_banking_uk', { issuer: bankOf('open_banking_uk'), ...at }),
    przelewy24: redirect('przelewy24', { ...billing, 'billing_details.email': asked.email, bank_name: bankOf('przelewy24') }),
    sofort: redirect('sofort', { ...billing, ...at, preferred_language: clear() }),
    trustly: redirect('trustly', at),
    local_bank_redirect: redirect('local_bank_redirect'),
    eft: redirect('eft', { provider: need(clear(), 'text') }),
  },
  Type.Object(
    {
      type: Type.Enum(['BankRedirectResponse']),
      bank_name: orNull(anyText),
      interac: Type.Null(),
      BancontactCard: Type.Optional(partsOf('last4', 'card_exp_month', 'card_exp_year', 'card_holder_name')),
      Blik: Type.Optional(partsOf('blik_code')),
      Giropay: Type.Optional(partsOf('bic', 'iban', 'country')),
    },
    { title: 'BankRedirectSeen' },
  ),
)
