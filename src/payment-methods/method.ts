import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { randomAlphanumeric } from '../base/id.ts'
import { statesOf } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange } from '../context.ts'
import { statement } from '../database/statement.ts'
import { json, type RowOf, select, table, text, time, word } from '../database/table.ts'
import type { MaskedCard } from '../instruments/card.ts'
import type { MaskedOther } from '../instruments/other.ts'
import type { MaskedRecipient } from '../instruments/recipient.ts'
import { type RequestMember, tableColumns } from '../resources/read.ts'
import { vaultRecords } from '../vault/records.ts'
import { methodFields } from './fields.ts'
import { lifecycle, type MethodStatus, usable } from './lifecycle.ts'
import type { MethodAsk } from './shape.ts'

/** Stored and shown, apart from card data. */
export type MethodDetails = Pick<MethodAsk, RequestMember<typeof methodFields>> & {
  /** Masked, if it is not a card. Its other data is not stored. */
  paid_with?: MaskedOther
}

/**
 * The data with which a saved payment method can be charged again. `connectors`: its id at each, by
 * merchant_connector_id. `network_transaction_id`: of the payment in which the cardholder agreed to `usage`;
 * `network_account`: that payment's connector account (absent if it was saved before it was recorded).
 */
export type Recurring = {
  usage: 'on_session' | 'off_session'
  network_transaction_id: string | null
  network_account?: string | null
  connectors: Readonly<Record<string, { connector_mandate_id: string; connector_customer_id: string | null }>>
}

/**
 * Rows of their customer: two requests that save the same card, or a concurrent deletion of the customer, conflict at
 * the customer's version. The number is in the vault (`vault_records`, `method …`); its masked form is in no history.
 */
export const paymentMethods = table('payment_methods', {
  key: ['merchant_id', 'payment_method_id'],
  columns: {
    ...tableColumns(methodFields),
    status: word('payment_method_status', statesOf(lifecycle)),
    fingerprint: text().orNull().unrecorded(),
    masked: json<MaskedCard>().orNull().unrecorded(),
    /** Masked: a bank account, a wallet or a bank redirect that can only be paid to. */
    recipient: json<MaskedRecipient>().orNull().unrecorded(),
    details: json<MethodDetails>().unrecorded(),
    recurring: json<Recurring>().orNull().unrecorded(),
    secret_expires_at: time().fixed(),
    modified_at: time(),
  },
})
export type Method = RowOf<typeof paymentMethods>

/** At the account of the agreement, or anywhere if the profile is connector-agnostic. */
export function networkAccounts(merchant: Merchant, profile_id: string, recurring: Recurring): readonly string[] | 'anywhere' {
  const { network_transaction_id, network_account } = recurring
  if (network_transaction_id === null) return []
  if (profileSetting(merchant, profile_id, 'is_connector_agnostic_mit_enabled')) return 'anywhere'
  return network_account ? [network_account] : []
}

type Reads = Pick<Context, 'query'>

const byId = statement('payment_method_by_id', select(paymentMethods, 'where merchant_id = $1 and payment_method_id = $2'))
const ofCustomer = statement('payment_methods_of_customer', select(paymentMethods, 'where merchant_id = $1 and customer_id = $2'))

const bySecret = statement('payment_method_by_secret', select(paymentMethods, 'where merchant_id = $1 and client_secret = $2'))

export const findMethodBySecret = async (context: Reads, merchant_id: string, client_secret: string): Promise<Method | undefined> =>
  (await context.query<Method>(bySecret, [merchant_id, client_secret]))[0]

export const findMethod = async (context: Reads, merchant_id: string, payment_method_id: string): Promise<Method | undefined> =>
  (await context.query<Method>(byId, [merchant_id, payment_method_id]))[0]

export const needMethod = async (context: Reads, merchant_id: string, payment_method_id: string): Promise<Method> =>
  (await findMethod(context, merchant_id, payment_method_id)) ?? refuse('not_found', { what: 'payment method' })

export const findMethods = (context: Reads, merchant_id: string, customer_id: string): Promise<Method[]> =>
  context.query<Method>(ofCustomer, [merchant_id, customer_id])

const counted = statement(
  'payment_methods_counted',
  'select customer_id, status, count(*)::int as n from payment_methods where merchant_id = $1 and customer_id = any($2) group by 1, 2',
)

/** Only usable ones; customers without any are left out. */
export async function countMethods(
  context: Reads,
  merchant_id: string,
  customer_ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (customer_ids.length === 0) return new Map()
  const found = await context.query<{ customer_id: string; status: MethodStatus; n: number }>(counted, [merchant_id, customer_ids])
  const sums = new Map<string, number>()
  for (const { customer_id, n } of found.filter(isUsable)) sums.set(customer_id, (sums.get(customer_id) ?? 0) + n)
  return sums
}

export const isUsable = ({ status }: { status: MethodStatus }): boolean => usable.includes(status)

/** A bank account that a payout was sent to has no consent to be charged, and a mere record cannot be charged. */
export const isPayable = (method: Pick<Method, 'status' | 'masked'>): boolean => isUsable(method) && method.masked !== null

/** Neither a saved card nor an account for payouts. */
export const isRecordOnly = ({ status, masked, recipient }: Pick<Method, 'status' | 'masked' | 'recipient'>): boolean =>
  isUsable({ status }) && masked === null && recipient === null

/** No card, but a processor stores it: it can be charged off-session. */
export const isKeptElsewhere = (method: Pick<Method, 'status' | 'masked' | 'recipient' | 'recurring'>): boolean =>
  isRecordOnly(method) && method.recurring !== null

/** Refuses (IR_19) to charge a payment method that is only a record. */
export const refuseRecord = ({ payment_method }: Pick<Method, 'payment_method'>): never =>
  refuse('not_supported', {
    problem: `A saved payment method of payment_method ${payment_method} cannot be charged: no connector supports it`,
  })

/** 30 characters (specification, limits), too short to contain the id; clients look for `_secret_` in it. */
export const newSecret = (context: Pick<Context, 'random'>): string =>
  `pm_${randomAlphanumeric(context, 8)}_secret_${randomAlphanumeric(context, 11)}`

export const methodRecord = ({ payment_method_id }: Pick<Method, 'payment_method_id'>): string => `method ${payment_method_id}`

/** `before`: whether the vault already has one. */
export async function keepNumber(
  context: Pick<Context, 'numbers' | 'now'>,
  method: Method,
  number: string,
  before: 'there' | 'new',
): Promise<RowChange> {
  const { merchant_id } = method
  const record = methodRecord(method)
  const after = { merchant_id, record, sealed: await context.numbers.keep(merchant_id, record, number), created: context.now() }
  return { table: vaultRecords.name, before: before === 'there' ? { merchant_id, record } : null, after }
}

export function forgetMethod(method: Method): RowChange[] {
  const { merchant_id, masked, recipient, recurring } = method
  const gone: RowChange = { table: paymentMethods.name, before: method, after: null }
  return masked || recipient || recurring
    ? [gone, { table: vaultRecords.name, before: { merchant_id, record: methodRecord(method) }, after: null }]
    : [gone]
}

export const forgetMethods = async (
  context: Reads,
  { merchant_id, customer_id }: Pick<Method, 'merchant_id' | 'customer_id'>,
): Promise<RowChange[]> => (await findMethods(context, merchant_id, customer_id)).flatMap(forgetMethod)
