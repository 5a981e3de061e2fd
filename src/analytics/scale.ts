/** A bucket ends a tenth later than the one before, so a percentile is at most a tenth too long. The first: 1 ms. */
const STEP = Math.log(1.1)

export const bucketOf = (ms: number): number => (ms <= 1 ? 0 : Math.ceil(Math.log(ms) / STEP - 1e-9))

/** The longest time of a bucket, in whole milliseconds. */
export const endOf = (bucket: number): number => Math.round(Math.exp(bucket * STEP))

/** In milliseconds: within it came this share (`part`) of the answers; null if there are none. */
export function percentile(buckets: ReadonlyMap<number, number>, part: number): number | null {
  let total = 0
  for (const answers of buckets.values()) total += answers
  let left = Math.ceil(total * part)
  for (const [bucket, answers] of [...buckets].sort(([a], [b]) => a - b)) {
    left -= answers
    if (left <= 0 && total > 0) return endOf(bucket)
  }
  return null
}
