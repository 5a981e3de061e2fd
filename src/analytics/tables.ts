import { bigint, int, json, table, text, time } from '../database/table.ts'

/** By what payments are counted apart: few words each. A payment that has no such word has none in its kind. */
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

/** By what answer times are counted apart: by fewer words, because each kind has a scale of its own. */
export const latencyFacets: readonly FacetName[] = ['profile_id', 'connector', 'merchant_connector_id', 'payment_method']

/**
 * What is counted, each as payments and (`…_amount`, of all payments `volume`) their amounts in the lowest
 * denomination: of one kind all have one currency.
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
] as const
export type Counter = (typeof counters)[number]
export type Counts = Record<Counter, number>

const kind = { merchant_id: text(), kind: bigint() }
/** A stretch of `hours` hours, from `at`. */
const stretch = { hours: int(), at: time() }

export const analyticsKinds = table('analytics_kinds', {
  key: ['merchant_id', 'kind'],
  columns: { ...kind, facets: json<CountedFacets>() },
})

/** What the payments of a kind that were created in a stretch of time have come to. */
export const analyticsCounts = table('analytics_counts', {
  key: ['merchant_id', 'hours', 'at', 'kind'],
  columns: {
    ...kind,
    ...stretch,
    ...(Object.fromEntries(counters.map(name => [name, bigint()])) as Record<Counter, ReturnType<typeof bigint>>),
  },
})

/** How many answers of processors took how long (`scale.ts`). */
export const analyticsLatencies = table('analytics_latencies', {
  key: ['merchant_id', 'hours', 'at', 'kind', 'bucket'],
  columns: { ...kind, ...stretch, bucket: int(), answers: bigint() },
})
