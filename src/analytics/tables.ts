import { bigint, int, json, table, text, time } from '../database/table.ts'

/**
 * The facets by which payments are counted separately; each has few values. A payment without a value has none in its
 * kind.
 */
export const facetNames = [
  'profile_id',
  'connector',
  'merchant_connector_id',
  'payment_method',
  'card_network',
  'currency',
  'country',
  'error_code',
  'unified_code',
] as const
export type FacetName = (typeof facetNames)[number]
export type CountedFacets = Partial<Record<FacetName, string>>

/** The facets by which answer times are counted separately: fewer, because each kind has a scale of its own. */
export const latencyFacets: readonly FacetName[] = ['profile_id', 'connector', 'merchant_connector_id', 'payment_method']

/**
 * The counters, each as a number of payments and (`…_amount`; `volume` for all payments) their amounts in the lowest
 * denomination. All payments of a kind have the same currency. `attempts_…` count authorizations instead, each under
 * the account, the method, the network and the reason of the decline of its own.
 */
export const counters = [
  'payments',
  'volume',
  'authorized',
  'authorized_amount',
  'declined',
  'declined_amount',
  'captured',
  'captured_amount',
  'refunded',
  'refunded_amount',
  'disputed',
  'disputed_amount',
  'saved',
  'saved_amount',
  'held',
  'held_amount',
  'processing',
  'processing_amount',
  'attempts_authorized',
  'attempts_declined',
] as const
export type Counter = (typeof counters)[number]
export type Counts = Record<Counter, number>

const kind = { merchant_id: text(), kind: bigint() }
/** The columns of a stretch of `hours` hours, from `at`. */
const stretch = { hours: int(), at: time() }

export const analyticsKinds = table('analytics_kinds', {
  key: ['merchant_id', 'kind'],
  columns: { ...kind, facets: json<CountedFacets>() },
})

/** The counters of the payments of a kind that were created in a stretch of time. */
export const analyticsCounts = table('analytics_counts', {
  key: ['merchant_id', 'hours', 'at', 'kind'],
  columns: {
    ...kind,
    ...stretch,
    ...(Object.fromEntries(counters.map(name => [name, bigint()])) as Record<Counter, ReturnType<typeof bigint>>),
  },
})

/** The number of processor answers by answer time (`scale.ts`). */
export const analyticsLatencies = table('analytics_latencies', {
  key: ['merchant_id', 'hours', 'at', 'kind', 'bucket'],
  columns: { ...kind, ...stretch, bucket: int(), answers: bigint() },
})
