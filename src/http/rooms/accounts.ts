import Type from 'typebox'
import { apiKeyShape, createApiKey, revokeApiKey } from '../../accounts/api-keys.ts'
import { connectorAccountShape, createConnectorAccount } from '../../accounts/create-connector-account.ts'
import { createMerchant, merchantShape } from '../../accounts/create-merchant.ts'
import { listConnectorAccount, showConnectorAccount, showMerchant } from '../../show/account.ts'
import { endpoint, room, type Service } from '../endpoint.ts'
import { apiKeyAnswer, connectorAccountAnswer, connectorAccountListed, merchantAnswer, revokedAnswer } from './accounts-answers.ts'

/** After an administrative write, this process forgets what it knew at once. */
async function written<T>(service: Service, work: Promise<T>): Promise<{ json: T }> {
  const json = await work
  await service.settings.refresh()
  return { json }
}

export const accounts = room(
  'Accounts',
  'Merchants, their keys, and their accounts at processors (connector accounts). The admin key opens all of it.',
  [
    endpoint({
      method: 'POST',
      path: '/accounts',
      name: 'createMerchantAccount',
      title: 'Create a merchant account',
      does: 'Creates a merchant account with its default business profile.',
      takes: 'admin',
      body: merchantShape,
      answers: merchantAnswer,
      refuses: ['not_supported', 'duplicate'],
      example: {
        summary: 'A shop',
        value: { merchant_id: 'chairs', merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' },
      },
      run: ({ service, world, body }) => written(service, createMerchant(world, service.mode, body, showMerchant)),
    }),
    endpoint({
      method: 'GET',
      path: '/accounts/{merchant_id}',
      name: 'retrieveMerchantAccount',
      title: 'Retrieve a merchant account',
      does: 'Retrieves a merchant account.',
      takes: 'admin',
      answers: merchantAnswer,
      run: async ({ merchant }) => ({ json: showMerchant(merchant) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api_keys/{merchant_id}',
      name: 'createApiKey',
      title: 'Create an API key',
      does: 'Makes a secret key for a merchant; it is shown only here.',
      takes: 'admin',
      body: apiKeyShape,
      answers: apiKeyAnswer,
      example: { summary: 'A key without an end', value: { name: 'shop server', expiration: 'never' } },
      run: ({ service, world, path, body }) => written(service, createApiKey(world, service.mode, path.merchant_id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api_keys/{merchant_id}/{key_id}',
      name: 'revokeApiKey',
      title: 'Revoke an API key',
      does: 'Revokes a secret key, everywhere within a second.',
      takes: 'admin',
      answers: revokedAnswer,
      run: ({ service, world, path }) => written(service, revokeApiKey(world, path.merchant_id, path.key_id)),
    }),
    endpoint({
      method: 'POST',
      path: '/account/{merchant_id}/connectors',
      name: 'createConnectorAccount',
      title: 'Create a connector account',
      does: 'Adds a connector account: credentials at a processor, for one business profile.',
      takes: 'secret or admin',
      body: connectorAccountShape,
      choosesProfile: true,
      answers: connectorAccountAnswer,
      refuses: ['duplicate'],
      example: {
        summary: 'An account at the sandbox processor',
        value: {
          connector_type: 'payment_processor',
          connector_name: 'phonypay',
          connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_chairs' },
          connector_webhook_details: { merchant_secret: 'a secret that the processor signs with' },
        },
      },
      run: ({ service, world, merchant, body }) =>
        written(service, createConnectorAccount(world, service.mode, merchant, body, showConnectorAccount)),
    }),
    endpoint({
      method: 'GET',
      path: '/account/{merchant_id}/connectors',
      name: 'listConnectorAccounts',
      title: 'List connector accounts',
      does: 'Lists the connector accounts of a merchant.',
      takes: 'secret or admin',
      answers: Type.Array(connectorAccountListed),
      run: async ({ merchant }) => ({ json: merchant.connectorAccounts.map(listConnectorAccount) }),
    }),
  ],
)
