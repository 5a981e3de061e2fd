import { bigint, int, json, table, text, time } from '../database/table.ts'

/** Each has few values. A payment without a value has none in its kind. */
// biome-ignore format: a list reads better in rows
export const facetNames = [
  'profile_id', 'connector', 'merchant_connector_id', 'payment_method', 'card_network', 'currency', 'country',
  'error_code', 'unified_code',
] as const
export type FacetName = (typeof facetNames)[number]
export type CountedFacets = Partial<Record<FacetName, string>>

/** Fewer, because each kind has a scale of its own. */
export const latencyFacets: readonly FacetName[] = ['profile_id', 'connector', 'merchant_connector_id', 'payment_method']

/**
 * A number of payments and (`…_amount`; `volume` for all) their amounts in the lowest denomination; a kind has one
 * currency. `attempts_…` count authorizations, each under its own account, method, network and reason.
 */
// biome-ignore format: a list reads better in rows
export const counters = [
  'payments', 'volume', 'authorized', 'authorized_amount', 'declined', 'declined_amount', 'captured',
  'captured_amount', 'refunded', 'refunded_amount', 'disputed', 'disputed_amount', 'saved', 'saved_amount', 'held',
  'held_amount', 'processing', 'processing_amount', 'attempts_authorized', 'attempts_declined', 'outside',
  'outside_amount',
] as const
export type Counter = (typeof counters)[number]
export type Counts = Record<Counter, number>

const kind = { merchant_id: text(), kind: bigint() }
/** `hours`: the length of the stretch that begins at `at`. */
const stretch = { hours: int(), at: time() }

export const analyticsKinds = table('analytics_kinds', {
  key: ['merchant_id', 'kind'],
  columns: { ...kind, facets: json<CountedFacets>() },
})

export const analyticsCounts = table('analytics_counts', {
  key: ['merchant_id', 'hours', 'at', 'kind'],
  columns: {
    ...kind,
    ...stretch,
    ...(Object.fromEntries(counters.map(name => [name, bigint()])) as Record<Counter, ReturnType<typeof bigint>>),
  },
})

/** Processor answers by answer time (`scale.ts`). */
export const analyticsLatencies = table('analytics_latencies', {
  key: ['merchant_id', 'hours', 'at', 'kind', 'bucket'],
  columns: { ...kind, ...stretch, bucket: int(), answers: bigint() },
})
