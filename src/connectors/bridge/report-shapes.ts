import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { isCurrency } from '../../base/currencies.ts'
import { bridgeShapes } from './shapes.ts'

/** Shapes of an adapter's report of a payment as a whole and its disputes (`docs/bridge/README.md`, "Payments"). */

const { amount, currency, described, maybe, reference, requestId, time, word } = bridgeShapes

const named = (description: string) => described(amount, description) as typeof amount

const movement = Type.Object(
  {
    type: Type.Enum(['capture', 'void', 'refund', 'increment']),
    status: Type.Enum(['approved', 'declined', 'pending', 'returned']),
    reference,
    request_id: maybe(described(requestId, 'Null: requested by somebody else than the caller') as typeof requestId),
    amount: named('Of a void the released amount; of an increment the new total'),
    currency,
    reason: maybe(Type.String({ description: 'In the processor’s words' })),
    made_at: maybe(time),
  },
  { title: 'Movement' },
)

export const wholePayment = Type.Object(
  {
    request_id: described(requestId, 'Of the authorization') as typeof requestId,
    reference,
    currency,
    authorized: maybe(named('Authorized amount, with increments')),
    captured: maybe(named('Captured amount, without captures that are pending or declined')),
    refunded: maybe(named('Refunded amount, without refunds that are pending, declined or returned')),
    held: maybe(named('Amount that can still be captured')),
    released: maybe(Type.Enum(['voided', 'expired'], { description: 'How the authorization, or what was left of it, ended' })),
    movements: Type.Array(movement, { description: 'All of them, whoever requested them' }),
    disputes: Type.Optional(Type.Array(reference, { description: 'References of its disputes' })),
  },
  { title: 'Payment' },
)
export type BridgePayment = Static<typeof wholePayment>

const bridgeStages = ['pre_dispute', 'dispute', 'pre_arbitration', 'arbitration'] as const
const bridgeDisputeStatuses = ['opened', 'challenged', 'accepted', 'expired', 'cancelled', 'won', 'lost'] as const

export const bridgeDispute = Type.Object(
  {
    reference,
    request_id: described(requestId, 'Of the authorization') as typeof requestId,
    amount,
    currency,
    stage: Type.Enum([...bridgeStages]),
    status: Type.Enum([...bridgeDisputeStatuses]),
    reason: maybe(word),
    reason_code: maybe(word),
    respond_by: maybe(time),
    opened_at: maybe(time),
    updated_at: maybe(time),
  },
  { title: 'Dispute' },
)
export type BridgeDispute = Static<typeof bridgeDispute>

const isPayment = Compile(wholePayment)
const isDispute = Compile(bridgeDispute)

export const readPayment = (body: unknown): BridgePayment | null =>
  isPayment.Check(body) && [body, ...body.movements].every(one => isCurrency(one.currency)) ? body : null

export const readDispute = (body: unknown): BridgeDispute | null => (isDispute.Check(body) && isCurrency(body.currency) ? body : null)
