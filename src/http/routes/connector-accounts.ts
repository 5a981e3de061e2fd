import Type from 'typebox'
import { unsealAccount } from '../../accounts/connector-account.ts'
import { connectorAccountShape, connectorAccountUpdateShape, verifyShape } from '../../accounts/connector-account-fields.ts'
import {
  createConnectorAccount,
  deleteConnectorAccount,
  needConnectorAccount,
  updateConnectorAccount,
} from '../../accounts/connector-accounts.ts'
import { registerShape, registerWebhook } from '../../accounts/register-webhook.ts'
import { verifyCredentials } from '../../accounts/verify-credentials.ts'
import { refuse } from '../../base/refusal.ts'
import { orNull } from '../../base/shapes.ts'
import { hasUnfinished } from '../../operations/operation.ts'
import { connectorAccountMembers, listedAccountMembers, showConnectorAccount, showConnectorAccounts } from '../../show/account.ts'
import { shapesOf } from '../../show/member.ts'
import { flag, schema, text, texts } from '../answer-shapes.ts'
import { type ApiRequest, alias, endpoint, tagged } from '../endpoint.ts'
import { narrowedTo } from '../profile-header.ts'
import { afterWrite } from './accounts.ts'
import { connectorHealth, connectorList } from './connectors.ts'

export const connectorAccountListed = schema('ConnectorAccountListed', shapesOf(listedAccountMembers))

export const connectorAccountAnswer = schema('ConnectorAccount', shapesOf(connectorAccountMembers))

export const deletedConnectorAccountAnswer = schema('DeletedConnectorAccount', {
  merchant_id: text,
  merchant_connector_id: text,
  deleted: flag,
})

const registeredAnswer = schema('RegisteredWebhook', {
  event_type: Type.Unknown(),
  webhook_registration_status: Type.Enum(['Success', 'Failure']),
  ...texts('connector_webhook_id error_code error_message'),
})

export const verifiedAnswer = schema('VerifiedCredentials', {
  connector_name: text,
  merchant_connector_id: orNull(text),
  verified: orNull(flag, 'null: the processor could not be reached, or its response is invalid'),
  ...texts('error_code error_message'),
})

type Asked = Pick<ApiRequest, 'context' | 'headers'> & { path: { merchant_id: string; merchant_connector_id: string } }

/** Returns the account that the path names; with X-Profile-Id, accounts of other profiles are not found. */
async function accountIn({ context, headers, path }: Asked) {
  const row = await needConnectorAccount(context, path.merchant_id, path.merchant_connector_id)
  const profile_id = narrowedTo(headers)
  return profile_id === null || row.profile_id === profile_id
    ? row
    : refuse('not_found', { what: 'connector account', id: row.merchant_connector_id })
}

const accountList = endpoint('GET /account/{merchant_id}/connectors', 'listConnectorAccounts', {
  title: 'List connector accounts',
  description: 'Lists the connector accounts of a merchant; with X-Profile-Id, only those of that profile.',
  auth: { credential: 'secret or admin', permission: 'connectors:read', scope: 'profile' },
  answers: Type.Array(connectorAccountListed),
  json: ({ merchant, headers }) => showConnectorAccounts(merchant, narrowedTo(headers)),
})

const webhookRegistration = endpoint('POST /account/{merchant_id}/webhooks/{merchant_connector_id}', 'registerConnectorWebhook', {
  title: 'Register a webhook at the processor',
  description: 'Tells the processor of an account to send its webhooks here, signed with the account’s merchant_secret.',
  auth: { credential: 'secret or admin', permission: 'connectors:write', scope: 'profile' },
  body: registerShape,
  answers: registeredAnswer,
  errors: ['flow_not_supported', 'precondition'],
  example: { summary: 'All events', value: { event_type: 'all_events' } },
  json: async call => registerWebhook(call.context, call.service.deployment, await accountIn(call), call.body),
})

const ofTwoNetworks = (payment_method_type: string) => ({ payment_method_type, card_networks: ['Visa', 'Mastercard'] })

export const connectorAccountRoutes = tagged(
  'Connector accounts',
  "A merchant's accounts at processors, each of one business profile. Credentials are stored encrypted and returned masked, with only their first and last two characters.",
  { confidential: 'nothing', sdk: ['connectorAccounts', 'ConnectorAccount'] },
  [
    connectorList,
    endpoint('POST /account/{merchant_id}/connectors', 'createConnectorAccount', {
      title: 'Create a connector account',
      description: 'Creates a connector account: a processor’s credentials for one business profile.',
      auth: { credential: 'secret or admin', permission: 'connectors:write', scope: 'profile' },
      body: connectorAccountShape,
      choosesProfile: true,
      answers: connectorAccountAnswer,
      errors: ['duplicate'],
      example: {
        summary: 'An account at the sandbox processor',
        value: {
          connector_type: 'payment_processor',
          connector_name: 'phonypay',
          connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_chairs' },
          connector_webhook_details: { merchant_secret: 'a secret that the processor signs with' },
        },
      },
      json: ({ service, context, merchant, body }) =>
        afterWrite(service, createConnectorAccount(context, service.deployment, merchant, body, showConnectorAccount)),
    }),
    accountList,
    connectorHealth,
    alias(accountList, 'GET /account/{merchant_id}/profile/connectors', 'listProfileConnectorAccounts', {
      title: 'List connector accounts, for one profile',
      description: 'Same as above, at the URL used by existing clients with a single profile.',
    }),
    endpoint('GET /account/{merchant_id}/connectors/{merchant_connector_id}', 'retrieveConnectorAccount', {
      title: 'Retrieve a connector account',
      description: 'Retrieves a connector account with masked credentials.',
      auth: { credential: 'secret or admin', permission: 'connectors:read', scope: 'profile' },
      answers: connectorAccountAnswer,
      json: async call => {
        const row = await accountIn(call)
        return showConnectorAccount(row, unsealAccount(call.context.vault, row))
      },
    }),
    endpoint('POST /account/{merchant_id}/connectors/{merchant_connector_id}', 'updateConnectorAccount', {
      title: 'Update a connector account',
      description:
        'Updates a connector account. Fields that are not sent are unchanged; payment_methods_enabled is replaced as a whole. An update without `disabled` enables an active account.',
      auth: { credential: 'secret or admin', permission: 'connectors:write', scope: 'profile' },
      body: connectorAccountUpdateShape,
      answers: connectorAccountAnswer,
      errors: ['duplicate'],
      example: {
        summary: 'Accepts cards of two networks only',
        value: {
          connector_type: 'payment_processor',
          connector_label: 'cards',
          payment_methods_enabled: [{ payment_method: 'card', payment_method_types: ['credit', 'debit'].map(ofTwoNetworks) }],
        },
      },
      json: async call => {
        const { service, context, body } = call
        const { merchant_id, merchant_connector_id } = await accountIn(call)
        return afterWrite(
          service,
          updateConnectorAccount(context, service.deployment, merchant_id, merchant_connector_id, body, showConnectorAccount),
        )
      },
    }),
    endpoint('DELETE /account/{merchant_id}/connectors/{merchant_connector_id}', 'deleteConnectorAccount', {
      title: 'Delete a connector account',
      description:
        'Deletes a connector account, which is no longer used for new payments. Existing payments and their refunds continue through it. Refused while an operation is in progress at the processor.',
      auth: { credential: 'admin', permission: 'connectors:write', scope: 'profile' },
      answers: deletedConnectorAccountAnswer,
      errors: ['precondition'],
      json: ({ service, context, path }) =>
        afterWrite(service, deleteConnectorAccount(context, path.merchant_id, path.merchant_connector_id, hasUnfinished)),
    }),
    webhookRegistration,
    alias(webhookRegistration, 'POST /account/{merchant_id}/connectors/webhooks/{merchant_connector_id}', 'registerConnectorWebhookToo', {
      title: 'Register a webhook at the processor (alternative URL)',
      description: 'Same as above, at the URL used by some existing clients.',
    }),
    endpoint('POST /account/connectors/verify', 'verifyCredentials', {
      sdk: 'connectorAccounts.verify',
      title: 'Verify credentials',
      reads: true,
      description:
        'Verifies credentials with the processor, either before they are stored or (merchant_connector_id) for an existing account. Nothing is stored, and no money moves.',
      auth: { credential: 'secret', permission: 'connectors:write', scope: 'profile', ids: ['merchant_connector_id'] },
      body: verifyShape,
      answers: verifiedAnswer,
      errors: ['flow_not_supported', 'not_found'],
      example: {
        summary: 'Before the account is created',
        value: { connector_name: 'phonypay', connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_chairs' } },
      },
      json: ({ service, context, merchant, body }) => verifyCredentials(context, service.deployment, merchant.merchant_id, body),
    }),
  ],
)
