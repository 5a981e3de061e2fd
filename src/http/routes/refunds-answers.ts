import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { currency } from '../../payments/fields/sold.ts'
import { refundLifecycle } from '../../refunds/refund.ts'
import { minor, objects, problemShape, text, texts, times } from '../answer-shapes.ts'

export const refundAnswer = Type.Object(
  {
    refund_id: text,
    payment_id: text,
    amount: minor,
    currency,
    status: Type.Enum(Object.keys(refundLifecycle)),
    connector: text,
    ...texts('reason'),
    ...problemShape,
    ...texts('profile_id merchant_connector_id connector_refund_id raw_connector_response'),
    ...objects('metadata split_refunds'),
    ...times('created_at updated_at'),
    fee_snapshot: orNull(Type.Object({ amount: minor, currency }, { description: 'Fee reported by the processor; null if not reported' })),
  },
  { title: 'Refund' },
)
