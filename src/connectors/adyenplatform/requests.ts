import type { Request } from '../../context.ts'
import type { Amount } from '../adyen/requests.ts'
import type { Account, RequestOf } from '../connector.ts'
import type { Recipient } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { baseOf } from '../kit/request.ts'
import { shortened } from '../kit/text.ts'
import { settingOf } from '../settings.ts'

/** Transfers API v4. Absent members are left out. */

export const askTransfers = (account: Account, path: string): Request => ({
  method: 'GET',
  url: `${baseOf(account)}/transfers${path}`,
  headers: { 'x-api-key': credentialOf(account).reveal() },
})

/** `key`: the idempotency key. */
export const postTransfers = (account: Account, path: string, body: object, key: string): Request => ({
  method: 'POST',
  url: `${baseOf(account)}/transfers${path}`,
  headers: { 'x-api-key': credentialOf(account).reveal(), 'content-type': 'application/json', 'idempotency-key': key },
  body: JSON.stringify(body),
})

export const balanceAccountOf = (account: Account): string | undefined => settingOf(account, 'source_balance_account')

const priorities = {
  instant: 'instant',
  fast: 'fast',
  regular: 'regular',
  wire: 'wire',
  cross_border: 'crossBorder',
  internal: 'internal',
} as const

/** Or a sentence that says why it cannot be requested. */
export function transferBody(ask: RequestOf<'payout'>, amount: Amount, account: Account) {
  const { recipient, request_id, description, merchant_name, priority } = ask
  const balanceAccountId = balanceAccountOf(account)
  if (balanceAccountId === undefined) return 'The connector account has no source_balance_account, which payouts are made from.'
  if (recipient.is !== 'bank') return 'Adyen’s Transfers API pays out to bank accounts only.'
  const accountIdentification = identificationOf(recipient)
  if (typeof accountIdentification === 'string') return accountIdentification
  if (recipient.holder === null) return 'Adyen requires the name of the account holder.'
  return {
    amount,
    balanceAccountId,
    category: 'bank',
    counterparty: { bankAccount: { accountHolder: holderOf(recipient.holder, ask), accountIdentification } },
    priority: priorities[priority ?? 'regular'],
    reference: request_id,
    // The text on the recipient's statement.
    description: shortened(withoutStrange(description ?? merchant_name), 140),
  } as const
}

type BankRecipient = Extract<Recipient, { is: 'bank' }>

function identificationOf({ type, account, bank_code, bic }: BankRecipient) {
  switch (type) {
    case 'sepa_bank_transfer':
      return { type: 'iban', iban: account.reveal(), ...(bic !== null && { bic }) } as const
    case 'ach':
      return { type: 'usLocal', accountNumber: account.reveal(), routingNumber: bank_code ?? '' } as const
    // Account numbers of fewer digits are padded with zeros.
    case 'bacs':
      return { type: 'ukLocal', accountNumber: account.reveal().padStart(8, '0'), sortCode: bank_code ?? '' } as const
    default:
      return `Adyen’s Transfers API does not pay out by ${type}.`
  }
}

const persons: readonly RequestOf<'payout'>['entity_type'][] = ['Individual', 'NaturalPerson', 'Personal', 'lowercase']

function holderOf(holder: string, ask: RequestOf<'payout'>) {
  const address = addressOf(ask)
  return {
    fullName: plainLetters(holder),
    type: persons.includes(ask.entity_type) ? ('individual' as const) : ('organization' as const),
    ...(address && { address }),
  }
}

/** Names too short for Adyen, and states that are no code, are left out: an address is only sometimes required. */
function addressOf({ billing }: RequestOf<'payout'>) {
  const { country, city, line1, line2, zip, state } = billing?.address ?? {}
  if (!country) return null
  return {
    country,
    ...(city && city.length >= 3 && { city: plainLetters(city) }),
    ...(line1 && { line1: plainLetters(line1) }),
    ...(line2 && { line2: plainLetters(line2) }),
    ...(zip && zip.length >= 3 && { postalCode: zip }),
    ...(state && /^[A-Z]{2}$/.test(state) && { stateOrProvince: state }),
  }
}

/** Banks use no accents. Adyen refuses all other letters, and then no money moves. */
const plainLetters = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

const withoutStrange = (text: string): string =>
  plainLetters(text)
    .replaceAll(/[^\w/\-?:().,'+ ]|_/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()

export const cancelTransferBody = (id: string) => ({ transferIds: [id] })
