import * as check from './checks.ts'

/** The kinds of objects that can be imported, and the vendors whose files can be read. */
export const kinds = ['customers', 'cards'] as const
export type Kind = (typeof kinds)[number]
export const sources = ['csv', 'stripe', 'hyperswitch'] as const
export type Source = (typeof sources)[number]

/**
 * A column: the members that get its text, and the check of the text. Members are written with dots: `customer.…` of
 * `POST /customers`, `card.…` of `POST /payment_methods/migrate`, `at.…` of the account that keeps the card.
 */
type Column = { to: readonly string[]; needed?: true | 'of a card' | 'of a token'; is?: check.Check }

/**
 * The members for the card number and the network token. A line with a network token and no card number is imported as
 * a token.
 */
export const CARD = 'card.card.card_number'
export const TOKEN = 'card.network_token.network_token_data'

export type Shape = {
  columns: Readonly<Record<string, Column>>
  /** The member that gets `metadata`. Columns that match the pattern are its keys. */
  metadata?: { column: RegExp; to: string }
  /** Columns that the vendor writes and that are not imported. */
  unused: readonly string[] | 'any other'
}

const columns = (prefix: string, names: Record<string, string>, ...to: string[]): Record<string, Column> =>
  Object.fromEntries(Object.entries(names).map(([name, member]) => [`${prefix}${name}`, { to: to.map(one => `${one}.${member}`) }]))

const same = (...names: string[]) => Object.fromEntries(names.map(name => [name, name]))

const address = same('line1', 'line2', 'line3', 'city', 'state', 'zip', 'country', 'first_name', 'last_name')
const id: Column = { to: ['customer.customer_id', 'card.customer_id'], needed: true, is: check.customerId }
const email: Column = { to: ['customer.email'], is: check.email }
const ofCard = 'of a card'
const number: Column = { to: [CARD], needed: ofCard, is: check.cardNumber }
const month: Column = { to: ['card.card.card_exp_month'], needed: ofCard, is: check.month }
const year: Column = { to: ['card.card.card_exp_year'], needed: ofCard, is: check.year }
const ofToken = 'of a token'
const token: Column = { to: [`${TOKEN}.network_token_number`], needed: ofToken, is: check.cardNumber }
const tokenMonth: Column = { to: [`${TOKEN}.network_token_exp_month`], needed: ofToken, is: check.month }
const tokenYear: Column = { to: [`${TOKEN}.network_token_exp_year`], needed: ofToken, is: check.year }
const transaction: Column = { to: ['card.network_transaction_id'], is: check.transactionId }
const ofCustomer = columns('', same('name', 'phone', 'phone_country_code', 'description', 'tax_registration_id'), 'customer')
const metadata = /^metadata\.(.+)$/

const ours: Record<Kind, Shape> = {
  customers: {
    columns: { customer_id: id, email, ...ofCustomer, ...columns('address_', address, 'customer.address') },
    metadata: { column: metadata, to: 'customer.metadata' },
    unused: [],
  },
  cards: {
    columns: {
      customer_id: id,
      card_number: number,
      card_exp_month: month,
      card_exp_year: year,
      network_token: token,
      token_exp_month: tokenMonth,
      token_exp_year: tokenYear,
      ...columns('', same('card_holder_name', 'nick_name', 'card_network'), 'card.card'),
      payment_method_type: { to: ['card.payment_method_type'] },
      network_transaction_id: transaction,
      merchant_connector_id: { to: ['at.account'] },
      connector_mandate_id: { to: ['at.connector_mandate_id'] },
      connector_customer_id: { to: ['at.connector_customer_id'] },
      is_default: { to: ['is_default'], is: check.flag },
      ...columns('billing_', address, 'card.billing.address'),
    },
    metadata: { column: metadata, to: 'card.metadata' },
    unused: [],
  },
}

const stripeAddress = { line1: 'line1', line2: 'line2', city: 'city', state: 'state', zip: 'zip', country: 'country' }
const stripeCustomer = { id, email, ...columns('', same('name', 'phone', 'description'), 'customer') }

const stripe: Record<Kind, Shape> = {
  // The CSV export of Stripe's dashboard, and lists from Stripe's API (`address.line1`).
  customers: {
    columns: {
      ...stripeCustomer,
      ...columns('card address ', stripeAddress, 'customer.address'),
      ...columns('address.', { ...same('line1', 'line2', 'city', 'state', 'country'), postal_code: 'zip' }, 'customer.address'),
      'business vat id': { to: ['customer.tax_registration_id'] },
    },
    metadata: { column: /^(?:metadata\.(.+)|(.+) \(metadata\))$/, to: 'customer.metadata' },
    unused: 'any other',
  },
  // Stripe's export of card data.
  cards: {
    columns: {
      ...stripeCustomer,
      'card.number': number,
      'card.exp_month': month,
      'card.exp_year': year,
      'card.name': { to: ['card.card.card_holder_name'] },
      'card.transaction_ids': transaction,
      'card.id': { to: ['at.connector_mandate_id'] },
      ...columns('card.address_', stripeAddress, 'card.billing.address'),
      default_source: { to: ['default_source'] },
    },
    unused: 'any other',
  },
}

const record = {
  customer_id: id,
  email,
  ...columns('', same('name', 'phone', 'phone_country_code'), 'customer'),
}

const hyperswitch: Record<Kind, Shape> = {
  // Lists from Hyperswitch's API, and the customers in its file of payment methods.
  customers: {
    columns: {
      ...record,
      ...columns('', same('description', 'tax_registration_id'), 'customer'),
      ...columns('address.', address, 'customer.address'),
      ...columns('billing_address_', address, 'customer.address'),
    },
    metadata: { column: metadata, to: 'customer.metadata' },
    unused: 'any other',
  },
  // Hyperswitch's file for the migration of payment methods.
  cards: {
    columns: {
      ...record,
      name: { to: ['customer.name', 'card.card.card_holder_name'] },
      raw_card_number: number,
      card_expiry_month: month,
      card_expiry_year: year,
      network_token_number: token,
      network_token_expiry_month: tokenMonth,
      network_token_expiry_year: tokenYear,
      network_token_requestor_ref_id: { to: ['card.network_token.network_token_requestor_ref_id'] },
      nick_name: { to: ['card.card.nick_name'] },
      payment_method: { to: ['card.payment_method'] },
      payment_method_type: { to: ['card.payment_method_type'] },
      original_transaction_id: transaction,
      payment_instrument_id: { to: ['at.connector_mandate_id'] },
      merchant_connector_id: { to: ['at.account'] },
      ...columns('billing_address_', address, 'card.billing.address', 'customer.address'),
    },
    unused: 'any other',
  },
}

export const shapes: Record<Source, Record<Kind, Shape>> = { csv: ours, stripe, hyperswitch }
