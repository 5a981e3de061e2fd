import { refundFields } from '../refunds/fields.ts'
import type { Refund } from '../refunds/refund.ts'
import { type Audience, type Members, membersOf, renderer } from './member.ts'

export const refundMembers: Members<Refund, { audience: Audience }> = membersOf<Refund, { audience: Audience }, typeof refundFields>(
  refundFields,
  {
    fee_snapshot: { from: { column: 'fee' } },
    origin: { from: ({ origin }) => origin ?? 'merchant' },
  },
)

const render = renderer(refundMembers)

export const showRefund = (refund: Refund): Record<string, unknown> => render(refund, { audience: 'server' })
