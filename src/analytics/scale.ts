/**
 * Answer times are counted on a scale: each bucket is a tenth longer than the one before, so a percentile that is
 * read off it is at most that much too long. The first ends at 1 ms.
 */
const STEP = Math.log(1.1)

/** The bucket of an answer time in milliseconds. */
export const bucketOf = (ms: number): number => (ms <= 1 ? 0 : Math.ceil(Math.log(ms) / STEP - 1e-9))

/** The longest time of a bucket, in whole milliseconds. */
export const endOf = (bucket: number): number => Math.round(Math.exp(bucket * STEP))

/** The time within which this part of the answers came, by how many fell into each bucket; null if there are none. */
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
