import type { ConnectorAccount } from '../../accounts/merchant.ts'
import type { ProfileRouting } from '../../accounts/routing.ts'
import { processorOf } from '../eligibility-checks.ts'
import type { RoutingContext } from '../routing-context.ts'
import { answered, type BreakerState, breakerOf, soundBreaker, unanswered } from './circuit-breaker.ts'
import { cellOf, contractOf, type DynamicOf, type EliminationConfig, eliminationOf, type SuccessConfig, successOf } from './config.ts'
import { type ContractConfig, dueOf } from './contract.ts'
import type { AccountHealth, Health } from './health.ts'

/**
 * The recent payments of one account and cell, from which its success rate follows: full blocks and one that is being
 * filled. A block is full after a configured number of payments or time. Only the latest `max_blocks` full blocks
 * count, and none older than `max_blocks` times the longest duration. Times are milliseconds since 1970. Pure.
 */
type Block = { began: number; payments: number; succeeded: number }
export type Window = readonly Block[]

export function afterOutcome(window: Window, config: SuccessConfig, now: number, succeeded: boolean): Window {
  const last = window.at(-1)
  const goesOn = last !== undefined && !isFull(last, config, now)
  const block = goesOn ? last : { began: now, payments: 0, succeeded: 0 }
  const kept = goesOn ? window.slice(0, -1) : window.slice(-config.max_blocks)
  return [...kept, { ...block, payments: block.payments + 1, succeeded: block.succeeded + (succeeded ? 1 : 0) }]
}

const isFull = (block: Block, config: SuccessConfig, now: number): boolean =>
  block.payments >= config.block_payments || now - block.began >= config.block_ms

/** In percent; null while too few blocks are full. */
export function rateOf(window: Window, config: SuccessConfig, now: number): { success_rate: number | null; payments: number } {
  const since = now - config.block_ms * config.max_blocks
  const blocks = window.filter(block => isFull(block, config, now) && block.began >= since).slice(-config.max_blocks)
  const payments = blocks.reduce((sum, block) => sum + block.payments, 0)
  if (blocks.length < config.min_blocks || payments === 0) return { success_rate: null, payments }
  const succeeded = blocks.reduce((sum, block) => sum + block.succeeded, 0)
  return { success_rate: Math.round((10_000 * succeeded) / payments) / 100, payments }
}

/** `succeeded`: in the end; null: not decided, or not by a processor. `answered`: null: unknown, or counted before. */
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
