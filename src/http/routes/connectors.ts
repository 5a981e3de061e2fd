import Type from 'typebox'
import { findProfile } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, orNull, strictObject } from '../../base/shapes.ts'
import { FEWEST_FOR_A_RATE } from '../../payments/routing/simulate-routing.ts'
import { connectorCatalogue } from '../../show/connectors.ts'
import { reportHealth, windows } from '../../telemetry/account-report.ts'
import { count, flag, listSchema, schema, sized, text, texts, time, times } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { narrowedTo } from '../profile-header.ts'

const field = { name: text, label: Type.String({ description: 'What it is, for people' }) }

const connectorAnswer = schema('Connector', {
  name: Type.String({ description: '`connector_name` of its accounts' }),
  also_called: Type.Array(text, { description: 'Other names of the same connector' }),
  testing: Type.Boolean({ description: 'For testing only: live mode refuses its accounts' }),
  methods: Type.Array(text),
  payment_methods: Type.Array(schema('ConnectorPaymentMethod', { payment_method: text, payment_method_types: Type.Array(text) }), {
    description: 'What `payment_methods_enabled` of its accounts can name',
  }),
  payout_methods: Type.Array(text),
  capture_methods: Type.Array(text),
  verbs: Type.Array(text, { description: 'Operations that the processor supports; others are refused (IR_20)' }),
  currencies: orNull(Type.Array(text), 'null: all'),
  credentials: schema('ConnectorCredentials', '`connector_account_details` of its accounts', {
    auth_type: text,
    fields: Type.Array(
      schema('CredentialField', {
        ...field,
        secret: Type.Boolean({ description: 'A secret; otherwise a name or an id. All are stored encrypted' }),
      }),
    ),
  }),
  verifies_credentials: Type.Boolean({ description: 'Whether `POST /account/connectors/verify` can ask the processor' }),
  metadata: Type.Array(
    schema('ConnectorMetadata', {
      ...field,
      required: flag,
      connector_type: orNull(text, 'The type of account that it is for; null: both'),
    }),
    { description: 'Members of `metadata` of its accounts that mean something to it' },
  ),
  evidence: orNull(
    schema('ConnectorEvidence', 'What can be submitted for a dispute; null: disputes cannot be contested', {
      files: Type.Array(schema('EvidenceFileKind', { content_type: text, most_bytes: count })),
      evidence_types: Type.Array(text),
      texts: Type.Array(text),
    }),
  ),
  webhook: orNull(
    schema('ConnectorWebhook', 'null: the connector takes no webhooks', {
      registers_itself: Type.Boolean({ description: 'Whether the service can register its webhook URL at the processor' }),
    }),
  ),
  founded: Type.Enum(['documented', 'partly', 'own'], {
    description:
      '`documented`: by the processor’s public reference; `partly`: something is second-hand or assumed (`sources`); `own`: the protocol is this project’s',
  }),
  sources: schema('ConnectorSources', '`guessed`: assumptions, with the consequence if they are wrong', {
    documented: text,
    second_hand: orNull(text),
    guessed: orNull(text),
  }),
  finds_earlier: Type.Enum(['by request id', 'by reference', 'none'], {
    description: 'How the result of an earlier request is looked up; `none`: by webhook, or by sending it again under the same id',
  }),
})

export const connectorList = endpoint('GET /connectors', 'listConnectors', {
  title: 'List connectors',
  description:
    'Lists the processors that this service connects to, with what an account needs (credentials, metadata), what each supports (payment methods, capture methods, verbs, currencies, evidence), and how well it is documented.',
  auth: { credential: 'secret or admin', permission: 'connectors:health', scope: 'profile' },
  query: strictObject({}),
  answers: listSchema('Connectors', connectorAnswer),
  json: ({ service }) => sized(connectorCatalogue(service.deployment)),
})

/** The query parameter of a time window that ends now. */
export const windowShape = Type.Optional(Type.Enum(['1h', '24h', '7d'], { description: 'Default 1h' }))

const milliseconds = orNull(Type.Integer({ minimum: 0 }))
const rate = orNull(
  Type.Number({ minimum: 0, maximum: 100 }),
  `Percentage of the decided attempts (or payouts) that were approved, whatever another account made of their payments; null: fewer than ${FEWEST_FOR_A_RATE} were decided`,
)

const healthAnswer = schema('AccountHealthReport', {
  window: Type.Enum(Object.keys(windows)),
  since: Type.String({ format: 'date-time', description: 'The beginning of the window' }),
  size: count,
  data: Type.Array(
    schema('AccountHealth', {
      merchant_connector_id: text,
      connector_name: text,
      ...texts('connector_label'),
      profile_id: text,
      payments: Type.Integer({ minimum: 0, description: 'Attempts to authorize (or payouts) that were sent to the account' }),
      decided: Type.Integer({ minimum: 0, description: 'Payments that were approved or declined' }),
      success_rate: rate,
      calls: Type.Array(
        schema('AccountCalls', 'Percentiles are within a tenth of the measured time', {
          verb: text,
          count,
          p50_ms: milliseconds,
          p95_ms: milliseconds,
          unknown: Type.Integer({ minimum: 0, description: 'Without a clear response' }),
          not_sent: Type.Integer({ minimum: 0, description: 'Nothing reached the processor' }),
        }),
      ),
      breaker: schema('AccountBreaker', '`open` only where elimination is active (dynamic routing)', {
        state: Type.Enum(['closed', 'open', 'half_open']),
        ...times('since next_try_at'),
      }),
      ...times('last_webhook_at'),
      series: Type.Array(schema('AccountHealthPoint', { at: time, payments: count, success_rate: rate, p95_ms: milliseconds })),
    }),
  ),
})

export const connectorHealth = endpoint('GET /account/{merchant_id}/connectors/health', 'retrieveConnectorHealth', {
  sdk: 'connectorAccounts.health',
  title: 'Retrieve the health of connector accounts',
  description:
    'Retrieves how the connector accounts of a merchant have been doing in the last hour, day or week: payments and their success rate, calls by verb with response times, the circuit breaker, and the last webhook. All processes of the service are counted; other processes report every ten seconds.',
  auth: { credential: 'secret or admin', permission: 'connectors:health', scope: 'profile' },
  query: strictObject({ window: windowShape, profile_id: Type.Optional(boundedText(64)) }),
  answers: healthAnswer,
  json: async ({ service, context, merchant, headers, query: { window = '1h', profile_id = narrowedTo(headers) } }) => {
    if (profile_id !== null && !findProfile(merchant, profile_id)) refuse('not_found', { what: 'business profile', id: profile_id })
    const accounts = merchant.connectorAccounts.filter(one => profile_id === null || one.profile_id === profile_id)
    await service.watch.accounts.write()
    return reportHealth(context, merchant, accounts, window)
  },
})
