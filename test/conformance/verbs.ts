import type { Currency } from '../../src/base/currencies.ts'
import { Secret } from '../../src/base/secret.ts'
import type { Account, Connector, Conversation, SyncRequest, Verb } from '../../src/connectors/connector.ts'
import type {
  FamilyName,
  InstrumentOf,
  Other,
  OtherFamily,
  PaymentInstrument,
  Recipient,
  RecipientName,
} from '../../src/connectors/instrument.ts'
import { actsOnNothing, verbs as entries, verbNames } from '../../src/connectors/verbs.ts'
import { families } from '../../src/instruments/families.ts'
import { paidBy } from '../ways.ts'
import type { Specimen } from './specimen.ts'

/** All requests that a connector can receive, about request REQ1, and the secrets that must never be readable. */

export const NUMBER = '4929123412341234'
export const CVC = '9137'
export const KEY = 'sk_unspeakable_83kd'
export const TOKEN = 'tk_unspeakable_29xz'

export const accountOf = (connector: Connector, { names }: Specimen): Account => ({
  base_url: 'https://processor.example',
  credentials: Object.fromEntries(
    connector.credentials.members.map((name, i) => [name, new Secret(names?.includes(name) ? 'Shop' : `${KEY}${i || ''}`)]),
  ),
  webhook_secret: new Secret('whsec_unspeakable'),
  metadata: {
    ...(connector.settings?.amount_unit && { amount_unit: 'major' }),
    ...(connector.settings?.currency_account && { currency_account: 'ca_shop' }),
    ...(connector.settings?.source_balance_account && { source_balance_account: 'BA1' }),
    ...(connector.settings?.payout_url && { payout_url: 'https://payouts.example' }),
    ...(connector.settings?.merchant_accounts && { merchant_accounts: 'USD=shop_usd,JPY=shop_jpy,KWD=shop_kwd,CLF=shop_clf' }),
  },
})

type VerbOptions = { amount?: number; currency?: Currency; reference?: string | null }

/** An instrument of each family. A connector authorizes by each family that it accepts. */
const instrumentBy: { [F in FamilyName]: InstrumentOf<F> } = {
  card: { is: 'card', number: new Secret(NUMBER), exp_month: 12, exp_year: 2030, cvc: new Secret(CVC), holder: 'Ada Byron' },
  stored_card: { is: 'stored_card', reference: 'their_card_1', customer: 'their_customer_1', cvc: new Secret(CVC) },
  network_transaction_id: {
    is: 'network_transaction_id',
    number: new Secret(NUMBER),
    exp_month: 12,
    exp_year: 2030,
    holder: null,
    network_transaction_id: '123456789012345',
  },
  wallet: other('wallet', 'google_pay', 'google_pay', { 'info.card_details': '1111' }, { 'tokenization_data.token': TOKEN }),
  bank_redirect: other('bank_redirect', 'ideal', 'ideal', { bank_name: 'ing' }),
  bank_debit: other(
    'bank_debit',
    'ach',
    'ach_bank_debit',
    {},
    {
      account_number: '000123456789',
      routing_number: '110000000',
      bank_account_holder_name: 'Ada Byron',
    },
  ),
  bank_transfer: other('bank_transfer', 'sepa_bank_transfer', 'sepa_bank_transfer', { country: 'DE' }),
  pay_later: other('pay_later', 'klarna', 'klarna_redirect'),
  card_redirect: other('card_redirect', 'knet', 'knet'),
  crypto: other('crypto', 'crypto_currency', 'crypto', { pay_currency: 'LTC' }),
  upi: other('upi', 'upi_collect', 'upi_collect', {}, { vpa_id: 'ada.byron@upi' }),
  voucher: other('voucher', 'oxxo', 'oxxo'),
  gift_card: other('gift_card', 'givex', 'givex', {}, { number: '6036280000000000000', cvc: '122222' }),
  reward: other('reward', 'classic', 'reward'),
  real_time_payment: other('real_time_payment', 'fps', 'fps'),
  open_banking: other('open_banking', 'open_banking_pis', 'open_banking_pis'),
  mobile_payment: other('mobile_payment', 'direct_carrier_billing', 'direct_carrier_billing', {}, { msisdn: '447700900123' }),
  network_token: other(
    'network_token',
    'network_token',
    'network_token',
    { token_exp_month: '12', token_exp_year: '2040', eci: '07', card_network: 'Visa' },
    { network_token: '4895370012003478', token_cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=' },
  ),
}

const NOW = '2026-03-01T10:00:00.000Z'
/** Returns the instrument of a payment request in this way. `data`: members that differ from the usual ones. */
export function paidIn(family: OtherFamily, way: string, data: object = {}): PaymentInstrument {
  const { payment_method_data, payment_method_type } = paidBy(family, way, data)
  return families[family].read(payment_method_data[family], NOW, payment_method_type) as PaymentInstrument
}

/** The ways that a connector accepts, by the connector's name, for connectors that do not accept every way. */
export const waysOf = new Map<string, NonNullable<Specimen['ways']>>()

/** Returns the first way of a family that the connector accepts; undefined if it accepts all ways. */
const wayOf = ({ name }: Connector, family: FamilyName) => waysOf.get(name)?.find(one => one.family === family)

function instrumentOf(connector: Connector, family: FamilyName): PaymentInstrument {
  const own = wayOf(connector, family)
  return own ? paidIn(own.family, own.way, own.said) : instrumentBy[family]
}

function other<F extends OtherFamily>(
  is: F,
  type: string,
  way: string,
  open: Record<string, string> = {},
  secrets: Record<string, string> = {},
): Other<F> {
  return { is, type, way, open, secrets: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, new Secret(value)])) }
}

/** A recipient of each kind. */
const recipientBy: { [R in RecipientName]: Extract<Recipient, { is: R }> } = {
  card: { is: 'card', type: 'debit', number: new Secret(NUMBER), exp_month: 12, exp_year: 2030, holder: 'Ada Byron' },
  bank: {
    is: 'bank',
    type: 'sepa_bank_transfer',
    account: new Secret('DE89370400440532013000'),
    bank_code: null,
    bank_name: null,
    bic: null,
    tax_id: null,
    country: 'DE',
    holder: 'Ada Byron',
  },
  wallet: {
    is: 'wallet',
    type: 'venmo',
    account: new Secret('+254700000123'),
    by: 'telephone_number',
    exp_month: null,
    exp_year: null,
    holder: null,
  },
  bank_redirect: { is: 'bank_redirect', type: 'interac', account: new Secret('ada@example.com'), holder: null },
  passthrough: { is: 'passthrough', type: 'ach', account: new Secret('acct_1'), customer: null, holder: null },
}

/** The conversations without a card number, which need not send one to the processor first. */
export const withoutNumber = new Set<() => Conversation>()
/** The instrument of each authorization. */
export const paidWith = new Map<() => Conversation, PaymentInstrument>()
/** The authorizations without a card number whose instrument is nevertheless created before it is charged. */
export const madeKnown = new Set<() => Conversation>()
/** The conversations without a security code, so that a code in the processor's answer could not be recognized. */
export const withoutCode = new Set<() => Conversation>()

/** The verbs that act on an earlier operation. Disputes have a suite of their own (`disputes.test.ts`). */
const later = verbNames.filter(verb => !actsOnNothing(verb) && entries[verb].of !== 'dispute')
/** The further members of these verbs' requests. */
const more: Partial<Record<Verb, object>> = { capture: { rest: 'release' }, refund: { reason: 'damaged' } }

/** An authorization of request REQ1, without its money, capture and instrument. */
export const usual = {
  request_id: 'REQ1',
  three_ds: 'request',
  return_url: 'https://shop.example/return',
  merchant_name: 'Chairs & Co',
  partial_approval: 'refuse',
  stored_credential: null,
  statement_descriptor: 'SHOP',
  acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } },
} as const

/** Returns each verb that the connector has, with a function that begins its conversation about request REQ1. */
export function verbs(connector: Connector, account: Account, { amount = 1250, currency = 'USD', reference = 'auth_1' }: VerbOptions = {}) {
  const money = { amount, currency }
  const about = { request_id: 'REQ1', authorization: { reference, request_id: 'REQ0' }, money }
  const authorize = (instrument: PaymentInstrument) => (): Conversation =>
    connector.authorize!({ ...usual, money, capture: 'manual', instrument }, account)
  const by = (name: FamilyName) => {
    const instrument = instrumentOf(connector, name)
    const begin = authorize(instrument)
    paidWith.set(begin, instrument)
    if (name !== 'card' && name !== 'network_transaction_id') withoutNumber.add(begin)
    if (name !== 'card') withoutCode.add(begin)
    if (wayOf(connector, name)?.first) madeKnown.add(begin)
    return begin
  }
  const payTo = (name: RecipientName) => {
    const begin = (): Conversation =>
      connector.payout!(
        {
          request_id: 'REQ1',
          money,
          recipient: recipientBy[name],
          entity_type: 'Individual',
          priority: 'instant',
          merchant_name: 'Chairs & Co',
          description: 'March',
        },
        account,
      )
    withoutCode.add(begin)
    if (name !== 'card') withoutNumber.add(begin)
    return begin
  }
  const { authorize: pay, payout, accepts } = connector
  const change = (verb: Verb): [Verb, (() => Conversation) | undefined] => {
    // The type of this verb's request is not known here; `more` supplies the members that the verb requires.
    const say = connector[verb] as ((ask: object, account: Account) => Conversation) | undefined
    return [verb, say && (() => say({ ...about, ...more[verb] }, account))]
  }
  const all: [Verb, (() => Conversation) | undefined][] = [
    ...accepts.methods.map((name): [Verb, (() => Conversation) | undefined] => ['authorize', pay && by(name)]),
    ...(accepts.recipients ?? []).map((name): [Verb, (() => Conversation) | undefined] => ['payout', payout && payTo(name)]),
    ...later.map(change),
  ]
  return all.filter((entry): entry is [Verb, () => Conversation] => entry[1] !== undefined)
}

/**
 * Returns the lookups of each verb's operation, if the connector has lookups. `returns` has the conversations that
 * continue with a customer's data, which may move money.
 */
export const syncs = (connector: Connector, account: Account, references: (string | null)[] = ['auth_1', null]) =>
  askedAbout(connector).flatMap(verb =>
    references.flatMap(reference => (connector.sync ? [() => connector.sync!(askAbout(verb, reference), account)] : [])),
  )
/** Returns the verbs whose operations are queried: not authentication, and payouts only if the connector has them. */
const askedAbout = ({ payout }: Connector): Verb[] =>
  verbNames.filter(verb => ['payment', 'refund', payout && 'payout'].includes(entries[verb].of) && verb !== 'authenticate')

export const returns = ({ returned }: Connector, account: Account) =>
  returned
    ? ['auth_1', null].flatMap(reference => {
        const brought = Object.fromEntries(returned.parameters.map(name => [name, 'what they say']))
        const session = 'what they call it'
        const steps = returned.native
          ? [
              { threeds_method_comp_ind: 'Y', session },
              { trans_status: 'Y', session },
            ]
          : []
        return [brought, ...steps].map(
          (parameters: Record<string, string>) => () => returned.ask({ ...askAbout('authorize', reference), parameters }, account),
        )
      })
    : []

const askAbout = (verb: Verb, reference: string | null): SyncRequest => ({
  verb,
  request_id: 'REQ1',
  reference,
  money: { amount: 1250, currency: 'USD' },
  authorization: actsOnNothing(verb) ? null : { reference: 'auth_1', request_id: 'REQ0' },
})
