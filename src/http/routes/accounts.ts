import Type from 'typebox'
import type { MerchantRow } from '../../accounts/merchant-row.ts'
import { createMerchant, deleteMerchant, merchantShape, merchantUpdateShape, updateMerchant } from '../../accounts/merchants.ts'
import {
  createOrganization,
  needOrganization,
  organizationShape,
  organizationUpdateShape,
  updateOrganization,
} from '../../accounts/organization.ts'
import { findMerchantsOf } from '../../accounts/rows.ts'
import { strictObject } from '../../base/shapes.ts'
import type { Context } from '../../context.ts'
import { checkWebhookDetails } from '../../events/status-filters.ts'
import { hasUnfinished } from '../../operations/operation.ts'
import { merchantMembers, organizationMembers, showMerchant, showOrganization } from '../../show/account.ts'
import { shapesOf } from '../../show/member.ts'
import { flag, schema, text } from '../answer-shapes.ts'
import { operator } from '../auth.ts'
import { endpoint, type Service, tagged } from '../endpoint.ts'

export const organizationAnswer = schema('Organization', shapesOf(organizationMembers))

export const merchantAnswer = schema('MerchantAccount', shapesOf(merchantMembers))

export const deletedMerchantAnswer = schema('DeletedMerchantAccount', { merchant_id: text, deleted: flag })

export const kvAnswer = schema('KeyValueStore', { merchant_id: text, kv_enabled: flag })

/** Reloads the cached settings after an administrative write, which is answered even if they cannot be read yet. */
export async function afterWrite<T>(service: Pick<Service, 'settings' | 'context'>, work: Promise<T>): Promise<T> {
  const result = await work
  await service.settings.written()
  return result
}

const shown = (context: Context) => (merchant: MerchantRow) => showMerchant(context.vault, merchant)

/** Returns the answer about `kv_enabled`, the merchant's storage scheme: the value is stored, and changes nothing. */
const showKv = ({ merchant_id, details }: Pick<MerchantRow, 'merchant_id' | 'details'>) => ({
  merchant_id,
  kv_enabled: details.kv_enabled === true,
})

export const accountRoutes = tagged(
  'Accounts',
  'Merchant accounts and their organizations. Requires the admin key.',
  { confidential: 'signing key of merchant', sdk: ['accounts', 'MerchantAccount'] },
  [
    endpoint('POST /organization', 'createOrganization', {
      sdk: 'organizations.create',
      title: 'Create an organization',
      description: 'Creates an organization, which groups merchant accounts.',
      auth: operator,
      body: organizationShape,
      answers: organizationAnswer,
      example: { summary: 'A company with several shops', value: { organization_name: 'Furniture Group' } },
      json: ({ context, body }) => createOrganization(context, body, showOrganization),
    }),
    endpoint('GET /organization/{organization_id}', 'retrieveOrganization', {
      sdk: 'organizations.retrieve',
      title: 'Retrieve an organization',
      description: 'Retrieves an organization.',
      auth: operator,
      answers: organizationAnswer,
      errors: ['unknown'],
      json: async ({ context, path }) => showOrganization(await needOrganization(context, path.organization_id)),
    }),
    endpoint('PUT /organization/{organization_id}', 'updateOrganization', {
      sdk: 'organizations.update',
      title: 'Update an organization',
      description: 'Updates an organization. Fields that are not sent are unchanged.',
      auth: operator,
      body: organizationUpdateShape,
      answers: organizationAnswer,
      errors: ['unknown'],
      example: { summary: 'Renames it', value: { organization_name: 'Furniture Group International' } },
      json: ({ context, path, body }) => updateOrganization(context, path.organization_id, body, showOrganization),
    }),
    endpoint('POST /accounts', 'createMerchantAccount', {
      title: 'Create a merchant account',
      description:
        'Creates a merchant account with its business profiles: one for each entry in primary_business_details, or a single profile named default.',
      auth: operator,
      body: merchantShape,
      answers: merchantAnswer,
      errors: ['duplicate', 'unknown', 'invalid_value'],
      example: {
        summary: 'A shop',
        value: { merchant_id: 'chairs', merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' },
      },
      json({ service, context, body }) {
        checkWebhookDetails(body.webhook_details)
        return afterWrite(service, createMerchant(context, service.mode, body, shown(context)))
      },
    }),
    endpoint('GET /accounts/list', 'listMerchantAccounts', {
      title: 'List merchant accounts',
      description: 'Lists the merchant accounts of an organization.',
      auth: operator,
      query: strictObject({ organization_id: Type.String({ maxLength: 64 }) }),
      answers: Type.Array(merchantAnswer),
      errors: ['unknown'],
      json: async ({ context, query: { organization_id } }) => {
        await needOrganization(context, organization_id)
        return (await findMerchantsOf(context, organization_id)).map(shown(context))
      },
    }),
    endpoint('GET /accounts/{merchant_id}', 'retrieveMerchantAccount', {
      title: 'Retrieve a merchant account',
      description: 'Retrieves a merchant account.',
      auth: { credential: 'admin', permission: 'merchant:read', scope: 'profile' },
      answers: merchantAnswer,
      json: ({ context, merchant }) => showMerchant(context.vault, merchant),
    }),
    endpoint('POST /accounts/{merchant_id}', 'updateMerchantAccount', {
      title: 'Update a merchant account',
      description:
        'Updates a merchant account. Fields that are not sent are unchanged, and webhook_details are merged. A business profile is created for each new entry in primary_business_details.',
      auth: operator,
      webhookAddress: body => body.webhook_details?.webhook_url,
      body: merchantUpdateShape,
      answers: merchantAnswer,
      errors: ['invalid_value'],
      example: { summary: 'URL that customers return to', value: { return_url: 'https://shop.example/thank-you' } },
      json({ service, context, path, body }) {
        checkWebhookDetails(body.webhook_details)
        return afterWrite(service, updateMerchant(context, path.merchant_id, body, shown(context)))
      },
    }),
    endpoint('DELETE /accounts/{merchant_id}', 'deleteMerchantAccount', {
      title: 'Delete a merchant account',
      description:
        'Deletes a merchant account and invalidates its API keys. Existing payments continue, and its id cannot be reused. Refused while an operation is in progress at a processor.',
      auth: { credential: 'admin', permission: 'merchant:delete', scope: 'merchant' },
      answers: deletedMerchantAnswer,
      errors: ['precondition'],
      json: ({ service, context, path }) => afterWrite(service, deleteMerchant(context, path.merchant_id, hasUnfinished)),
    }),
    endpoint('POST /accounts/{merchant_id}/kv', 'setKv', {
      title: 'Turn the key-value store on or off',
      description:
        'Accepts the storage scheme that existing set-up scripts send. The service has a single storage scheme, so the value is only stored and returned.',
      auth: operator,
      body: strictObject({ kv_enabled: flag }),
      answers: kvAnswer,
      example: { summary: 'On', value: { kv_enabled: true } },
      json: ({ service, context, path, body }) => afterWrite(service, updateMerchant(context, path.merchant_id, body, showKv)),
    }),
    endpoint('GET /accounts/{merchant_id}/kv', 'retrieveKv', {
      title: 'Retrieve the state of the key-value store',
      description: 'Retrieves the stored value.',
      auth: operator,
      answers: kvAnswer,
      json: ({ merchant }) => showKv(merchant),
    }),
  ],
)
