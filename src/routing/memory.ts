import type { Merchant } from '../accounts/merchant.ts'
import { later, millisecondsOf } from '../base/time.ts'
import type { Log, Time } from '../context.ts'
import { breakerOf, tried, untried } from './breaker.ts'
import type { Health } from './health.ts'
import { countHeard, emptyHealth, type Heard, healthOf, isMeasuredAlike, isUnmeasured, type ProfileHealth } from './profile-health.ts'
import type { RoutingContext } from './routing-context.ts'

/**
 * What this process has seen of the accounts' health: in memory, for profiles with dynamic routing only. When a
 * process meets such a merchant for the first time, it learns from the operations of late; there is no row for it.
 */

/** One authorization of late, as it stands now. */
export type PastAuthorization = { merchant_connector_id: string; routingContext: RoutingContext; heard: Heard; at: Time }

/** Of which account, since when, and when it may be tried again. */
export type OpenBreaker = { merchant_id: string; merchant_connector_id: string; since: Time; next_try_at: Time }

const timeOf = (at: number): Time => new Date(at).toISOString()

/** Those of one profile, which is called by its merchant and itself. */
const openIn = (name: string, { breakers }: ProfileHealth): OpenBreaker[] =>
  [...breakers].flatMap(([merchant_connector_id, { down_since, again_at }]) => {
    if (down_since === null || again_at === null) return []
    return {
      merchant_id: name.slice(0, name.indexOf(' ')),
      merchant_connector_id,
      since: timeOf(down_since),
      next_try_at: timeOf(again_at),
    }
  })

const MOST_PROFILES = 5_000
const MOST_LEARNT = 2_000
const WEEK_MS = 7 * 24 * 3_600_000
const HOUR_MS = 3_600_000

export type Learn = (merchant_id: string, profile_id: string, since: Time, most: number) => Promise<readonly PastAuthorization[]>

/** How many payments of a profile these accounts have authorized, each since its own time. */
export type CountVolumes = (
  merchant_id: string,
  profile_id: string,
  accounts: readonly { account: string; since: Time }[],
) => Promise<ReadonlyMap<string, number>>

/** So often it is counted anew what all processes together have sent to accounts with contracts. */
const COUNTED_EVERY_MS = 5 * 60_000

/** What is read of a profile's past. What cannot be read does not hold up a payment. */
function openHistory({ learn, volumes }: { learn: Learn; volumes: CountVolumes }, now: () => Time, log: Pick<Log, 'warn'>) {
  return {
    /** Counts what accounts with contracts have had. What cannot be counted stays as it was until the next time. */
    async recount(merchant_id: string, profile_id: string, profile: ProfileHealth): Promise<void> {
      if (!profile.contract) return
      profile.counted_at = millisecondsOf(now())
      try {
        const accounts = profile.contract.config.contracts.map(({ account, since }) => ({ account, since: new Date(since).toISOString() }))
        profile.volumes = new Map(await volumes(merchant_id, profile_id, accounts))
      } catch (error) {
        log.warn({ err: error, merchant_id, profile_id }, 'payments for contract-based routing could not be counted')
      }
    },

    /** Counts the authorizations of late, as far back as its windows reach. */
    async learnPast(merchant_id: string, profile_id: string, profile: ProfileHealth): Promise<void> {
      const { success, elimination } = profile
      if (!success && !elimination) return
      const span = Math.min(WEEK_MS, Math.max(HOUR_MS, success ? success.config.block_ms * success.config.max_blocks : 0))
      try {
        for (const { merchant_connector_id, routingContext, heard, at } of await learn(
          merchant_id,
          profile_id,
          later(now(), -span),
          MOST_LEARNT,
        ))
          countHeard(profile, merchant_connector_id, routingContext, heard, millisecondsOf(at))
      } catch (error) {
        log.warn({ err: error, merchant_id, profile_id }, 'routing statistics could not be read; connector account health is reset')
      }
    },
  }
}

/** `learn`: the authorizations of a profile since then, at most so many of the latest, oldest first. */
export function openHealth(reads: { learn: Learn; volumes: CountVolumes }, now: () => Time, log: Pick<Log, 'warn'>) {
  const profiles = new Map<string, ProfileHealth>()
  const nameOf = (merchant_id: string, profile_id: string) => `${merchant_id} ${profile_id}`
  const { recount, learnPast } = openHistory(reads, now, log)

  async function open(merchant_id: string, profile_id: string, empty: ProfileHealth): Promise<void> {
    if (profiles.size >= MOST_PROFILES) profiles.delete(profiles.keys().next().value!)
    profiles.set(nameOf(merchant_id, profile_id), empty)
    await recount(merchant_id, profile_id, empty)
    await learnPast(merchant_id, profile_id, empty)
  }

  return {
    /** Learns what is not known yet of this merchant's profiles; done before its payments are routed. */
    async prepare({ merchant_id, routing }: Merchant): Promise<void> {
      for (const [profile_id, its] of routing) {
        const empty = emptyHealth(its)
        const known = profiles.get(nameOf(merchant_id, profile_id))
        if (isMeasuredAlike(known, empty)) {
          // Another call is reading it.
          await known?.opening
        } else if (isUnmeasured(empty)) {
          profiles.delete(nameOf(merchant_id, profile_id))
        } else {
          empty.opening = open(merchant_id, profile_id, empty)
          await empty.opening
          empty.opening = null
        }
      }
    },

    /** What is known of each account of the payment's profile; null where nothing is measured. */
    look({ merchant_id, connectorAccounts }: Merchant, routingContext: RoutingContext): Health | null {
      const profile = profiles.get(nameOf(merchant_id, routingContext.profile_id))
      if (!profile) return null
      const at = millisecondsOf(now())
      // No caller waits for it.
      if (profile.contract && at - profile.counted_at > COUNTED_EVERY_MS) void recount(merchant_id, routingContext.profile_id, profile)
      return healthOf(profile, connectorAccounts, routingContext, at)
    },

    /** A payment is about to go to this account: if that was down, it is the one that tries. Gives whether it is. */
    sent(merchant_id: string, profile_id: string, account: string): boolean {
      const breakers = profiles.get(nameOf(merchant_id, profile_id))?.breakers
      const state = breakers?.get(account)
      const at = millisecondsOf(now())
      if (!breakers || !state || breakerOf(state, at) !== 'half_open') return false
      breakers.set(account, tried(state, at))
      return true
    },

    /** The payment that was to try this account did not go there: another may. */
    notSent(merchant_id: string, profile_id: string, account: string): void {
      const breakers = profiles.get(nameOf(merchant_id, profile_id))?.breakers
      const state = breakers?.get(account)
      if (breakers && state) breakers.set(account, untried(state))
    },

    /** Something was heard of an authorization. `routingContext` is only called where something is measured. */
    heard(merchant_id: string, profile_id: string, account: string, heard: Heard, routingContext: () => RoutingContext): void {
      const profile = profiles.get(nameOf(merchant_id, profile_id))
      if (!profile) return
      if (profile.contract && heard.succeeded) profile.volumes.set(account, (profile.volumes.get(account) ?? 0) + 1)
      countHeard(profile, account, routingContext(), heard, millisecondsOf(now()))
    },

    /** The breakers that are open, or wait for a try. */
    breakers: (): OpenBreaker[] => [...profiles].flatMap(([name, profile]) => openIn(name, profile)),

    /** The same of a payment that was made elsewhere: it tells how an account does, and fulfils no contract here. */
    reported(merchant_id: string, profile_id: string, account: string, heard: Heard, routingContext: RoutingContext): void {
      const profile = profiles.get(nameOf(merchant_id, profile_id))
      if (profile) countHeard(profile, account, routingContext, heard, millisecondsOf(now()))
    },
  }
}

export type HealthMemory = ReturnType<typeof openHealth>
