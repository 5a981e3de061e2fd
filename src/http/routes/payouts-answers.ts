import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { entityTypes, payoutPriorities } from '../../connectors/verbs.ts'
import { recipientNames } from '../../means/recipients.ts'
import { currency } from '../../payments/fields/sold.ts'
import { lifecycle, neverHere } from '../../payouts/lifecycle.ts'
import { flag, minor, objects, text, texts, times } from '../answer-shapes.ts'

const status = Type.Enum([...Object.keys(lifecycle), ...neverHere])
const type = orNull(Type.Enum(recipientNames))

const attempt = Type.Object(
  {
    attempt_id: text,
    status,
    amount: minor,
    currency,
    connector: text,
    merchant_connector_id: text,
    payment_method: type,
    ...texts('payout_method_type error_code error_message connector_transaction_id cancellation_reason unified_code unified_message'),
    ...objects('routing'),
  },
  { title: 'PayoutAttempt' },
)

export const payoutAnswer = Type.Object(
  {
    payout_id: text,
    merchant_id: text,
    amount: minor,
    currency,
    status,
    payout_type: type,
    auto_fulfill: flag,
    recurring: flag,
    entity_type: Type.Enum(entityTypes),
    priority: orNull(Type.Enum(payoutPriorities)),
    client_secret: text,
    profile_id: text,
    payout_method_data: orNull(Type.Object({}, { additionalProperties: true, description: 'Masked payout method' })),
    payout_link: orNull(Type.Object({ payout_link_id: text, link: text })),
    ...texts(
      'merchant_order_reference_id connector customer_id return_url business_country business_label description merchant_connector_id connector_transaction_id payout_method_id',
    ),
    ...texts('error_code error_message unified_code unified_message email name phone phone_country_code'),
    ...objects('source_bank_data billing customer metadata'),
    ...times('created'),
    attempts: orNull(Type.Array(attempt, { description: 'Oldest first; null for a browser' })),
  },
  { title: 'Payout' },
)
