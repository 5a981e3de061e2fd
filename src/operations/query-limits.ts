import { boundedSet } from '../base/bounded-set.ts'
import { networkOfAddress } from '../base/network.ts'
import { refuse } from '../base/refusal.ts'
import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'

/**
 * Limits how often strangers make the service query a processor: the return address of a payment works without a
 * credential, webhooks can be forged, each query costs a request of the merchant's account, and the merchant's
 * payments share it.
 */

const WINDOW_MS = 60_000
const MOST_KEPT = 10_000

type Count = { since: Time; number: number }
type Counts = Map<string, Count>

/** The count of a name in the last minute. */
function countOf(counts: Counts, name: string, now: Time): Count {
  const known = counts.get(name)
  if (known && between(known.since, now) < WINDOW_MS) return known
  counts.delete(name)
  if (counts.size >= MOST_KEPT) counts.delete(counts.keys().next().value!)
  const begun = { since: now, number: 0 }
  counts.set(name, begun)
  return begun
}

/** The counts of one service. */
class QueryCounts {
  readonly browsers: Counts = new Map()
  readonly forged: Counts = new Map()
  readonly genuine = boundedSet(MOST_KEPT)
  readonly underWay = new Map<string, number>()
}
const ofServices = new WeakMap<object, QueryCounts>()

function countsOf(services: object): QueryCounts {
  const counts = ofServices.get(services) ?? new QueryCounts()
  ofServices.set(services, counts)
  return counts
}

/** How many queries about one object browsers may cause in a minute: checkouts that poll do so every two seconds. */
const MOST_OF_BROWSERS = 30

/** Whether a browser may cause one more query about an object, which is counted. */
export const mayBrowserAsk = (services: object, { now }: Pick<Context, 'now'>, object_id: string): boolean =>
  ++countOf(countsOf(services).browsers, object_id, now()).number <= MOST_OF_BROWSERS

/** How many webhooks of one address may turn out to be forged in a minute, for one account. */
const MOST_FORGED = 10
/** How many of all addresses that have sent no genuine one. */
const MOST_OF_STRANGERS = 30
/** How many questions about webhooks of addresses that have sent no genuine one may be under way, for one account. */
const MOST_AT_ONCE = 4
/** How many of one address that has sent genuine ones, as it does when many payments are decided at once. */
const MOST_OF_KNOWN_AT_ONCE = 100

/** Asks whether a webhook is genuine. Refuses (503) if too many of its address or account could not be verified. */
export async function askIfGenuine(
  services: object,
  context: Pick<Context, 'now'>,
  account: string,
  address: string,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const { genuine, forged, underWay } = countsOf(services)
  const from = `${account} ${networkOfAddress(address)}`
  const isKnown = genuine.has(from)
  const place = isKnown ? from : account
  const atOnce = underWay.get(place) ?? 0
  const now = context.now()
  const [ofAddress, ofAll] = [countOf(forged, from, now), countOf(forged, account, now)]
  const isBusy = atOnce >= (isKnown ? MOST_OF_KNOWN_AT_ONCE : MOST_AT_ONCE)
  const isFull = isBusy || ofAddress.number >= MOST_FORGED || (!isKnown && ofAll.number >= MOST_OF_STRANGERS)
  if (isFull) refuse('unavailable', { problem: 'Too many webhooks could not be verified; send it again later' })
  // A stranger's webhook counts as forged until the processor says otherwise, a known address's once it says so.
  const counts = isKnown ? [] : [ofAddress, ofAll]
  for (const count of counts) count.number++
  underWay.set(place, atOnce + 1)
  try {
    const isGenuine = await ask()
    for (const count of counts) if (isGenuine) count.number--
    if (isKnown && !isGenuine) ofAddress.number++
    if (isGenuine) genuine.add(from)
    return isGenuine
  } finally {
    const left = (underWay.get(place) ?? 1) - 1
    if (left === 0) underWay.delete(place)
    else underWay.set(place, left)
  }
}
