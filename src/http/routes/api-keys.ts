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
import { endpoint, room } from '../endpoint.ts'
import { written } from './accounts.ts'
import { apiKeyAnswer, deletedEphemeralKeyAnswer, ephemeralKeyAnswer, newApiKeyAnswer, revokedAnswer } from './api-keys-answers.ts'

const page = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: 'Default 1000' })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
)

export const apiKeys = room(
  'API keys',
  "Secret keys are for a merchant's servers and are made with the admin key; a key for one customer's browser is made with the merchant's.",
  [
    endpoint({
      method: 'POST',
      path: '/api_keys/{merchant_id}',
      name: 'createApiKey',
      title: 'Create an API key',
      does: 'Makes a secret key for a merchant; it is shown only here.',
      takes: 'admin',
      body: apiKeyShape,
      answers: newApiKeyAnswer,
      example: { summary: 'A key without an end', value: { name: 'shop server', expiration: 'never' } },
      run: ({ service, context, path, body }) => written(service, createApiKey(context, service.mode, path.merchant_id, body)),
    }),
    endpoint({
      method: 'GET',
      path: '/api_keys/{merchant_id}/list',
      name: 'listApiKeys',
      title: 'List API keys',
      does: 'Lists the keys of a merchant that were not revoked, newest first, and when each was last used (to the minute).',
      takes: 'admin',
      query: page,
      answers: Type.Array(apiKeyAnswer),
      run: async ({ context, path, query: { limit = 1000, skip = 0 } }) => ({
        json: await listApiKeys(context, path.merchant_id, limit, skip),
      }),
    }),
    endpoint({
      method: 'GET',
      path: '/api_keys/{merchant_id}/{key_id}',
      name: 'retrieveApiKey',
      title: 'Retrieve an API key',
      does: 'Shows what is known of a key, never the key itself.',
      takes: 'admin',
      answers: apiKeyAnswer,
      run: async ({ context, path }) => ({ json: await retrieveApiKey(context, path.merchant_id, path.key_id) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api_keys/{merchant_id}/{key_id}',
      name: 'updateApiKey',
      title: 'Update an API key',
      does: 'Changes name, description or end of a key; what is not named stays.',
      takes: 'admin',
      body: apiKeyUpdateShape,
      answers: apiKeyAnswer,
      example: { summary: 'Lets it end', value: { expiration: '2031-01-01T00:00:00Z' } },
      run: ({ service, context, path, body }) => written(service, updateApiKey(context, path.merchant_id, path.key_id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api_keys/{merchant_id}/{key_id}',
      name: 'revokeApiKey',
      title: 'Revoke an API key',
      does: 'Revokes a secret key, everywhere within a second; also of a merchant that was deleted.',
      takes: 'admin',
      ofDeleted: true,
      answers: revokedAnswer,
      run: ({ service, context, path }) => written(service, revokeApiKey(context, path.merchant_id, path.key_id)),
    }),
    endpoint({
      method: 'POST',
      path: '/ephemeral_keys',
      name: 'createEphemeralKey',
      title: 'Create an ephemeral key',
      does: "Makes a key for one customer's browser: for an hour it opens what that customer may see. It is shown only here.",
      takes: 'secret',
      body: ephemeralKeyShape,
      answers: ephemeralKeyAnswer,
      example: { summary: 'For a customer who is looking at their cards', value: { customer_id: 'cus_ada' } },
      run: async ({ context, merchant, body }) => ({ json: await createEphemeralKey(context, merchant.merchant_id, body) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/ephemeral_keys/{ephemeral_key_id}',
      name: 'deleteEphemeralKey',
      title: 'Delete an ephemeral key',
      does: 'Deletes such a key before its hour is over: it is dead at once.',
      takes: 'secret',
      answers: deletedEphemeralKeyAnswer,
      run: async ({ context, merchant, path }) => ({
        json: await deleteEphemeralKey(context, merchant.merchant_id, path.ephemeral_key_id),
      }),
    }),
  ],
)
