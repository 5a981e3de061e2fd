import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { count, flag, listSchema, schema, text } from '../answer-shapes.ts'

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
  currencies: Type.Union([Type.Array(text), Type.Null()], { description: 'null: all' }),
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
      connector_type: Type.Union([text, Type.Null()], { description: 'The type of account that it is for; null: both' }),
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

export const connectorsAnswer = listSchema('Connectors', connectorAnswer)
