import type { ConnectorAccount } from '../accounts/merchant.ts'
import type { ProfileRouting } from '../accounts/routing.ts'
import { answered, type BreakerState, breakerOf, soundBreaker, unanswered } from './breaker.ts'
import { type ContractConfig, dueOf } from './contract.ts'
import { cellOf, contractOf, type DynamicOf, type EliminationConfig, eliminationOf, type SuccessConfig, successOf } from './dynamic.ts'
import { processorOf } from './eligibility-checks.ts'
import type { AccountHealth, Health } from './health.ts'
import type { RoutingContext } from './routing-context.ts'
import { afterOutcome, rateOf, type Window } from './window.ts'

/**
 * `succeeded`: in the end; null if not decided, or not by a processor. `answered`: the account responded to the
 * request; null if unknown or counted before.
 */
export type HealthReport = { succeeded: boolean | null; answered: boolean | null }

export type ProfileHealth = {
  success: DynamicOf<SuccessConfig> | null
  elimination: DynamicOf<EliminationConfig> | null
  contract: DynamicOf<ContractConfig> | null
  /** Payments of each account since its contract began, as counted in the database at `counted_at`. */
  volumes: Map<string, number>
  counted_at: number
  /** Success rates by account and cell. */
  windows: Map<string, Window>
  breakers: Map<string, BreakerState>
  /** While the profile's past is read. */
  opening: Promise<void> | null
}

const MOST_WINDOWS = 10_000

export const emptyHealth = (its: ProfileRouting): ProfileHealth => ({
  success: successOf(its),
  elimination: eliminationOf(its),
  contract: contractOf(its),
  windows: new Map(),
  breakers: new Map(),
  volumes: new Map(),
  counted_at: 0,
  opening: null,
})

export const isUnmeasured = ({ success, elimination, contract }: ProfileHealth): boolean => !success && !elimination && !contract

export const isMeasuredAlike = (a: ProfileHealth | undefined, b: ProfileHealth): boolean =>
  a?.success?.algorithm_id === b.success?.algorithm_id &&
  a?.elimination?.algorithm_id === b.elimination?.algorithm_id &&
  a?.contract?.algorithm_id === b.contract?.algorithm_id

/** `at`: milliseconds since 1970. */
export function countReport(
  { success, elimination, windows, breakers }: ProfileHealth,
  account: string,
  routingContext: RoutingContext,
  { succeeded, answered: did }: HealthReport,
  at: number,
): void {
  if (success && succeeded !== null) {
    const name = `${account} ${cellOf(success.config, routingContext)}`
    if (windows.size >= MOST_WINDOWS && !windows.has(name)) windows.delete(windows.keys().next().value!)
    windows.set(name, afterOutcome(windows.get(name) ?? [], success.config, at, succeeded))
  }
  if (elimination && did !== null) {
    const before = breakers.get(account) ?? soundBreaker
    const state = (did ? answered : unanswered)(before, elimination.config, at)
    if (state !== before) breakers.set(account, state)
  }
}

/** Only accounts of the profile. `at`: milliseconds since 1970. */
export function healthOf(
  { success, elimination, contract, windows, breakers, volumes }: ProfileHealth,
  accounts: readonly ConnectorAccount[],
  routingContext: RoutingContext,
  at: number,
): Health {
  const cell = success && cellOf(success.config, routingContext)
  const health: Record<string, AccountHealth> = {}
  for (const { merchant_connector_id: id, profile_id, connector_type } of accounts) {
    if (profile_id !== routingContext.profile_id || connector_type !== processorOf.payment) continue
    const rate = success ? rateOf(windows.get(`${id} ${cell}`) ?? [], success.config, at) : { success_rate: null, payments: 0 }
    health[id] = { ...rate, breaker: elimination ? breakerOf(breakers.get(id) ?? soundBreaker, at) : 'closed' }
    const promised = contract?.config.contracts.find(({ account }) => account === id)
    const due = promised ? dueOf(promised, contract!.config.unit_ms, at) : null
    if (due !== null) health[id].contract = { payments: volumes.get(id) ?? 0, due, target: promised!.target }
  }
  return health
}
