import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'

/**
 * Limits how often browsers make the service query a processor about one object. The return address of a payment works
 * without a credential, each query costs a request of the merchant's account, and the merchant's payments share it.
 */

/** How many queries about one object browsers may cause in a minute: checkouts that poll do so every two seconds. */
const MOST = 30
const WINDOW_MS = 60_000
const MOST_KEPT = 10_000

type Count = { since: Time; number: number }
const ofServices = new WeakMap<object, Map<string, Count>>()

/** Whether a browser may cause one more query about an object, which is counted. */
export function mayBrowserAsk(services: object, { now }: Pick<Context, 'now'>, object_id: string): boolean {
  const counts = ofServices.get(services) ?? new Map<string, Count>()
  ofServices.set(services, counts)
  const at = now()
  const known = counts.get(object_id)
  if (known && between(known.since, at) < WINDOW_MS) {
    known.number++
    return known.number <= MOST
  }
  counts.delete(object_id)
  if (counts.size >= MOST_KEPT) counts.delete(counts.keys().next().value!)
  counts.set(object_id, { since: at, number: 1 })
  return true
}
