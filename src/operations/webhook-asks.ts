import { boundedSet } from '../base/bounded-set.ts'
import { networkOfAddress } from '../base/network.ts'
import { refuse } from '../base/refusal.ts'
import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'

/**
 * Limits the questions to a processor whether a webhook is its own: a stranger can send a forged one, and each question
 * costs a request of the merchant's account.
 */

/** How many webhooks of one address may turn out to be forged in a minute, for one account. */
const MOST_FORGED = 10
/** How many of all addresses that have sent no genuine one. */
const MOST_OF_STRANGERS = 30
const WINDOW_MS = 60_000
/** How many questions about webhooks of addresses that have sent no genuine one may be under way, for one account. */
const MOST_AT_ONCE = 4
/** How many of one address that has sent genuine ones, as it does when many payments are decided at once. */
const MOST_OF_KNOWN_AT_ONCE = 100
const MOST_KEPT = 10_000

type Forged = { since: Time; number: number }

/** Opens the counts of one service. */
function openAsks() {
  const genuine = boundedSet(MOST_KEPT)
  const forged = new Map<string, Forged>()
  const underWay = new Map<string, number>()

  /** Returns the count of an address or of an account in the last minute. */
  function countOf(name: string, now: Time): Forged {
    const kept = forged.get(name)
    if (kept && between(kept.since, now) < WINDOW_MS) return kept
    if (forged.size >= MOST_KEPT) forged.delete(forged.keys().next().value!)
    const begun = { since: now, number: 0 }
    forged.set(name, begun)
    return begun
  }

  return async (context: Pick<Context, 'now'>, account: string, address: string, ask: () => Promise<boolean>): Promise<boolean> => {
    const from = `${account} ${networkOfAddress(address)}`
    const isKnown = genuine.has(from)
    const place = isKnown ? from : account
    const atOnce = underWay.get(place) ?? 0
    const now = context.now()
    const [ofAddress, ofAll] = [countOf(from, now), countOf(account, now)]
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
}

const ofServices = new WeakMap<object, ReturnType<typeof openAsks>>()

/** Returns the limited question of a service, whose counts are its own. */
export function asksOf(services: object): ReturnType<typeof openAsks> {
  const found = ofServices.get(services) ?? openAsks()
  ofServices.set(services, found)
  return found
}
