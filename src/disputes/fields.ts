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
  dispute_id: {
    column: text(),
    shown: 'to all',
    listed: { by: 'own id', shape: boundedText(64) },
    exported: 1,
  },
  amount: {
    shape: Type.Integer({ minimum: 1, description: 'Disputed amount, in the lowest denomination of the payment’s currency' }),
    in: ['create'],
    needed: ['create'],
    column: bigint(),
    shown: 'computed',
    seen: Type.String({ description: 'In the lowest denomination of the currency, as text' }),
    exported: 3,
  },
  dispute_stage: {
    shape: stage,
    column: word<DisputeStage>('dispute_stage', disputeStages),
    shown: 'to all',
    listed: { by: { facet: 2 }, shape: anyOf(disputeStages), many: true },
    exported: 5,
  },
  dispute_status: {
    shape: status,
    in: ['update status'],
    needed: ['update status'],
    column: word<DisputeStatus>('dispute_status', disputeStatuses),
    shown: 'to all',
    listed: { by: { facet: 1 }, shape: anyOf(disputeStatuses), many: true },
    exported: 6,
  },
  connector_status: { column: text(), shown: 'to all' },
  connector_dispute_id: {
    shape: Type.String({ maxLength: 255, description: 'The processor’s id of the dispute; generated if omitted' }),
    in: ['create'],
    column: text().fixed(),
    shown: 'to all',
    exported: 9,
  },
  connector_reason: {
    shape: longText,
    in: ['create'],
    column: text().orNull(),
    shown: 'to all',
    listed: { as: 'reason', by: { facet: 7 }, shape: shortText, description: 'The value of `connector_reason`' },
    exported: 10,
  },
  connector_reason_code: {
    shape: longText,
    in: ['create'],
    column: text().orNull(),
    shown: 'to all',
    exported: 11,
  },
  challenge_required_by: {
    shape: dateTime,
    in: ['create'],
    column: time().orNull(),
    shown: 'to all',
    exported: 12,
  },
  connector_created_at: { column: time().orNull(), shown: 'to all' },
  connector_updated_at: { column: time().orNull(), shown: 'to all' },
  created_at: { column: time().fixed(), shown: 'to all', exported: 15, description: 'Time of creation' },
  payment_id: {
    shape: Type.String(),
    in: ['create'],
    needed: ['create'],
    column: text().fixed(),
    shown: 'to all',
    listed: { by: { id: 'payment_id' }, shape: boundedText(64) },
    exported: 2,
    description: 'The payment that is disputed',
  },
  attempt_id: { column: text().fixed(), shown: 'to all' },
  currency: {
    column: text<Currency>('USD'),
    shown: 'to all',
    seen: currency,
    listed: { by: { facet: 3 }, shape: currency, many: true },
    exported: 4,
    description: 'ISO 4217, three letters',
  },
  connector: {
    column: text().fixed(),
    shown: 'to all',
    listed: { by: { facet: 4 }, shape: shortText, many: true },
    exported: 7,
    description: 'The processor of the payment',
  },
  profile_id: {
    column: text().fixed(),
    shown: 'to all',
    seen: textOrNull,
    listed: { by: { facet: 6 }, shape: boundedText(64) },
    exported: 14,
    description: 'Business profile of the payment',
  },
  merchant_connector_id: {
    column: text().fixed(),
    shown: 'to all',
    seen: textOrNull,
    listed: { by: { facet: 5 }, shape: boundedText(64) },
    exported: 8,
    description: 'Id of the connector account',
  },
  is_already_refunded: { shown: 'computed', seen: bool, exported: 13 },
  is_manual: { column: flag(), shown: 'to all' },
  transition_reason: { shape: longText, in: ['update status'], column: text().orNull() },
} as const satisfies Record<string, Field<'create' | 'update status'>>
