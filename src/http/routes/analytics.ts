import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { breakdownShape, seriesShape } from '../../analytics/ask.ts'
import { LEAST_FOR_RATE, readAnalytics } from '../../analytics/read.ts'
import { facetNames } from '../../analytics/tables.ts'
import { orNull } from '../../base/shapes.ts'
import { count, minor, schema, text, time } from '../answer-shapes.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { profilesOf } from '../profile-header.ts'
import { attentionRoute } from './attention.ts'

const option = Type.Optional
const dateTime = (description: string) => Type.String({ format: 'date-time', description })
const amounts = Type.Array(schema('AnalyticsAmount', { currency: text, amount: minor }), {
  description: 'By currency, the largest first; amounts are never added over currencies',
})
const counted = (description: string) => option(schema('AnalyticsCounted', description, { payments: count, amounts }))
const rate = (words: string) => {
  const description = `${words}; null below ${LEAST_FOR_RATE}, from which no rate follows`
  return option(orNull(Type.Number({ minimum: 0, maximum: 1, description })))
}
const cell = {
  key: schema('AnalyticsKey', 'The values of group_by', Object.fromEntries(facetNames.map(name => [name, option(orNull(text))]))),
  payments: option(Type.Integer({ minimum: 0, description: 'Payments that were confirmed' })),
  volume: option({ ...amounts, description: 'What they were to cost, by currency' }),
  decided: option(Type.Integer({ minimum: 0, description: 'Authorized or declined' })),
  authorized: option(count),
  declined: option(count),
  rate: rate('Authorized payments of those decided, each counted where its last attempt ended'),
  attempts: option(
    schema(
      'AnalyticsAttempts',
      'Attempts to authorize these payments, each counted under its own account, method, network and reason of decline. Compare accounts by this rate: `rate` counts a payment where its last attempt ended, so that a decline which another account made good counts nowhere.',
      {
        decided: Type.Integer({ minimum: 0, description: 'Authorized or declined' }),
        authorized: count,
        declined: Type.Integer({ minimum: 0, description: 'Declined by the processor, or not received by it' }),
        rate: rate('Authorized attempts of those decided'),
      },
    ),
  ),
  captured: counted('Captured, before refunds'),
  refunded: counted('Refunded so far'),
  disputed: counted('Ever disputed; the amounts are what disputes withhold now'),
  saved_by_retry: counted('Authorized by a later attempt than the first'),
  held: counted('Authorized, and may still be captured'),
  outside: counted('Captured, refunded, voided or raised at the processor by others; the amounts are all that they moved'),
  processing: counted('Of which the processor has not reported the result'),
  latency: option(
    schema('AnalyticsLatency', 'Answer times of first confirmations, at most a tenth too long', {
      answers: count,
      p50_ms: orNull(count),
      p95_ms: orNull(count),
    }),
  ),
}
const range = schema('AnalyticsRange', 'As it was counted: whole hours', { start_time: time, end_time: time })
const answer = (title: string, item: object) => {
  const data = Type.Array(schema(`${title}Item`, item as typeof cell))
  return schema(title, {
    time_range: range,
    complete_until: dateTime('Changes up to here are counted, usually all but those of the last second'),
    size: count,
    data,
    compared: orNull(schema(`${title}Compared`, { time_range: range, data })),
  })
}

const json = (call: ApiRequest<Merchant> & { body: Parameters<typeof readAnalytics>[2] }) =>
  readAnalytics(call.context, call.merchant.merchant_id, call.body, profilesOf(call))
const time_range = { start_time: '2026-01-01T00:00:00.000Z' }

export const analyticsRoutes = tagged(
  'Analytics',
  'What payments came to, from counters that are exact and answer within milliseconds however many payments there are. Everything is counted at the time at which its payment was created, so that a figure is that of the list with the same time range: a refund counts for the hour of its payment. `npm run analytics:prove` verifies the counters.',
  { confidential: 'personal data', sdk: ['analytics', 'Analytics'] },
  [
    endpoint('POST /analytics/series', 'analyticsSeries', {
      sdk: 'analytics.series',
      title: 'Count payments over time',
      reads: true,
      description:
        'Counts payments by hour or day: volume, authorization rate, captures, refunds, disputes, and what a second attempt saved; optionally by account, method, currency and other groups. Hours and days without payments are left out.',
      auth: { credential: 'secret', permission: 'analytics:read', scope: 'profile' },
      body: seriesShape,
      answers: answer('AnalyticsSeries', { at: dateTime('When the hour or day begins'), ...cell }),
      example: { summary: 'Captured amounts of each day', value: { time_range, granularity: 'day', metrics: ['captured'] } },
      json,
    }),
    endpoint('POST /analytics/breakdown', 'analyticsBreakdown', {
      sdk: 'analytics.breakdown',
      title: 'Break payments down',
      reads: true,
      description:
        'Counts the payments of a time range by account, method, network, currency, country, profile or reason of decline, the largest groups first.',
      auth: { credential: 'secret', permission: 'analytics:read', scope: 'profile' },
      body: breakdownShape,
      answers: answer('AnalyticsBreakdown', cell),
      example: { summary: 'Why payments were declined', value: { time_range, group_by: ['error_code'], metrics: ['payments', 'rate'] } },
      json,
    }),
    attentionRoute,
  ],
)
