import type { Merchant } from '../../accounts/merchant.ts'
import { HOUR_MS, later, millisecondsOf } from '../../base/time.ts'
import type { Log, Time } from '../../context.ts'
import type { RoutingContext } from '../routing-context.ts'
import { breakerOf, tried, untried } from './circuit-breaker.ts'
import type { Health } from './health.ts'
import {
  countReport,
  emptyHealth,
  type HealthReport,
  healthOf,
  isMeasuredAlike,
  isUnmeasured,
  type ProfileHealth,
} from './profile-health.ts'

/** As this process has observed it. A process that first serves a merchant reads its recent operations. */

/** With its current result. */
export type PastAuthorization = { merchant_connector_id: string; routingContext: RoutingContext; report: HealthReport; at: Time }

export type OpenBreaker = { merchant_id: string; merchant_connector_id: string; since: Time; next_try_at: Time }

const timeOf = (at: number): Time => new Date(at).toISOString()

/** `name`: the ids of the merchant and the profile, separated by a blank. */
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

export type Learn = (merchant_id: string, profile_id: string, since: Time, most: number) => Promise<readonly PastAuthorization[]>

/** Payments that these accounts have authorized, each since its own time. */
export type CountVolumes = (
  merchant_id: string,
  profile_id: string,
  accounts: readonly { account: string; since: Time }[],
) => Promise<ReadonlyMap<string, number>>

/** The payments of all processes to accounts with contracts are counted again. */
const COUNTED_EVERY_MS = 5 * 60_000

/** A failure to read does not delay or fail payments. */
function openHistory({ learn, volumes }: { learn: Learn; volumes: CountVolumes }, now: () => Time, log: Pick<Log, 'warn'>) {
  return {
    /** If that fails, the former counts stay until the next time. */
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

    /** As far back as the profile's windows reach. */
    async learnPast(merchant_id: string, profile_id: string, profile: ProfileHealth): Promise<void> {
      const { success, elimination } = profile
      if (!success && !elimination) return
      const span = Math.min(WEEK_MS, Math.max(HOUR_MS, success ? success.config.block_ms * success.config.max_blocks : 0))
      try {
        for (const { merchant_connector_id, routingContext, report, at } of await learn(
          merchant_id,
          profile_id,
          later(now(), -span),
          MOST_LEARNT,
        ))
          countReport(profile, merchant_connector_id, routingContext, report, millisecondsOf(at))
      } catch (error) {
        log.warn({ err: error, merchant_id, profile_id }, 'routing statistics could not be read; connector account health is reset')
      }
    },
  }
}

/** `learn`: reads a profile's latest authorizations since a time, oldest first. */
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
    /** Called before the merchant's payments are routed. */
    async prepare({ merchant_id, routing }: Merchant): Promise<void> {
      for (const [profile_id, its] of routing) {
        const empty = emptyHealth(its)
        const known = profiles.get(nameOf(merchant_id, profile_id))
        if (isMeasuredAlike(known, empty)) {
          // Another call is reading the past of this profile.
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

    /** Null if nothing is measured. */
    look({ merchant_id, connectorAccounts }: Merchant, routingContext: RoutingContext): Health | null {
      const profile = profiles.get(nameOf(merchant_id, routingContext.profile_id))
      if (!profile) return null
      const at = millisecondsOf(now())
      // The count runs in the background.
      if (profile.contract && at - profile.counted_at > COUNTED_EVERY_MS) void recount(merchant_id, routingContext.profile_id, profile)
      return healthOf(profile, connectorAccounts, routingContext, at)
    },

    /** A payment is about to be sent. Returns whether it is the test of an account that was down. */
    sent(merchant_id: string, profile_id: string, account: string): boolean {
      const breakers = profiles.get(nameOf(merchant_id, profile_id))?.breakers
      const state = breakers?.get(account)
      const at = millisecondsOf(now())
      if (!breakers || !state || breakerOf(state, at) !== 'half_open') return false
      breakers.set(account, tried(state, at))
      return true
    },

    /** The test payment was not sent, so another may test the account. */
    notSent(merchant_id: string, profile_id: string, account: string): void {
      const breakers = profiles.get(nameOf(merchant_id, profile_id))?.breakers
      const state = breakers?.get(account)
      if (breakers && state) breakers.set(account, untried(state))
    },

    /** `routingContext` is called only if something is measured. */
    record(merchant_id: string, profile_id: string, account: string, report: HealthReport, routingContext: () => RoutingContext): void {
      const profile = profiles.get(nameOf(merchant_id, profile_id))
      if (!profile) return
      if (profile.contract && report.succeeded) profile.volumes.set(account, (profile.volumes.get(account) ?? 0) + 1)
      countReport(profile, account, routingContext(), report, millisecondsOf(now()))
    },

    /** Also those that wait for a test. */
    breakers: (): OpenBreaker[] => [...profiles].flatMap(([name, profile]) => openIn(name, profile)),

    /** An external payment changes the health of its account, but not its contract. */
    reported(merchant_id: string, profile_id: string, account: string, report: HealthReport, routingContext: RoutingContext): void {
      const profile = profiles.get(nameOf(merchant_id, profile_id))
      if (profile) countReport(profile, account, routingContext, report, millisecondsOf(now()))
    },
  }
}

export type HealthMemory = ReturnType<typeof openHealth>
