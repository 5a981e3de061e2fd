/** Calls by duration: four buckets to each doubling, so any percentile is accurate to a tenth. No empty buckets. */
export type Latencies = Record<string, number>

const PER_DOUBLING = 4
/** Nine minutes: longer than any call may take. */
const LAST_BUCKET = 76

const bucketOf = (ms: number): number => (ms <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log2(ms) * PER_DOUBLING)))

export function countLatency(latencies: Latencies, ms: number): void {
  const bucket = bucketOf(ms)
  latencies[bucket] = (latencies[bucket] ?? 0) + 1
}

export function addLatencies(to: Latencies, more: Latencies): void {
  for (const bucket in more) to[bucket] = (to[bucket] ?? 0) + more[bucket]!
}

/** Returns the time in milliseconds that `percent` of the calls did not exceed; null without calls. */
export function percentileOf(latencies: Latencies, percent: number): number | null {
  const buckets = Object.keys(latencies)
    .map(Number)
    .sort((a, b) => a - b)
  const count = buckets.reduce((sum, bucket) => sum + latencies[bucket]!, 0)
  let before = 0
  for (const bucket of buckets) {
    before += latencies[bucket]!
    if (before >= (count * percent) / 100) return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / PER_DOUBLING))
  }
  return null
}
