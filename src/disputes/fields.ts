import Type from 'typebox'
import type { Currency } from '../base/currencies.ts'
import { bool, boundedText, dateTime, longText, shortText, textOrNull } from '../base/shapes.ts'
import { type DisputeStage, type DisputeStatus, disputeStages, disputeStatuses } from '../connectors/dispute.ts'
import { bigint, flag, text, time, word } from '../database/table.ts'
import { anyOf } from '../lists/filters.ts'
import { currency } from '../payments/fields/order.ts'
import type { Field } from '../resources/field.ts'

const stage = Type.Enum([...disputeStages])
const status = Type.Enum([...disputeStatuses])

/** Every member of a dispute, in the order of answers. */
export const disputeFields = {
  dispute_id: { column: text(), visibility: 'to all', filter: { by: 'own id', shape: boundedText(64) }, exportPosition: 1 },
  amount: {
    shape: Type.Integer({ minimum: 1, description: 'Disputed amount, in the lowest denomination of the payment’s currency' }),
    acceptedIn: ['create'],
    requiredIn: ['create'],
    column: bigint(),
    visibility: 'computed',
    responseShape: Type.String({ description: 'In the lowest denomination of the currency, as text' }),
    exportPosition: 3,
  },
  dispute_stage: {
    shape: stage,
    column: word<DisputeStage>('dispute_stage', disputeStages),
    visibility: 'to all',
    filter: { by: { facet: 2 }, shape: anyOf(disputeStages), many: true },
    exportPosition: 5,
  },
  dispute_status: {
    shape: status,
    acceptedIn: ['update status'],
    requiredIn: ['update status'],
    column: word<DisputeStatus>('dispute_status', disputeStatuses),
    visibility: 'to all',
    filter: { by: { facet: 1 }, shape: anyOf(disputeStatuses), many: true },
    exportPosition: 6,
  },
  connector_status: { column: text(), visibility: 'to all' },
  connector_dispute_id: {
    shape: Type.String({ maxLength: 255, description: 'The processor’s id of the dispute; generated if omitted' }),
    acceptedIn: ['create'],
    column: text().fixed(),
    visibility: 'to all',
    exportPosition: 9,
  },
  connector_reason: {
    shape: longText,
    acceptedIn: ['create'],
    column: text().orNull(),
    visibility: 'to all',
    filter: { as: 'reason', by: { facet: 7 }, shape: shortText, description: 'The value of `connector_reason`' },
    exportPosition: 10,
  },
  connector_reason_code: { shape: longText, acceptedIn: ['create'], column: text().orNull(), visibility: 'to all', exportPosition: 11 },
  challenge_required_by: { shape: dateTime, acceptedIn: ['create'], column: time().orNull(), visibility: 'to all', exportPosition: 12 },
  connector_created_at: { column: time().orNull(), visibility: 'to all' },
  connector_updated_at: { column: time().orNull(), visibility: 'to all' },
  created_at: { column: time().fixed(), visibility: 'to all', exportPosition: 15, description: 'Time of creation' },
  payment_id: {
    shape: Type.String(),
    acceptedIn: ['create'],
    requiredIn: ['create'],
    column: text().fixed(),
    visibility: 'to all',
    filter: { by: { id: 'payment_id' }, shape: boundedText(64) },
    exportPosition: 2,
    description: 'The payment that is disputed',
  },
  attempt_id: { column: text().fixed(), visibility: 'to all' },
  currency: {
    column: text<Currency>('USD'),
    visibility: 'to all',
    responseShape: currency,
    filter: { by: { facet: 3 }, shape: currency, many: true },
    exportPosition: 4,
    description: 'ISO 4217, three letters',
  },
  connector: {
    column: text().fixed(),
    visibility: 'to all',
    filter: { by: { facet: 4 }, shape: shortText, many: true },
    exportPosition: 7,
    description: 'The processor of the payment',
  },
  profile_id: {
    column: text().fixed(),
    visibility: 'to all',
    responseShape: textOrNull,
    filter: { by: { facet: 6 }, shape: boundedText(64) },
    exportPosition: 14,
    description: 'Business profile of the payment',
  },
  merchant_connector_id: {
    column: text().fixed(),
    visibility: 'to all',
    responseShape: textOrNull,
    filter: { by: { facet: 5 }, shape: boundedText(64) },
    exportPosition: 8,
    description: 'Id of the connector account',
  },
  is_already_refunded: { visibility: 'computed', responseShape: bool, exportPosition: 13 },
  is_manual: { column: flag(), visibility: 'to all' },
  transition_reason: { shape: longText, acceptedIn: ['update status'], column: text().orNull() },
} as const satisfies Record<string, Field<'create' | 'update status'>>
