import type { Facts, Verb } from '../connectors/connector.ts'
import type { Time } from '../world.ts'
import type { CreateAsk } from './ask.ts'
import type { PaymentStatus } from './lifecycle.ts'

/** A card as it may be shown and stored in clear: first eight and last four digits at most (PCI DSS 3.4.1). */
export type MaskedCard = {
  last4: string
  card_isin: string
  card_extended_bin: string | null
  card_network: string | null
  card_type: string | null
  card_issuer: string | null
  card_issuing_country: string | null
  card_exp_month: string
  card_exp_year: string
  card_holder_name: string | null
  nick_name: string | null
  fingerprint: string
}

/** Why the last attempt failed, in the interface's words. */
export type PaymentError = {
  error_code: string
  error_message: string
  unified_code: string
  unified_message: string
  issuer_error_code: string | null
  issuer_error_message: string | null
  network_advice_code: string | null
}

/** Members of a request that have a column of their own, and those that are never kept. */
const apart = [
  'amount',
  'currency',
  'capture_method',
  'authentication_type',
  'customer_id',
  'payment_id',
  'profile_id',
  'payment_method_data',
  'client_secret',
  'confirm',
  'card_cvc',
] as const

const setApart: ReadonlySet<string> = new Set(apart)

/** What is kept of the request beyond the columns: everything that was sent, less card data, CVC and secrets. */
export type Asked = Omit<CreateAsk, (typeof apart)[number]> & {
  /** Sent as `payment_method_data.billing`. */
  payment_method_billing?: CreateAsk['billing']
}

/** The part of a request that a payment keeps in `asked`. */
export function askedOf(ask: Partial<CreateAsk>): Asked {
  const asked: Record<string, unknown> = {}
  for (const member in ask) if (!setApart.has(member)) asked[member] = ask[member as keyof CreateAsk]
  if (ask.payment_method_data?.billing) asked.payment_method_billing = ask.payment_method_data.billing
  return asked as Asked
}

export type NextActionData = { type: 'redirect_to_url'; url: string }

export type CaptureMethod = 'automatic' | 'manual' | 'manual_multiple' | 'sequential_automatic'

/** A row of `payments`. Amounts are in the lowest denomination of `currency`; pending ones (`…ing`) are reserved and neither free nor done. */
export type Payment = {
  merchant_id: string
  payment_id: string
  version: number
  sequence: number
  status: PaymentStatus
  busy: 'authorize' | 'void' | null
  profile_id: string
  connector: string | null
  merchant_connector_id: string | null
  connector_transaction_id: string | null
  authorization_request_id: string | null
  customer_id: string | null
  currency: string
  amount: number
  net_amount: number
  amount_authorized: number
  amount_capturable: number
  amount_capturing: number
  amount_received: number
  amount_refunding: number
  amount_refunded: number
  amount_disputed: number
  capture_method: CaptureMethod
  authentication_type: 'three_ds' | 'no_three_ds'
  attempt_count: number
  operation_count: number
  refund_count: number
  client_secret: string
  card: MaskedCard | null
  asked: Asked
  facts: Facts | null
  next_action: NextActionData | null
  last_error: PaymentError | null
  cancellation_reason: string | null
  body_digest: string | null
  created: Time
  modified_at: Time
  expires_on: Time
}

export const operationStates = [
  'open',
  'waiting',
  'unknown',
  'done',
  'declined',
  'not_sent',
  'not_received',
  'conflicted',
  'unresolved',
  'lapsed',
] as const
export type OperationState = (typeof operationStates)[number]

/** A row of `operations`: one thing asked of a processor that may move money. While `ask_at` is set, an alarm will ask what became of it. */
export type Operation = {
  merchant_id: string
  payment_id: string
  n: number
  verb: Verb
  /** `reversal`: our own undoing of money that should not have moved. */
  purpose: 'merchant' | 'reversal'
  attempt: number
  state: OperationState
  amount: number
  currency: string
  connector: string
  merchant_connector_id: string
  request_id: string
  reference: string | null
  refund_id: string | null
  said: Said | null
  began: Time
  modified_at: Time
  ask_at: Time | null
}

/** What the processor said to one operation, kept for the merchant's and our own eyes. */
export type Said = {
  words?: string
  code?: string
  network_code?: string
  network_advice?: string
  facts?: Facts
  why?: string
  amount?: number
  currency?: string
  request_id?: string
}

/** Nobody has heard the end of it: what it asked for may still happen. A law of the database says that such an operation has an alarm. */
export const isUnfinished = ({ state }: Pick<Operation, 'state'>): boolean => state === 'open' || state === 'waiting' || state === 'unknown'

/** Is an answer still waited for? After seven days we no longer ask, but still listen. */
export const takesNews = (operation: Pick<Operation, 'state'>): boolean => isUnfinished(operation) || operation.state === 'unresolved'

/** May a hold of this payment be captured in several parts? */
export const capturesSeveralTimes = (payment: Payment): boolean => payment.capture_method === 'manual_multiple'

export const capturesAtOnce = (payment: Pick<Payment, 'capture_method'>): boolean =>
  payment.capture_method === 'automatic' || payment.capture_method === 'sequential_automatic'

/** An attempt is an authorize operation; the first one counts from 1. */
export const attemptId = (payment: Payment): string => `${payment.payment_id}_${payment.attempt_count}`
