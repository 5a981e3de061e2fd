import type { Merchant } from '../accounts/merchant.ts'
import { later, millisecondsOf } from '../base/time.ts'
import type { Log, Time } from '../context.ts'
import { answered, type BreakerState, breakerOf, soundBreaker, tried, unanswered, untried } from './breaker.ts'
import { type ContractConfig, dueOf } from './contract.ts'
import { cellOf, contractOf, type DynamicOf, type EliminationConfig, eliminationOf, type SuccessConfig, successOf } from './dynamic.ts'
import { processorOf } from './eligible.ts'
import type { AccountHealth, Health } from './health.ts'
import type { RoutingContext } from './routing-context.ts'
import { afterOutcome, rateOf, type Window } from './window.ts'

/**
 * What this process has seen of the accounts' health: in memory, for profiles with dynamic routing only. When a
 * process meets such a merchant for the first time, it learns from the operations of late; there is no row for it.
 */

/**
 * What was heard of an authorization. `succeeded`: yes or no, in the end; null: not decided, or not by a processor.
 * `answered`: did the account answer when it was asked? null: that is not known, or was said before.
 */
export type Heard = { succeeded: boolean | null; answered: boolean | null }

/** One authorization of late, as it stands now. */
export type PastAuthorization = { merchant_connector_id: string; wish: RoutingContext; heard: Heard; at: Time }

type Profile = {
  success: DynamicOf<SuccessConfig> | null
  elimination: DynamicOf<EliminationConfig> | null
  contract: DynamicOf<ContractConfig> | null
  /** How many payments each account with a contract has had since that began; counted in the database at that time. */
  volumes: Map<string, number>
  counted_at: number
  /** By account and cell. */
  windows: Map<string, Window>
  breakers: Map<string, BreakerState>
  /** While what there is to be known is being read. */
  opening: Promise<void> | null
}

const MOST_PROFILES = 5_000
const MOST_WINDOWS = 10_000
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

/** `learn`: the authorizations of a profile since then, at most so many of the latest, oldest first. */
export function openHealth(
  { learn, volumes: countVolumes }: { learn: Learn; volumes: CountVolumes },
  now: () => Time,
  log: Pick<Log, 'warn'>,
) {
  const profiles = new Map<string, Profile>()
  const nameOf = (merchant_id: string, profile_id: string) => `${merchant_id} ${profile_id}`

  function count(profile: Profile, account: string, wish: RoutingContext, { succeeded, answered: did }: Heard, at: number): void {
    const { success, elimination, windows, breakers } = profile
    if (success && succeeded !== null) {
      const name = `${account} ${cellOf(success.config, wish)}`
      if (windows.size >= MOST_WINDOWS && !windows.has(name)) windows.delete(windows.keys().next().value!)
      windows.set(name, afterOutcome(windows.get(name) ?? [], success.config, at, succeeded))
    }
    if (elimination && did !== null) {
      const before = breakers.get(account) ?? soundBreaker
      const state = (did ? answered : unanswered)(before, elimination.config, at)
      if (state !== before) breakers.set(account, state)
    }
  }

  /** Counts what accounts with contracts have had. What cannot be counted stays as it was until the next time. */
  async function recount(merchant_id: string, profile_id: string, profile: Profile): Promise<void> {
    if (!profile.contract) return
    profile.counted_at = millisecondsOf(now())
    try {
      const accounts = profile.contract.config.contracts.map(({ account, since }) => ({ account, since: new Date(since).toISOString() }))
      profile.volumes = new Map(await countVolumes(merchant_id, profile_id, accounts))
    } catch (error) {
      log.warn({ err: error, merchant_id, profile_id }, 'payments for contract-based routing could not be counted')
    }
  }

  async function open(merchant_id: string, profile_id: string, empty: Profile): Promise<void> {
    const name = nameOf(merchant_id, profile_id)
    if (profiles.size >= MOST_PROFILES) profiles.delete(profiles.keys().next().value!)
    profiles.set(name, empty)
    const { success, elimination } = empty
    await recount(merchant_id, profile_id, empty)
    if (!success && !elimination) return
    const span = Math.min(WEEK_MS, Math.max(HOUR_MS, success ? success.config.block_ms * success.config.max_blocks : 0))
    try {
      for (const { merchant_connector_id, wish, heard, at } of await learn(merchant_id, profile_id, later(now(), -span), MOST_LEARNT))
        count(empty, merchant_connector_id, wish, heard, millisecondsOf(at))
    } catch (error) {
      log.warn({ err: error, merchant_id, profile_id }, 'routing statistics could not be read; connector account health is reset')
    }
  }

  return {
    /** Learns what is not known yet of this merchant's profiles; done before its payments are routed. */
    async prepare({ merchant_id, routing }: Merchant): Promise<void> {
      for (const [profile_id, its] of routing) {
        const [success, elimination, contract] = [successOf(its), eliminationOf(its), contractOf(its)]
        const known = profiles.get(nameOf(merchant_id, profile_id))
        const isSame =
          known?.success?.algorithm_id === success?.algorithm_id &&
          known?.elimination?.algorithm_id === elimination?.algorithm_id &&
          known?.contract?.algorithm_id === contract?.algorithm_id
        if (isSame) {
          // Another call is reading it.
          await known?.opening
          continue
        }
        const empty: Profile = {
          success,
          elimination,
          contract,
          windows: new Map(),
          breakers: new Map(),
          volumes: new Map(),
          counted_at: 0,
          opening: null,
        }
        if (success || elimination || contract) {
          empty.opening = open(merchant_id, profile_id, empty)
          await empty.opening
          empty.opening = null
        } else profiles.delete(nameOf(merchant_id, profile_id))
      }
    },

    /** What is known of each account of the payment's profile; null where nothing is measured. */
    look({ merchant_id, connectorAccounts }: Merchant, wish: RoutingContext): Health | null {
      const profile = profiles.get(nameOf(merchant_id, wish.profile_id))
      if (!profile) return null
      const { success, elimination, contract, windows, breakers, volumes } = profile
      const at = millisecondsOf(now())
      // No caller waits for it.
      if (contract && at - profile.counted_at > COUNTED_EVERY_MS) void recount(merchant_id, wish.profile_id, profile)
      const cell = success && cellOf(success.config, wish)
      const health: Record<string, AccountHealth> = {}
      for (const { merchant_connector_id: id, profile_id, connector_type } of connectorAccounts) {
        if (profile_id !== wish.profile_id || connector_type !== processorOf.payment) continue
        const rate = success ? rateOf(windows.get(`${id} ${cell}`) ?? [], success.config, at) : { success_rate: null, payments: 0 }
        health[id] = { ...rate, breaker: elimination ? breakerOf(breakers.get(id) ?? soundBreaker, at) : 'closed' }
        const promised = contract?.config.contracts.find(({ account }) => account === id)
        const due = promised ? dueOf(promised, contract!.config.unit_ms, at) : null
        if (due !== null) health[id].contract = { payments: volumes.get(id) ?? 0, due, target: promised!.target }
      }
      return health
    },

    /**
     * A payment is about to go to this account: if that was down, it is the one that tries. Gives whether it is.
     */
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

    /** Something was heard of an authorization. `wish` is only called where something is measured. */
    heard(merchant_id: string, profile_id: string, account: string, heard: Heard, wish: () => RoutingContext): void {
      const profile = profiles.get(nameOf(merchant_id, profile_id))
      if (!profile) return
      if (profile.contract && heard.succeeded) profile.volumes.set(account, (profile.volumes.get(account) ?? 0) + 1)
      count(profile, account, wish(), heard, millisecondsOf(now()))
    },

    /** The same of a payment that was made elsewhere: it tells how an account does, and fulfils no contract here. */
    reported(merchant_id: string, profile_id: string, account: string, heard: Heard, wish: RoutingContext): void {
      const profile = profiles.get(nameOf(merchant_id, profile_id))
      if (profile) count(profile, account, wish, heard, millisecondsOf(now()))
    },
  }
}

export type HealthMemory = ReturnType<typeof openHealth>
