import Type from 'typebox'
import { payoutFields } from '../../payouts/fields.ts'
import { needPayout } from '../../payouts/payout.ts'
import { showForRecipient } from '../../show/payout-recipient.ts'
import { minor, schema, text, texts, time } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'

const { payout_type, status, currency } = payoutFields

const way = schema('EnabledPayoutMethod', {
  payout_type: payout_type.shape,
  ...texts('payout_method_type'),
  path: Type.String({ description: 'Where its fields belong in `payout_method_data`' }),
  fixed_fields: Type.Record(Type.String(), text, { description: 'Fields that are sent as they are here' }),
  required_fields: Type.Array(text, {
    description: 'Fields that the recipient must enter; none for a card, which needs its number and expiry date',
  }),
  optional_fields: Type.Array(text),
})

const recipientAnswer = schema('PayoutForRecipient', {
  payout_id: text,
  status: status.seen,
  amount: minor,
  currency: currency.shape,
  ...texts('payout_type description masked_payout_method'),
  merchant_name: text,
  has_payout_method: Type.Boolean({ description: 'true: it can be confirmed without another payout method' }),
  expires_on: time,
  payout_methods_enabled: Type.Array(way),
})

export const payoutForRecipient = endpoint('GET /payouts/{payout_id}/client', 'retrievePayoutForRecipient', {
  title: 'Retrieve recipient details',
  description:
    'Returns everything a recipient’s page needs in one response: the payout, the masked payout method, and the payout methods that the recipient can choose from. For browsers, with the publishable key and client_secret, until the payout’s session ends.',
  auth: { credential: 'client' },
  clientSecretOf: 'payout',
  query: Type.Object({ client_secret: Type.Optional(Type.String()) }, { additionalProperties: false }),
  answers: recipientAnswer,
  json: async ({ context, merchant, path }) => showForRecipient(merchant, await needPayout(context, merchant.merchant_id, path.payout_id)),
})
