import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { boundedText, country, shortText, strictObject } from '../base/shapes.ts'
import type { BankScheme, Recipient } from '../connectors/instrument.ts'
import { readBic, readIban } from './iban.ts'
import { maskedAccount, type RecipientFamily } from './recipient.ts'

/** The scheme follows from the members of the request, or from `payout_method_type` (contract 4.11). */

const members = {
  payout_method_type: boundedText(64),
  bank_account_number: shortText,
  bank_routing_number: boundedText(64),
  bank_sort_code: boundedText(64),
  iban: boundedText(64),
  bic: boundedText(64),
  pix_key: shortText,
  emv: boundedText(512),
  tax_id: boundedText(64),
  ispb: boundedText(64),
  bank_branch: boundedText(64),
  account_number: shortText,
  bank_number: boundedText(64),
  country_code: country,
  bank_name: shortText,
  bank_country_code: country,
  bank_city: shortText,
  account_holder_name: shortText,
}
type Name = keyof typeof members
const shape = strictObject(Object.fromEntries(Object.entries(members).map(([name, one]) => [name, Type.Optional(one)])))
export type BankSent = Partial<Record<Name, string>>
export type Bank = Extract<Recipient, { is: 'bank' }>

/** `account`, `code`: the members with the numbers of account and bank. `masked`: answers show only the end. */
type Scheme = {
  identifiedBy: Name | null
  needs: readonly Name[]
  takes: readonly Name[]
  account: Name
  code: Name | null
  masked: readonly Name[]
}

const aside = ['bank_name', 'bank_country_code', 'bank_city', 'account_holder_name'] as const
const ofPix = ['bank_name', 'bank_branch', 'bank_account_number', 'tax_id', 'ispb', 'account_holder_name'] as const

const maskedOfPix = ['bank_account_number', 'tax_id'] as const

/** An account number, and the number of its bank in the country. */
const domestic = (bank: Name): Scheme => ({
  identifiedBy: bank,
  needs: ['bank_account_number', bank],
  takes: aside,
  account: 'bank_account_number',
  code: bank,
  masked: ['bank_account_number', bank],
})

export const schemes: Readonly<Record<BankScheme, Scheme>> = {
  ach: domestic('bank_routing_number'),
  bacs: domestic('bank_sort_code'),
  trustly: {
    identifiedBy: 'bank_number',
    needs: ['iban', 'country_code', 'account_number', 'bank_number'],
    takes: ['account_holder_name'],
    account: 'iban',
    code: 'bank_number',
    masked: ['iban', 'account_number'],
  },
  sepa_bank_transfer: { identifiedBy: 'iban', needs: ['iban'], takes: ['bic', ...aside], account: 'iban', code: null, masked: ['iban'] },
  open_banking: { identifiedBy: null, needs: ['account_holder_name', 'iban'], takes: [], account: 'iban', code: null, masked: ['iban'] },
  pix_emv: {
    identifiedBy: 'emv',
    needs: ['emv'],
    takes: [...ofPix, 'pix_key'],
    account: 'emv',
    code: null,
    masked: ['emv', 'pix_key', ...maskedOfPix],
  },
  pix_key: {
    identifiedBy: 'pix_key',
    needs: ['pix_key'],
    takes: ofPix,
    account: 'pix_key',
    code: null,
    masked: ['pix_key', ...maskedOfPix],
  },
  pix: {
    identifiedBy: 'ispb',
    needs: ['bank_account_number'],
    takes: ofPix,
    account: 'bank_account_number',
    code: 'bank_branch',
    masked: maskedOfPix,
  },
}
const names = Object.keys(schemes) as BankScheme[]
const alias: ReadonlyMap<string, BankScheme> = new Map([['sepa', 'sepa_bank_transfer']])

function schemeOf(sent: BankSent, at: string): BankScheme {
  const { payout_method_type: type } = sent
  if (type !== undefined)
    return (
      alias.get(type) ??
      names.find(name => name === type) ??
      refuse('unacceptable', { field: `${at}.payout_method_type`, problem: `must be one of sepa, ${names.join(', ')}` })
    )
  const found = names.find(name => schemes[name].identifiedBy !== null && sent[schemes[name].identifiedBy!] !== undefined)
  return found ?? refuse('missing', { field: `${at}.iban, bank_routing_number, bank_sort_code, pix_key or payout_method_type` })
}

/** The ninth digit is a check digit: the digits multiplied by 3, 7 and 1 in turn add up to a multiple of ten. */
const isRouting = (text: string): boolean =>
  /^\d{9}$/.test(text) && [...text].reduce((sum, digit, i) => sum + Number(digit) * [3, 7, 1][i % 3]!, 0) % 10 === 0 && text !== '000000000'

/** Each checks a member and returns the form in which it is stored. */
const reads: Partial<Record<Name, (text: string, field: string, scheme: BankScheme) => string>> = {
  iban: readIban,
  bic: readBic,
  bank_routing_number: (text, field) => digits(text, field, isRouting, 'is not a valid routing number'),
  bank_sort_code: (text, field) => digits(text.replaceAll('-', ''), field, /^\d{6}$/, 'must have six digits'),
  bank_account_number: (text, field, scheme) => {
    if (scheme === 'bacs') return digits(text, field, /^\d{6,8}$/, 'must have six to eight digits')
    if (scheme === 'ach') return digits(text, field, /^\d{4,17}$/, 'must have 4 to 17 digits')
    return digits(text, field, /^[\dA-Za-z-]{1,34}$/, 'must contain letters and digits only')
  },
}

function digits(text: string, field: string, right: RegExp | ((text: string) => boolean), message: string): string {
  const plain = text.replace(/\s/g, '')
  return (typeof right === 'function' ? right(plain) : right.test(plain)) ? plain : refuse('unacceptable', { field, problem: message })
}

function read(sent: BankSent, at: string): Bank {
  const type = schemeOf(sent, at)
  const scheme = schemes[type]
  const of = (name: Name): string | null => {
    const value = sent[name]
    return value === undefined ? null : (reads[name]?.(value, `${at}.${name}`, type) ?? value)
  }
  for (const name of scheme.needs) if (sent[name] === undefined) refuse('missing', { field: `${at}.${name}` })
  for (const name of Object.keys(sent) as Name[])
    if (name !== 'payout_method_type' && !scheme.needs.includes(name) && !scheme.takes.includes(name))
      refuse('unacceptable', { field: `${at}.${name}`, problem: `does not belong to ${type}` })
  return {
    is: 'bank',
    type,
    account: new Secret(of(scheme.account)!),
    bank_code: scheme.code && of(scheme.code),
    bank_name: of('bank_name'),
    bic: of('bic'),
    tax_id: of('tax_id'),
    country: sent.bank_country_code ?? sent.country_code ?? (scheme.account === 'iban' ? of('iban')!.slice(0, 2) : null),
    holder: of('account_holder_name'),
  }
}

export const recipientBank: RecipientFamily<Bank, BankSent> = {
  is: 'bank',
  shape,
  payment_method: 'bank_transfer',
  sealed: ['bank_account_number', 'bank_routing_number', 'iban', 'pix_key', 'emv', 'account_number', 'tax_id'],
  read,
  show({ type }, sent) {
    const { masked, needs, takes } = schemes[type]
    const given = (name: Name) => sent[name] ?? null
    return Object.fromEntries(
      [...new Set([...needs, ...takes, ...masked])].map(name => [
        name,
        masked.includes(name) ? given(name) && maskedAccount(given(name)!) : given(name),
      ]),
    )
  },
}
