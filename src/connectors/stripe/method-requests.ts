import { Secret } from '../../base/secret.ts'
import type { AuthorizeRequest } from '../connector.ts'
import type { Other } from '../instrument.ts'
import { isId, isRecord, readJson, tableOf } from '../kit/read.ts'
import type { Place, Purchase } from '../purchase.ts'
import { inStripeUnits, noted, REQUEST_ID, shared, suffixOf } from './common.ts'
import { offerFor, type StripeFamily, type StripeRow, type StripeType } from './offers.ts'
import { billingDetails, klarnaLines, ofIntent, orderNote, type Payer } from './purchase.ts'

/** One request creates the payment method and pays with it, checked against Stripe's own types (`stripe.test.ts`). */

export type OfferAsk = AuthorizeRequest<StripeFamily>

/** The first of several names that has a value. */
const memberReader =
  ({ open, secrets }: Pick<Other, 'open' | 'secrets'>) =>
  (...names: string[]): string | undefined =>
    names.map(name => secrets[name]?.reveal() ?? open[name]).find(value => value !== undefined && value !== '')
type ReadMember = ReturnType<typeof memberReader>

/** If they differ from the API's; null: Stripe does not know the bank. */
// biome-ignore format: a table reads better in rows
const banks = tableOf<string | null>({
  nationale_nederlanden: 'nn', posojilnica_bank_e_gen: null, citi: 'citi_handlowy',
  e_transfer_pocztowy24: 'etransfer_pocztowy24', idea_bank: 'ideabank', agro_bank: 'agrobank', am_bank: 'ambank',
  bank_simpanan_nasional: 'bsn', cimb_bank: 'cimb', hsbc_bank: 'hsbc', kuwait_finance_house: 'kfh',
  maybank: 'maybank2u', ocbc_bank: 'ocbc', rhb_bank: 'rhb', standard_chartered_bank: 'standard_chartered',
  uob_bank: 'uob',
})

function bankIn(read: ReadMember) {
  const chosen = read('bank_name', 'issuer')
  const bank = chosen === undefined ? null : banks[chosen] === undefined ? chosen : banks[chosen]
  return bank === null ? {} : { bank }
}

const holders = tableOf({ personal: 'individual', business: 'company' } as const)
const accountTypes = tableOf({ checking: 'checking', savings: 'savings' } as const)

/** docs.stripe.com/api/payment_methods/create. */
const details = {
  au_becs_debit: read => ({ account_number: read('account_number') ?? '', bsb_number: read('bsb_number') ?? '' }),
  bacs_debit: read => ({ account_number: read('account_number') ?? '', sort_code: read('sort_code') ?? '' }),
  boleto: read => ({ tax_id: read('social_security_number') ?? '' }),
  eps: bankIn,
  fpx: read => ({ bank: bankIn(read).bank ?? '' }),
  ideal: bankIn,
  p24: bankIn,
  sepa_debit: read => ({ iban: read('iban') ?? '' }),
  us_bank_account: read => {
    const [holder, type] = [holders[read('bank_holder_type') ?? 'personal'], accountTypes[read('bank_type') ?? '']]
    return {
      account_number: read('account_number') ?? '',
      routing_number: read('routing_number') ?? '',
      account_holder_type: holder ?? ('individual' as const),
      ...(type && { account_type: type }),
    }
  },
} satisfies { [Type in StripeType]?: (read: ReadMember) => object }

/** For transfers of euros (payment_method_options.customer_balance). */
const accountCountries: readonly string[] = ['BE', 'DE', 'ES', 'FR', 'IE', 'NL']

/** `country`: only of a European account. */
type Account = { way: string; country: string }
/** If the request names none and Stripe has no account in the payer's country. */
const USUAL_COUNTRY = 'DE'
const accountOf = ({ instrument: { way, open } }: OfferAsk, purchase: Purchase | undefined): Account => {
  const home = purchase?.billing?.country ?? ''
  return { way, country: open.country ?? (accountCountries.includes(home) ? home : USUAL_COUNTRY) }
}

function fundedBy(_: ReadMember, { way, country }: Account) {
  const bank_transfer =
    way === 'ach_bank_transfer'
      ? { type: 'us_bank_transfer' as const }
      : way === 'bacs_bank_transfer'
        ? { type: 'gb_bank_transfer' as const }
        : { type: 'eu_bank_transfer' as const, eu_bank_transfer: { country } }
  return { funding_type: 'bank_transfer' as const, bank_transfer }
}

/** docs.stripe.com/api/payment_intents/create, payment_method_options. */
const options = {
  blik: read => ({ code: read('blik_code') ?? '' }),
  customer_balance: fundedBy,
  wechat_pay: () => ({ client: 'web' as const }),
} satisfies { [Type in StripeType]?: (read: ReadMember, account: Account) => object }

type Given<Table> = { [Type in keyof Table]?: Table[Type] extends (read: ReadMember, account: Account) => infer Body ? Body : never }
type Makers = { readonly [type: string]: ((read: ReadMember, account: Account) => object) | undefined }
const madeBy = <Table extends Makers>(table: Table, type: string, read: ReadMember, account: Account): Given<Table> => {
  const make = Object.hasOwn(table, type) ? table[type] : undefined
  return (make ? { [type]: make(read, account) } : {}) as Given<Table>
}

function payerIn(read: ReadMember): Payer {
  const place = readJson(read('billing_details.address') ?? '') as Place | undefined
  const named = [read('billing_details.first_name', 'first_name'), read('billing_details.last_name', 'last_name')]
  const name =
    read('bank_account_holder_name', 'billing_details.name', 'billing_details.billing_name', 'billing_name') ??
    named.filter(part => part !== undefined).join(' ')
  const email = read('billing_details.email', 'billing_email', 'email')
  const phone = read('phone_number', 'telephone_number')
  const tax_id = read('cpf', 'cnpj')
  const country = read('country', 'billing_country')
  return {
    ...(name && { name }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(tax_id && { tax_id }),
    ...(place && { place }),
    ...(country && { country }),
  }
}

/** Made by Stripe's library, or in Google's answer for the gateway `stripe`. Null: the wallet's own encrypted data. */
export function cardToken({ secrets }: Pick<Other, 'secrets'>): Secret | null {
  const text = (secrets['tokenization_data.token'] ?? secrets.token)?.reveal() ?? ''
  const body = readJson(text)
  const id = isRecord(body) ? body.id : text
  return isId(id) && id.startsWith('tok_') ? new Secret(id) : null
}

/** docs.stripe.com/api/payment_methods/create. */
export const tokenMethod = (token: Secret, purchase?: Purchase) => ({
  type: 'card' as const,
  card: { token: token.reveal() },
  ...billingDetails({}, purchase),
})

/** Null if too little is known: Stripe requires an IP address and a user agent, or that it was not agreed online. */
function agreement({ acceptance, purchase }: Pick<OfferAsk, 'acceptance' | 'purchase'>) {
  const accepted_at = acceptance?.accepted_at === undefined ? {} : { accepted_at: Math.floor(Date.parse(acceptance.accepted_at) / 1000) }
  if (acceptance?.acceptance_type === 'offline') return { ...accepted_at, type: 'offline' as const }
  const { ip_address, user_agent } = { ...purchase?.browser, ...acceptance?.online }
  return ip_address && user_agent ? { ...accepted_at, type: 'online' as const, online: { ip_address, user_agent } } : null
}

/** 5 to 22 characters (docs.stripe.com/get-started/account/statement-descriptors). */
function descriptorOf(text: string | null) {
  const statement_descriptor = suffixOf(text)
  return statement_descriptor !== null && statement_descriptor.length >= 5 ? { statement_descriptor } : {}
}

/** `agreed`: to a debit or to later charges; null: neither is required. */
export type Payable = { row: StripeRow; type: StripeType; agreed: Agreement | null }
type Agreement = NonNullable<ReturnType<typeof agreement>>

export const keeps = ({ stored_credential }: Pick<OfferAsk, 'stored_credential'>): boolean =>
  stored_credential?.is === 'made' && stored_credential.store !== false

/** Or a sentence that says why Stripe does not take it. */
export function payable(ask: OfferAsk): Payable | string {
  const { type, way } = ask.instrument
  const row = offerFor(ask.instrument)
  if (row === null || !row.ways.includes(way)) return `payment_method_type ${type} is not supported as ${way}`
  const { country = USUAL_COUNTRY } = ask.instrument.open
  if (way === 'sepa_bank_transfer' && !accountCountries.includes(country))
    return `payment_method_data.bank_transfer.${way}.country is the country of the account to transfer to, and must be one of ${accountCountries.join(', ')}`
  const mandated = row.requires?.includes('acceptance') || keeps(ask)
  const agreed = mandated ? agreement(ask) : null
  if (mandated && agreed === null)
    return `payment_method_type ${type} requires customer_acceptance, with online.ip_address and online.user_agent if it was accepted online`
  return { row, type: row.as as StripeType, agreed }
}

const dataOf = (ask: OfferAsk, type: StripeType, purchase: Purchase | undefined) => {
  const read = memberReader(ask.instrument)
  return { type, ...madeBy(details, type, read, accountOf(ask, purchase)), ...billingDetails(payerIn(read), purchase) }
}

/** `fee`: the part of a split payment that the platform keeps. */
const members = (
  ask: Omit<AuthorizeRequest, 'instrument'>,
  row: StripeRow,
  amount: number,
  purchase: Purchase | undefined,
  fee: number,
) => ({
  amount,
  currency: ask.money.currency.toLowerCase(),
  confirm: true as const,
  capture_method: ask.capture === 'automatic' ? ('automatic' as const) : ('manual' as const),
  ...ofIntent(purchase),
  ...(row.sends === 'lines' && klarnaLines(purchase, inStripeUnits(ask.money.currency))),
  ...shared(ask.split, fee),
  metadata: {
    ...noted(ask.metadata),
    [REQUEST_ID]: ask.request_id,
    ...orderNote(ask.purchase),
    ...(row.store !== undefined && { konbini_store: row.store }),
  },
  ...descriptorOf(ask.statement_descriptor),
  expand: ['latest_charge'],
})

/** Confirmed as it is created. `customer`: for whom it is saved; or the payer, if Stripe must know them. */
export const methodIntent = (
  ask: OfferAsk,
  { row, type, agreed }: Payable,
  amount: number,
  purchase: Purchase | undefined,
  fee = 0,
  customer: string | null = null,
) => ({
  ...members(ask, row, amount, purchase, fee),
  payment_method_data: dataOf(ask, type, purchase),
  allowed_payment_method_types: [type],
  return_url: ask.return_url,
  payment_method_options: madeBy(options, type, memberReader(ask.instrument), accountOf(ask, purchase)),
  ...(agreed && { mandate_data: { customer_acceptance: agreed } }),
  ...(customer !== null && { customer, ...(row.needs !== 'customer' && { setup_future_usage: 'off_session' as const }) }),
})

export function storedIntent(ask: AuthorizeRequest<'stored_card'>, row: StripeRow, amount: number, fee = 0) {
  const { reference, customer } = ask.instrument
  return {
    ...members(ask, row, amount, ask.purchase, fee),
    payment_method: reference,
    allowed_payment_method_types: [row.leaves ?? (row.as as StripeType)],
    ...(customer !== null && { customer }),
    off_session: true as const,
  }
}

/** Confirmed by a separate request, once its id is noted. */
export const methodSetup = (ask: OfferAsk, { type }: Payable, purchase: Purchase | undefined, customer: string) => ({
  payment_method_data: dataOf(ask, type, purchase),
  customer,
  allowed_payment_method_types: [type],
  usage: 'off_session' as const,
  metadata: { ...noted(ask.metadata), [REQUEST_ID]: ask.request_id },
})

export const confirmMethodSetup = ({ return_url }: OfferAsk, { agreed }: Payable) => ({
  return_url,
  ...(agreed && { mandate_data: { customer_acceptance: agreed } }),
  expand: ['latest_attempt'],
})
