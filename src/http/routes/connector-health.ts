import Type from 'typebox'
import { findProfile } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, closed, orNull } from '../../base/shapes.ts'
import { FEWEST_FOR_A_RATE } from '../../payments/routing/simulate-routing.ts'
import { reportHealth, windows } from '../../telemetry/account-report.ts'
import { count, schema, text, texts, time, times } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { narrowedTo } from '../profile-header.ts'

/** The query parameter of a time window that ends now. */
export const windowShape = Type.Optional(Type.Enum(['1h', '24h', '7d'], { description: 'Default 1h' }))

const milliseconds = orNull(Type.Integer({ minimum: 0 }))
const rate = Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
  description: `Percentage of the decided attempts (or payouts) that were approved, whatever another account made of their payments; null: fewer than ${FEWEST_FOR_A_RATE} were decided`,
})

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
  query: Type.Object(
    {
      window: windowShape,
      profile_id: Type.Optional(boundedText(64)),
    },
    closed,
  ),
  answers: healthAnswer,
  json: async ({ service, context, merchant, headers, query: { window = '1h', profile_id = narrowedTo(headers) } }) => {
    if (profile_id !== null && !findProfile(merchant, profile_id)) refuse('not_found', { what: 'business profile', id: profile_id })
    const accounts = merchant.connectorAccounts.filter(one => profile_id === null || one.profile_id === profile_id)
    await service.watch.accounts.write()
    return reportHealth(context, merchant, accounts, window)
  },
})
