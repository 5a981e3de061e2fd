import Type from 'typebox'
import {
  apiKeyShape,
  apiKeyUpdateShape,
  createApiKey,
  listApiKeys,
  retrieveApiKey,
  revokeApiKey,
  updateApiKey,
} from '../../accounts/api-keys.ts'
import { createEphemeralKey, deleteEphemeralKey, ephemeralKeyShape } from '../../accounts/ephemeral-keys.ts'
import { orNull, strictObject } from '../../base/shapes.ts'
import { reauthenticate } from '../../users/reauthenticate.ts'
import { permissions } from '../../users/roles.ts'
import { flag, schema, text, time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { checkProlongs, scopesFor } from '../key-scopes.ts'
import { afterWrite } from './accounts.ts'
import { atPasskey, reauthenticationErrors, reauthenticationMembers } from './users-sign-in.ts'

const described = {
  key_id: text,
  merchant_id: text,
  name: text,
  description: orNull(text),
  created: time,
  expiration: Type.String({ description: '"never" or a date-time' }),
  created_by: orNull(text, 'Who created it; null for older keys'),
  scopes: orNull(Type.Array(text), 'The permissions that it has; null: all'),
  user_id: orNull(text, 'The person whose command line holds it; null: a key for servers'),
}

const newKeyShape = strictObject({
  ...apiKeyShape.properties,
  scopes: Type.Optional(
    Type.Array(Type.Enum(permissions), {
      minItems: 1,
      maxItems: permissions.length,
      uniqueItems: true,
      description:
        'The permissions that the key has, as in `GET /roles`; default all, and of a key that a person creates all that they may do. Other operations are refused (403 IR_22) and name the scope. Without `customers:personal`, customers’ personal data is masked. Scopes cannot be changed',
    }),
  ),
  ...reauthenticationMembers,
})

export const newApiKeyAnswer = schema('NewApiKey', {
  ...described,
  api_key: Type.String({ description: 'The key itself, returned only in this response' }),
})

export const apiKeyAnswer = schema('ApiKey', {
  ...described,
  prefix: Type.String({ description: 'First characters of the key' }),
  last_used_at: orNull(time),
})

/** Whether a key would end later than it does: each is `never` or a time. */
const endsLater = (to: string, from: string): boolean => from !== 'never' && (to === 'never' || Date.parse(to) > Date.parse(from))

export const revokedAnswer = schema('RevokedApiKey', { merchant_id: text, key_id: text, revoked: flag })

const seconds = Type.Integer({ description: 'Seconds since 1970' })
const ephemeral = { id: text, merchant_id: text, customer_id: text, created_at: seconds, expires: seconds }

export const ephemeralKeyAnswer = schema('EphemeralKey', {
  ...ephemeral,
  secret: Type.String({ description: 'The key itself, returned only in this response' }),
})
export const deletedEphemeralKeyAnswer = schema('DeletedEphemeralKey', { ...ephemeral, deleted: flag })

const page = strictObject({
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: 'Default 1000' })),
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})

export const apiKeyRoutes = tagged(
  'API keys',
  "Secret keys are for a merchant's servers and are created with the admin key. Ephemeral keys are for one customer's browser and are created with the merchant's secret key.",
  { confidential: 'nothing', sdk: ['apiKeys', 'ApiKey'] },
  [
    endpoint('POST /api_keys/{merchant_id}', 'createApiKey', {
      title: 'Create an API key',
      description:
        'Creates a secret API key for a merchant. The key is returned only in this response. A person with a session gives their password or a passkey; one of single sign-on must have signed in within ten minutes.',
      auth: { credential: 'admin', permission: 'api_keys:write', scope: 'merchant' },
      body: newKeyShape,
      answers: newApiKeyAnswer,
      errors: reauthenticationErrors,
      example: { summary: 'A key that never expires', value: { name: 'shop server', expiration: 'never' } },
      json: async call => {
        const { service, context, who, path } = call
        const { password, passkey, ...body } = call.body
        const person = who.is === 'admin' ? who.user : undefined
        const ask = person ? { ...body, scopes: scopesFor(person, body.scopes) } : body
        if (person) await reauthenticate(atPasskey(call), person.session, { password, passkey })
        return afterWrite(service, createApiKey(context, service.mode, path.merchant_id, ask))
      },
    }),
    endpoint('GET /api_keys/{merchant_id}/list', 'listApiKeys', {
      title: 'List API keys',
      description: 'Lists a merchant’s API keys that are not revoked, newest first, with the time of last use (to the minute).',
      auth: { credential: 'admin', permission: 'api_keys:read', scope: 'merchant' },
      query: page,
      answers: Type.Array(apiKeyAnswer),
      json: ({ context, path, query: { limit = 1000, skip = 0 } }) => listApiKeys(context, path.merchant_id, limit, skip),
    }),
    endpoint('GET /api_keys/{merchant_id}/{key_id}', 'retrieveApiKey', {
      title: 'Retrieve an API key',
      description: 'Retrieves an API key’s details. The key itself is never returned.',
      auth: { credential: 'admin', permission: 'api_keys:read', scope: 'merchant' },
      answers: apiKeyAnswer,
      json: ({ context, path }) => retrieveApiKey(context, path.merchant_id, path.key_id),
    }),
    endpoint('POST /api_keys/{merchant_id}/{key_id}', 'updateApiKey', {
      title: 'Update an API key',
      description:
        'Updates the name, description or expiration of an API key. Fields that are not sent are unchanged. A person cannot change the expiration of a key with scopes that their role lacks, and gives their password or a passkey for a later one.',
      auth: { credential: 'admin', permission: 'api_keys:write', scope: 'merchant' },
      body: strictObject({ ...apiKeyUpdateShape.properties, ...reauthenticationMembers }),
      answers: apiKeyAnswer,
      errors: reauthenticationErrors,
      example: { summary: 'Sets an expiration', value: { expiration: '2031-01-01T00:00:00Z' } },
      json: async call => {
        const { service, context, who, path } = call
        const { merchant_id, key_id } = path
        const { password, passkey, ...body } = call.body
        const person = who.is === 'admin' ? who.user : undefined
        if (person && body.expiration !== undefined) {
          const key = await retrieveApiKey(context, merchant_id, key_id)
          // Scopes never change, so the scopes read here still hold for the update.
          checkProlongs(person, key.scopes)
          if (endsLater(body.expiration, key.expiration)) await reauthenticate(atPasskey(call), person.session, { password, passkey })
        }
        return afterWrite(service, updateApiKey(context, merchant_id, key_id, body))
      },
    }),
    endpoint('DELETE /api_keys/{merchant_id}/{key_id}', 'revokeApiKey', {
      title: 'Revoke an API key',
      description: 'Revokes a secret API key. The revocation takes effect within a second; keys of deleted merchants can be revoked too.',
      auth: { credential: 'admin', permission: 'api_keys:write', scope: 'merchant' },
      ofDeleted: true,
      answers: revokedAnswer,
      json: ({ service, context, path }) => afterWrite(service, revokeApiKey(context, path.merchant_id, path.key_id)),
    }),
    endpoint('POST /ephemeral_keys', 'createEphemeralKey', {
      sdk: 'ephemeralKeys.create',
      title: 'Create an ephemeral key',
      description:
        "Creates an ephemeral key for a customer's browser. For one hour it gives access to that customer's own data. The key is returned only in this response.",
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      body: ephemeralKeyShape,
      answers: ephemeralKeyAnswer,
      example: { summary: 'For a customer who views their saved cards', value: { customer_id: 'cus_ada' } },
      json: ({ context, merchant, body }) => createEphemeralKey(context, merchant.merchant_id, body),
    }),
    endpoint('DELETE /ephemeral_keys/{ephemeral_key_id}', 'deleteEphemeralKey', {
      sdk: 'ephemeralKeys.delete',
      title: 'Delete an ephemeral key',
      description: 'Deletes an ephemeral key before it expires. The key is invalid immediately.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      answers: deletedEphemeralKeyAnswer,
      json: ({ context, merchant, path }) => deleteEphemeralKey(context, merchant.merchant_id, path.ephemeral_key_id),
    }),
  ],
)
