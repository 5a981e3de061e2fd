import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { flag, text, time } from '../answer-shapes.ts'

const described = {
  key_id: text,
  merchant_id: text,
  name: text,
  description: orNull(text),
  created: time,
  expiration: Type.String({ description: '"never" or a date-time' }),
}

export const newApiKeyAnswer = Type.Object(
  { ...described, api_key: Type.String({ description: 'The key itself, returned only in this response' }) },
  { title: 'NewApiKey' },
)

export const apiKeyAnswer = Type.Object(
  { ...described, prefix: Type.String({ description: 'First characters of the key' }), last_used_at: orNull(time) },
  { title: 'ApiKey' },
)

export const revokedAnswer = Type.Object({ merchant_id: text, key_id: text, revoked: flag }, { title: 'RevokedApiKey' })

const seconds = Type.Integer({ description: 'Seconds since 1970' })
const ephemeral = { id: text, merchant_id: text, customer_id: text, created_at: seconds, expires: seconds }

export const ephemeralKeyAnswer = Type.Object(
  { ...ephemeral, secret: Type.String({ description: 'The key itself, returned only in this response' }) },
  { title: 'EphemeralKey' },
)
export const deletedEphemeralKeyAnswer = Type.Object({ ...ephemeral, deleted: flag }, { title: 'DeletedEphemeralKey' })
