import Type from 'typebox'
import { connectorDetailsShape } from '../accounts/inline-account.ts'
import type { Currency } from '../base/currencies.ts'
import { statesOf } from '../base/lifecycle.ts'
import { checkMetadata } from '../base/metadata.ts'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { boundedText, metadata, minor, orNull, shortText, textOrNull, timeOrNull } from '../base/shapes.ts'
import { bigint, json, text, time, word } from '../database/table.ts'
import { anyOf } from '../lists/filters.ts'
import { checkChosenId, checkOwnMerchant } from '../payments/fields/checks.ts'
import { currency } from '../payments/fields/order.ts'
import { type SplitRefunds, splitRefundsShape } from '../payments/fields/split.ts'
import type { Field } from '../resources/field.ts'
import { refundLifecycle, refundStatuses } from './lifecycle.ts'

/** The ecosystem's internal words for a refund's status, which existing clients use in filters (contract 5.1). */
const inner: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(refundStatuses).flatMap(([status, { called }]) => (called ? [[called, status]] : []))),
  transaction_failure: 'failed',
  manual_review: 'review',
}

/** Null: the merchant's own, by this service. */
type RefundOrigin = 'external'

const timestamp = { visibility: 'to all', responseShape: timeOrNull } as const
const ofLastError = { from: 'last_error', visibility: 'to all', responseShape: textOrNull } as const

/** Every member of a refund, in the order of answers. */
export const refundFields = {
  refund_id: {
    shape: Type.String(),
    column: text(),
    visibility: 'to all',
    storedIn: 'column',
    check: checkChosenId,
    filter: { by: 'own id', shape: boundedText(64) },
    exportPosition: 1,
    description: 'Exactly 30 characters. If sent, it makes creation idempotent; otherwise it is generated',
  },
  payment_id: {
    shape: Type.String(),
    acceptedIn: ['create'],
    requiredIn: ['create'],
    column: text().fixed(),
    visibility: 'to all',
    filter: { by: { id: 'payment_id' }, shape: boundedText(64) },
    exportPosition: 2,
    description: 'The payment that is refunded',
  },
  merchant_id: {
    shape: shortText,
    acceptedIn: ['create'],
    column: text(),
    check: checkOwnMerchant,
    description: "The merchant's id; inferred from the API key",
  },
  amount: {
    shape: Type.Integer({ maximum: LARGEST_AMOUNT, description: 'Defaults to the captured amount' }),
    acceptedIn: ['create'],
    column: bigint().fixed(),
    visibility: 'to all',
    exportPosition: 4,
  },
  currency: {
    column: text<Currency>('USD').fixed(),
    visibility: 'to all',
    responseShape: currency,
    filter: { by: { facet: 2 }, shape: currency, many: true },
    exportPosition: 5,
    description: 'ISO 4217, three letters',
  },
  status: {
    column: word('refund_status', statesOf(refundLifecycle)),
    initial: 'pending',
    visibility: 'to all',
    filter: {
      as: 'refund_status',
      by: { facet: 1 },
      shape: anyOf([...Object.keys(refundStatuses), ...Object.keys(inner)]),
      many: true,
      column: 'status',
      means: (word: string) => inner[word] ?? word,
    },
    exportPosition: 3,
    description: 'Status of the refund; see the table of statuses',
  },
  reason: {
    shape: shortText,
    acceptedIn: ['create', 'update'],
    storedIn: 'column',
    column: text().orNull(),
    visibility: 'to all',
    exportPosition: 6,
    description: "The merchant's reason, as free text",
  },
  refund_type: {
    shape: Type.Enum(['scheduled', 'instant']),
    acceptedIn: ['create'],
    storedIn: 'column',
    column: text<'scheduled' | 'instant'>('instant').fixed(),
    initial: 'instant',
    filter: { by: { facet: 6 }, shape: anyOf(['instant', 'scheduled']), many: true },
    description: 'instant (default), or scheduled: the response is returned before the refund is sent to the processor',
  },
  metadata: {
    shape: metadata,
    acceptedIn: ['create', 'update'],
    storedIn: 'column',
    column: json<Record<string, unknown>>().orNull(),
    visibility: 'to all',
    effect: 'describes',
    check: checkMetadata,
    exportPosition: 16,
    description: 'Up to 50 keys of up to 40 characters with values of up to 500; returned as sent',
  },
  error_message: { ...ofLastError, exportPosition: 12, description: "The processor's error message" },
  error_code: { ...ofLastError, exportPosition: 11, description: "The processor's error code" },
  unified_code: { ...ofLastError, exportPosition: 13, description: 'Unified error code, the same for all processors' },
  unified_message: { ...ofLastError, description: 'Unified error message, the same for all processors' },
  issuer_error_code: { ...ofLastError, description: 'The issuer’s response, if the processor provides it' },
  issuer_error_message: { ...ofLastError, description: 'The issuer’s response, if the processor provides it' },
  created_at: { ...timestamp, column: time().fixed(), exportPosition: 14, description: 'Time of creation' },
  updated_at: { ...timestamp, column: time(), exportPosition: 15, description: 'Time of the last change' },
  connector: {
    column: text().fixed(),
    visibility: 'to all',
    filter: { by: { facet: 3 }, shape: boundedText(255), many: true },
    exportPosition: 7,
    description: 'The processor of the payment',
  },
  profile_id: {
    column: text().fixed(),
    visibility: 'to all',
    responseShape: textOrNull,
    filter: { by: { facet: 5 }, shape: boundedText(64) },
    exportPosition: 10,
    description: 'Business profile of the payment',
  },
  merchant_connector_id: {
    column: text().fixed(),
    visibility: 'to all',
    responseShape: textOrNull,
    filter: { by: { facet: 4 }, shape: boundedText(64), many: true },
    exportPosition: 8,
    description: 'Id of the connector account',
  },
  connector_refund_id: {
    column: text().orNull(),
    visibility: 'to all',
    exportPosition: 9,
    description: "The processor's id of the refund",
  },
  split_refunds: {
    shape: splitRefundsShape,
    acceptedIn: ['create'],
    storedIn: 'column',
    column: json<SplitRefunds>().orNull().fixed(),
    visibility: 'to all',
  },
  merchant_connector_details: {
    shape: connectorDetailsShape,
    acceptedIn: ['create'],
    description: 'Credentials of the account that processed the payment, where they came with it',
  },
  all_keys_required: {
    shape: Type.Boolean(),
    acceptedIn: ['create'],
    description: 'true: raw_connector_response contains the processor’s response in this call, without secrets',
  },
  fee_snapshot: {
    visibility: 'computed',
    responseShape: orNull(Type.Object({ amount: minor, currency }, { description: 'Fee reported by the processor; null if not reported' })),
  },
  origin: {
    column: text<RefundOrigin>('external').orNull().fixed(),
    visibility: 'computed',
    responseShape: Type.Enum(['merchant', 'external']),
    exportPosition: 17,
    description: 'external: made at the processor, by others than this service',
  },
  raw_connector_response: { from: 'nothing', visibility: 'to all', responseShape: textOrNull },
} as const satisfies Record<string, Field<'create' | 'update'>>
