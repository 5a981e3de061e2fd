import type { ConnectorDetails } from '../accounts/inline-account.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { canonical } from '../base/canonical.ts'
import { refuse, withOthers } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { readTime } from '../base/time.ts'
import type { ThreeDsResult } from '../connectors/authentication.ts'
import type { Context, Time } from '../context.ts'
import { type InstrumentInput, lastingPart, readInstrument } from '../instruments/input.ts'
import type { Call } from '../operations/verb.ts'
import { checkCaptureOn, checkInstrument, checkNamed, checkPayer, checkTerms } from './check.ts'
import { allFields, type ColumnName, type FieldName, refusalMessage, refusedByName } from './fields/all.ts'
import { checkConnectors } from './fields/checks.ts'
import type { PaymentField } from './fields/field.ts'
import { netAmount } from './net-amount.ts'
import type { Payment, PaymentParams } from './payment.ts'
import type { ConfirmBody, CreateBody, UpdateBody } from './request-shapes.ts'
import { cardIn, keptRecurringDetails } from './stored-credentials/merchant-initiated.ts'

/** A browser, which may not set what is sold to whom. `ours`: whether a checkout of ours asks; `payment`: its own. */
type Browser = { is: 'client'; address: string; origin: string | null; payment: Payment | null; ours: boolean }
/** The caller of a request. The merchant's server may set everything. */
export type PaymentCaller = { is: 'server' } | Browser

/** The caller with a secret key. */
export const merchantsServer: PaymentCaller = { is: 'server' }

/** The checked content of a request; nothing after this reads the request itself. */
export type PaymentTerms = {
  /** The values of columns. */
  columns: Partial<Pick<Payment, ColumnName>>
  /** The other members that are stored. */
  request: PaymentParams
  /** The instrument that the request contains. */
  input: InstrumentInput | null
  /** The security code for a saved instrument. */
  card_cvc: string | undefined
  /** The cardholder's name, for a card that was saved without one. */
  card_holder_name: string | undefined
  /** The result of an authentication of the customer elsewhere. */
  threeDsResult: ThreeDsResult | null
  /** The credentials in the request, for a connector account of their own. */
  credentials: ConnectorDetails | null
  /** The members that must repeat the payment's own values: they change nothing. */
  claims: ImmutableFields
}

/** The members of a request that may only repeat the payment's own values, by name. */
export type ImmutableFields = Readonly<Record<string, unknown>>

/** The checked content of a create request. `confirm`: whether to authorize at once. */
export type CreateTerms = PaymentTerms & { columns: Pick<Payment, 'amount' | 'currency'>; confirm: boolean }

/** Reads a create request. Refuses, by the name of the field, values that are not allowed. */
export function createTerms(call: Pick<Call, 'context' | 'merchant'>, ask: CreateBody): CreateTerms {
  checkNamed(call.merchant, ask)
  try {
    return readCreate(call, ask)
  } catch (error) {
    throw withOthers(error, [...checksOf(call, ask), () => checkTerms(asItWouldBe(ask))])
  }
}

const readCreate = (call: Pick<Call, 'context' | 'merchant'>, ask: CreateBody): CreateTerms => ({
  ...readTerms<CreateTerms['columns']>(call, ask, {}),
  confirm: ask.confirm === true,
})

/** Reads an update or a confirm. Refuses invalid values by field, and (403) members that the caller may not set. */
export function confirmTerms(call: Pick<Call, 'context' | 'merchant'>, ask: ConfirmBody | UpdateBody, caller: PaymentCaller): PaymentTerms {
  const { claims, rest } = parted(ask, caller)
  if (caller.is === 'client') checkClaims(claims, caller.payment)
  try {
    const terms = readTerms(call, rest, claims)
    const wallet_connectors = caller.is === 'client' ? walletConnectorsIn(ask) : null
    return wallet_connectors ? { ...terms, request: { ...terms.request, wallet_connectors } } : terms
  } catch (error) {
    throw withOthers(error, checksOf(call, rest))
  }
}

/** Returns the connectors that a browser names with a wallet; for other methods the merchant's routing decides. */
function walletConnectorsIn({
  connector,
  payment_method,
  payment_method_type,
}: ConfirmBody | UpdateBody): PaymentParams['wallet_connectors'] {
  if (!connector || connector.length === 0 || payment_method !== 'wallet' || payment_method_type === undefined) return undefined
  checkConnectors('connector', connector)
  return { payment_method_type, connectors: connector }
}

/** Reads the members that every request may have. */
function readTerms<Columns extends PaymentTerms['columns']>(
  { context, merchant }: Pick<Call, 'context' | 'merchant'>,
  ask: CreateBody | ConfirmBody | UpdateBody,
  claims: ImmutableFields,
): PaymentTerms & { columns: Columns } {
  const { columns, request } = sorted<Columns>(merchant, ask)
  const now = context.now()
  checkCaptureOn(request, now)
  return {
    columns,
    request,
    input: inputOf(ask, now),
    ...withSaved(ask),
    threeDsResult: proofIn(ask),
    credentials: ask.merchant_connector_details ?? null,
    claims,
  }
}

/** Returns every check that needs only the request. */
const checksOf = (
  { context, merchant }: Pick<Call, 'context' | 'merchant'>,
  ask: CreateBody | UpdateBody | ConfirmBody,
): (() => unknown)[] => [
  ...Object.keys(ask).map(name => () => checkMember(rules.get(name)!, name, ask, merchant)),
  () => checkPayer(ask),
  () => checkInstrument(ask),
  () => ask.recurring_details && keptRecurringDetails(ask.recurring_details, ask),
  () => (ask.capture_method ?? 'scheduled') === 'scheduled' && checkCaptureOn(ask as PaymentParams, context.now()),
  () => inputOf(ask, context.now()),
]

/** Returns the payment that a refused create would have authorized, to find further errors in it. */
function asItWouldBe(ask: CreateBody): Parameters<typeof checkTerms>[0] {
  const { amount, capture_on, off_session, payment_channel } = ask
  const isAbsent = off_session === true || (payment_channel !== undefined && payment_channel !== 'ecommerce')
  return {
    amount,
    net_amount: netAmount(ask as PaymentParams, amount),
    capture_method: ask.capture_method ?? (capture_on === undefined ? 'automatic' : 'scheduled'),
    authentication_type: ask.authentication_type ?? (isAbsent ? 'no_three_ds' : 'three_ds'),
    request: ask as PaymentParams,
  }
}

function withSaved({
  card_cvc,
  payment_method_data,
}: CreateBody | ConfirmBody | UpdateBody): Pick<PaymentTerms, 'card_cvc' | 'card_holder_name'> {
  const token = payment_method_data?.card_token
  return { card_cvc: card_cvc ?? token?.card_cvc, card_holder_name: token?.card_holder_name }
}

const inputOf = (ask: CreateBody | ConfirmBody, now: Time): InstrumentInput | null =>
  readInstrument(ask, now) ?? cardIn(ask.recurring_details, now)

/** Returns the result of an authentication elsewhere: for one authorization, never stored. */
function proofIn(ask: CreateBody | ConfirmBody | UpdateBody): ThreeDsResult | null {
  const data = ask.three_ds_data
  if (data === undefined) return null
  return {
    status: data.transaction_status as 'Y' | 'A',
    eci: data.eci!,
    cavv: new Secret(data.authentication_cryptogram!.cavv.authentication_cryptogram!),
    ds_transaction_id: data.ds_trans_id!,
    version: data.version!,
  }
}

/** Separates what may only be repeated: the payment's id, and for a browser the members of the server. */
function parted(ask: ConfirmBody | UpdateBody, caller: PaymentCaller): { claims: ImmutableFields; rest: ConfirmBody | UpdateBody } {
  const members = Object.entries(ask)
  const isClaim = ([name, value]: [string, unknown]): boolean => {
    const { serverOnly, browserMay } = rules.get(name as FieldName)!
    return name === 'payment_id' || (caller.is === 'client' && serverOnly && !browserMay.includes(value))
  }
  const claims = members.filter(isClaim)
  if (claims.length === 0) return { claims: {}, rest: ask }
  // Checkouts send the connectors of a wallet's token. Only a merchant's own choice is a claim that can be compared.
  const isCompared = ([name]: [string, unknown]) => name !== 'connector' || caller.is === 'server' || caller.payment?.request.connector
  return { claims: Object.fromEntries(claims.filter(isCompared)), rest: Object.fromEntries(members.filter(one => !isClaim(one))) }
}

/** Refuses (IR_06) another payment's id, and (403, IR_22) a browser's member of the server that differs. */
export function checkClaims(claims: ImmutableFields, payment: Payment | null): void {
  for (const name in claims) {
    const claim = claims[name]
    const known = payment && storedOf(payment, name as FieldName)
    // A member that requests nothing is treated as absent.
    if (canonical(claim) === canonical(known ?? null) || ((known ?? null) === null && asksNothing(claim))) continue
    if (name === 'payment_id') refuse('unacceptable', { field: name, problem: 'does not match the one in the path' })
    refuse('forbidden', { problem: `${name} cannot be set with a publishable key` })
  }
}

/** Whether the value is false, an amount of 0, or an object of only such values. */
const asksNothing = (value: unknown): boolean =>
  value === false ||
  value === 0 ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(asksNothing))

/** Returns the payment's stored value of a member. */
function storedOf(payment: Payment, name: FieldName): unknown {
  const from = rules.get(name)!.kept === 'request' && name !== 'merchant_id' ? payment.request : payment
  return (from as Record<string, unknown>)[name]
}

/** The rule for one member of a request. */
type Rule = {
  kept: PaymentField['storedIn'] | undefined
  serverOnly: boolean
  browserMay: readonly unknown[]
  check: ((field: string, value: unknown, merchant: Merchant) => void) | null
  only: readonly unknown[] | null
}

const rules: ReadonlyMap<string, Rule> = new Map(
  allFields.map(([name, { settableBy, browserValues = [], storedIn, effect, check }]) => [
    name,
    {
      kept: storedIn,
      serverOnly: settableBy !== 'browser',
      browserMay: browserValues,
      check: (check as Rule['check'] | undefined) ?? null,
      only: (typeof effect === 'object' && effect.only) || null,
    },
  ]),
)

/** Checks every member against its entry in the table, puts it where it is stored, then checks members together. */
function sorted<Columns>(merchant: Merchant, ask: CreateBody | UpdateBody | ConfirmBody): { columns: Columns; request: PaymentParams } {
  const columns: Record<string, unknown> = {}
  const request: Record<string, unknown> = {}
  for (const name in ask) {
    const rule = rules.get(name)!
    const { kept } = rule
    const value = checkMember(rule, name, ask, merchant)
    if (kept === 'column') columns[name] = value
    else if (kept === 'request') request[name] = value
  }
  checkPayer(ask)
  checkInstrument(ask)
  if (ask.recurring_details) Object.assign(request, keptRecurringDetails(ask.recurring_details, ask))
  if (ask.payment_method_data?.billing) request.payment_method_billing = ask.payment_method_data.billing
  // The customer is absent, so three_ds is not the default.
  if (ask.off_session === true || (ask.payment_channel !== undefined && ask.payment_channel !== 'ecommerce'))
    columns.authentication_type ??= 'no_three_ds'
  if (ask.capture_on !== undefined) columns.capture_method ??= 'scheduled'
  // With any other capture method, `capture_on` is ignored: copied requests contain one, usually a time years ago.
  if (columns.capture_method !== 'scheduled') delete request.capture_on
  else if (ask.capture_on !== undefined) request.capture_on = readTime('capture_on', ask.capture_on)
  if (ask.customer_id === undefined && ask.customer?.id !== undefined) columns.customer_id = ask.customer.id
  return { columns: columns as Columns, request: request as PaymentParams }
}

/** Checks one member of a request against its entry in the table. */
function checkMember({ check, only }: Rule, name: string, ask: CreateBody | UpdateBody | ConfirmBody, merchant: Merchant): unknown {
  const value = ask[name as keyof typeof ask]
  if (check) check(name, value, merchant)
  if (only && !only.includes(value)) notSupported(name)
  return value
}

const notSupported = (name: string): never => refuse('not_supported', { problem: refusalMessage(name, refusedByName.get(name)!) })

/** Returns a digest of a body that chose its payment's id. Keyed, never a plain hash: it covers a card number. */
export function paymentDigest(context: Pick<Context, 'vault'>, ask: CreateBody): string | null {
  if (ask.payment_id === undefined) return null
  const lasting = lastingPart(ask)
  // A body without a card has an empty one in the digest: digests in the database must stay valid.
  return context.vault.digest('payment body', canonical({ ...lasting, payment_method_data: { card: {}, ...lasting.payment_method_data } }))
}
