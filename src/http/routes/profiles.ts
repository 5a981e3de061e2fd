import Type from 'typebox'
import type { ProfileRow } from '../../accounts/merchant.ts'
import { profileShape, profileUpdateShape, settingsOfAdmin } from '../../accounts/profile-fields.ts'
import { createProfile, deleteProfile, needProfileRow, updateProfile } from '../../accounts/profiles.ts'
import { refuse } from '../../base/refusal.ts'
import { strictObject } from '../../base/shapes.ts'
import type { Context } from '../../context.ts'
import { checkWebhookDetails } from '../../events/status-filters.ts'
import { hasUnfinished } from '../../operations/operation.ts'
import { profileMembers, showProfile, showProfiles } from '../../show/account.ts'
import { shapesOf } from '../../show/member.ts'
import { flag, schema } from '../answer-shapes.ts'
import { alias, endpoint, tagged } from '../endpoint.ts'
import { narrowedTo } from '../profile-header.ts'
import { afterWrite } from './accounts.ts'

export const profileAnswer = schema('BusinessProfile', shapesOf(profileMembers))

const shown = (context: Context) => (profile: ProfileRow) => showProfile(context.vault, profile)

const toggle = (
  path: `toggle_${string}`,
  name: string,
  setting: 'is_extended_card_info_enabled' | 'is_connector_agnostic_mit_enabled',
  words: { title: string; description: string },
) =>
  endpoint(`POST /account/{merchant_id}/business_profile/{profile_id}/${path}`, name, {
    ...words,
    auth: { credential: 'secret or admin', permission: 'profiles:write', scope: 'profile' },
    body: strictObject({ enabled: flag }),
    answers: schema('Switch', { enabled: flag }),
    example: { summary: 'On', value: { enabled: true } },
    json: ({ service, context, path: { merchant_id, profile_id }, body: { enabled } }) =>
      afterWrite(
        service,
        updateProfile(context, merchant_id, profile_id, { [setting]: enabled }, () => ({ enabled })),
      ),
  })

const profileList = endpoint('GET /account/{merchant_id}/business_profile', 'listProfiles', {
  title: 'List business profiles',
  description: 'Lists the business profiles of a merchant; with X-Profile-Id, only that profile.',
  auth: { credential: 'secret or admin', permission: 'profiles:read', scope: 'profile' },
  answers: Type.Array(profileAnswer),
  json: ({ context, merchant, headers }) => showProfiles(context.vault, merchant, narrowedTo(headers)),
})

export const profileRoutes = tagged(
  'Business profiles',
  'A merchant’s businesses, each with its own connector accounts, return URL and webhooks. A merchant starts with one; with several, payments must set `profile_id`.',
  { confidential: 'signing key', sdk: ['profiles', 'Profile'], platforms: 'for itself too' },
  [
    endpoint('POST /account/{merchant_id}/business_profile', 'createProfile', {
      title: 'Create a business profile',
      description:
        'Creates a business profile. The merchant then has no implicit default: payments must set profile_id unless the merchant account has a default_profile.',
      auth: { credential: 'secret or admin', permission: 'profiles:write', scope: 'merchant' },
      webhookAddress: body => body.webhook_details?.webhook_url,
      body: profileShape,
      answers: profileAnswer,
      errors: ['taken', 'invalid_value'],
      example: { summary: 'A second shop', value: { profile_name: 'outlet', return_url: 'https://outlet.example/thanks' } },
      json({ service, context, path, body }) {
        checkWebhookDetails(body.webhook_details)
        return afterWrite(service, createProfile(context, path.merchant_id, body, shown(context)))
      },
    }),
    profileList,
    alias(profileList, 'GET /account/{merchant_id}/profile', 'listOwnProfiles', {
      title: 'List business profiles, for one profile',
      description: 'Same as above, at the URL used by existing clients with a single profile.',
    }),
    endpoint('GET /account/{merchant_id}/business_profile/{profile_id}', 'retrieveProfile', {
      title: 'Retrieve a business profile',
      description: 'Retrieves a business profile.',
      auth: { credential: 'secret or admin', permission: 'profiles:read', scope: 'profile' },
      answers: profileAnswer,
      json: async ({ context, path }) => showProfile(context.vault, await needProfileRow(context, path.merchant_id, path.profile_id)),
    }),
    endpoint('POST /account/{merchant_id}/business_profile/{profile_id}', 'updateProfile', {
      title: 'Update a business profile',
      description:
        'Updates a business profile. Fields that are not sent are unchanged, and webhook_details are merged. extended_card_info_config, the key that cards are encrypted for, requires the admin key.',
      auth: { credential: 'secret or admin', permission: 'profiles:write', scope: 'profile' },
      webhookAddress: body => body.webhook_details?.webhook_url,
      body: profileUpdateShape,
      answers: profileAnswer,
      errors: ['taken', 'invalid_value'],
      example: { summary: 'Payment sessions of one hour', value: { session_expiry: 3600 } },
      json: ({ service, context, who, path, body }) => {
        // The holder of the key to which cards are encrypted can read card numbers: no merchant's API key may set it.
        for (const name of settingsOfAdmin)
          if (body[name] && who.is !== 'admin') refuse('forbidden', { problem: `${name} can only be set with the admin API key` })
        checkWebhookDetails(body.webhook_details)
        return afterWrite(service, updateProfile(context, path.merchant_id, path.profile_id, body, shown(context)))
      },
    }),
    endpoint('DELETE /account/{merchant_id}/business_profile/{profile_id}', 'deleteProfile', {
      title: 'Delete a business profile',
      description:
        'Deletes a business profile and its connector accounts; existing payments continue. Refused while an operation is in progress at a processor.',
      auth: { credential: 'admin', permission: 'profiles:write', scope: 'merchant' },
      answers: Type.Literal(true),
      errors: ['precondition'],
      json: ({ service, context, path }) => afterWrite(service, deleteProfile(context, path.merchant_id, path.profile_id, hasUnfinished)),
    }),
    toggle('toggle_extended_card_info', 'toggleExtendedCardInfo', 'is_extended_card_info_enabled', {
      title: 'Turn extended card information on or off',
      description:
        'Sets is_extended_card_info_enabled of the profile: whether responses include the first eight digits of a card (`card_extended_bin`), and whether GET /payments/{payment_id}/extended_card_info returns the card, encrypted for the key in extended_card_info_config.',
    }),
    toggle('toggle_connector_agnostic_mit', 'toggleConnectorAgnosticMit', 'is_connector_agnostic_mit_enabled', {
      title: 'Turn connector-agnostic recurring payments on or off',
      description:
        'Sets is_connector_agnostic_mit_enabled of the profile: whether a saved card can be charged off-session at a connector account other than the one that stores it, with its network_transaction_id.',
    }),
  ],
)
