import Type from 'typebox'
import { findProfile } from '../../accounts/merchant.ts'
import { attentionKinds, findAttention, MOST_HOLDS, severities } from '../../analytics/attention.ts'
import { findUnknownPayments } from '../../analytics/unknown-payments.ts'
import { refuse } from '../../base/refusal.ts'
import { shortText, strictObject } from '../../base/shapes.ts'
import { readAccountHealth } from '../../telemetry/account-health.ts'
import { amounts, count, flag, minor, schema, text, texts, time, times, wordOf } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { profilesOf, roleHoldsFor } from '../profile-header.ts'

const USUAL = 20

const attentionAnswer = schema('Attention', {
  kind: wordOf(attentionKinds),
  severity: Type.Enum([...severities]),
  object_kind: Type.Enum(['approval', 'payment', 'refund', 'dispute', 'connector_account', 'webhook_endpoint', 'api_key']),
  object_id: text,
  ...texts('payment_id profile_id merchant_connector_id'),
  ...amounts('amount'),
  ...texts('currency'),
  since: time,
  ...times('due'),
  ...texts('code'),
  message: text,
})

const unknownAnswer = schema(
  'UnknownOperations',
  'Processor requests of payments whose result is not known yet. The next status poll is at next_ask_at',
  { operations: count, amounts: Type.Array(schema('UnknownAmount', { currency: text, amount: minor })), ...times('since next_ask_at') },
)

export const attentionRoute = endpoint('GET /attention', 'listAttention', {
  title: 'List what needs attention',
  description: `Lists what waits for a person, the most urgent first: approvals, payments and refunds whose result is unclear, disputes to answer, holds that lapse, accounts that do not answer, webhook endpoints that fail, and API keys that expire. Holds are looked for among the ${MOST_HOLDS} oldest of each connector account.`,
  auth: { credential: 'secret', permission: 'analytics:read', scope: 'profile' },
  query: strictObject({
    profile_id: Type.Optional(shortText),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: `At most so many of each kind; ${USUAL} by default` })),
  }),
  answers: schema('AttentionList', { size: count, has_more: flag, data: Type.Array(attentionAnswer), unknown: unknownAnswer }),
  errors: ['not_found'],
  json: async call => {
    const { context, merchant, service, query } = call
    const { profile_id, limit = USUAL } = query
    if (profile_id !== undefined && !findProfile(merchant, profile_id)) refuse('not_found', { what: 'business profile', id: profile_id })
    const profiles = profile_id === undefined ? profilesOf(call) : [profile_id]
    const { merchant_id, connectorAccounts } = merchant
    const accounts = connectorAccounts.map(one => one.merchant_connector_id)
    await service.watch.accounts.write()
    const [{ breakers }, endpoints] = await Promise.all([
      readAccountHealth(context, merchant_id, accounts, { minutes: 1, since: context.now() }),
      service.settings.webhookEndpoints(merchant_id),
    ])
    const [{ data, has_more }, unknown] = await Promise.all([
      findAttention(context, { merchant, profiles, limit, withKeys: roleHoldsFor(call.who) === null }, { breakers, endpoints }),
      findUnknownPayments(context, merchant, profiles),
    ])
    return { size: data.length, has_more, data, unknown }
  },
})
