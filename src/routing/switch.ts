import Type from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import { type Dynamic, type RoutingAlgorithmRow, routingAlgorithms } from '../accounts/routing.ts'
import { refuse } from '../base/refusal.ts'
import type { RowChange, World } from '../world.ts'
import { needAlgorithm, needProfile, newAlgorithm } from './algorithms.ts'
import { changeRouting } from './change.ts'
import { type SuccessBasedAsk, successConfig } from './dynamic.ts'
import { type DynamicKind, dynamicKinds, kindNamed } from './dynamic-kinds.ts'

/** Dynamic routing of a profile, switched on, off and set. */

export const enableQuery = Type.Object(
  {
    enable: Type.Enum(['dynamic_connector_selection', 'metrics', 'none'], {
      description: 'dynamic_connector_selection: it decides. metrics: it only measures. none: it is switched off',
    }),
  },
  { additionalProperties: false },
)
type Enable = Dynamic['enabled']

/** Whose: the profile, and which of its kinds of dynamic routing. */
export type Which = { profile_id: string; kind: DynamicKind }
type Show<T> = (row: RoutingAlgorithmRow) => T

const inserted = (after: RoutingAlgorithmRow): RowChange => ({ table: routingAlgorithms.name, before: null, after })
const made = (world: World, merchant: Merchant, { profile_id, kind }: Which, algorithm: object): RoutingAlgorithmRow =>
  newAlgorithm(world, merchant, { ...dynamicKinds[kind], profile_id, algorithm_kind: 'dynamic', algorithm })

/** Refuses (IR_06) settings that could never mean anything. */
function checkConfig(kind: DynamicKind, algorithm: object): void {
  if (kind !== 'success_based') return
  const { min_blocks, max_blocks } = successConfig(algorithm as SuccessBasedAsk)
  if (min_blocks > max_blocks)
    refuse('unacceptable', { field: 'config.min_aggregates_size', words: `must be at most max_aggregates_size, which is ${max_blocks}` })
}

/** Makes the settings of a kind of dynamic routing, and enables it as the query says. */
export async function createDynamic<T>(
  world: World,
  merchant: Merchant,
  which: Which,
  enable: Enable,
  ask: object,
  show: Show<T>,
): Promise<T> {
  needProfile(merchant, which.profile_id)
  checkConfig(which.kind, ask)
  const row = made(world, merchant, which, ask)
  return changeRouting(world, merchant.merchant_id, which.profile_id, 'dynamic_routing_created', () => ({
    set: { [which.kind]: { algorithm_id: row.algorithm_id, enabled: enable } },
    rows: [inserted(row)],
    answer: show(row),
  }))
}

/** Switches a kind of dynamic routing: with the settings that it has, or with the usual ones if it has none. Refuses (IR_16) what is so already. */
export async function toggleDynamic<T>(world: World, merchant: Merchant, which: Which, enable: Enable, show: Show<T>): Promise<T> {
  needProfile(merchant, which.profile_id)
  const usual = made(world, merchant, which, {})
  return changeRouting(world, merchant.merchant_id, which.profile_id, 'dynamic_routing_switched', async row => {
    const now = row[which.kind]
    if ((now?.enabled ?? 'none') === enable) refuse('precondition', { words: `${which.kind} is ${enable} already` })
    if (!now)
      return { set: { [which.kind]: { algorithm_id: usual.algorithm_id, enabled: enable } }, rows: [inserted(usual)], answer: show(usual) }
    return { set: { [which.kind]: { ...now, enabled: enable } }, answer: show(await needAlgorithm(world, merchant, now.algorithm_id)) }
  })
}

/** Other settings: those of an algorithm with what the request changes of them. They are a new algorithm, which takes the place of the old one where that is used. */
export async function updateDynamic<T>(
  world: World,
  merchant: Merchant,
  which: Which & { algorithm_id: string },
  ask: object,
  show: Show<T>,
): Promise<T> {
  needProfile(merchant, which.profile_id)
  const old = await needAlgorithm(world, merchant, which.algorithm_id)
  if (old.profile_id !== which.profile_id || old.algorithm_kind !== 'dynamic' || kindNamed(old.name) !== which.kind)
    refuse('not_found', { what: 'routing algorithm' })
  const algorithm = merged(old.algorithm, ask) as object
  checkConfig(which.kind, algorithm)
  const row = made(world, merchant, which, algorithm)
  return changeRouting(world, merchant.merchant_id, which.profile_id, 'dynamic_routing_updated', ({ [which.kind]: now }) => ({
    set: now?.algorithm_id === which.algorithm_id ? { [which.kind]: { ...now, algorithm_id: row.algorithm_id } } : {},
    rows: [inserted(row)],
    answer: show(row),
  }))
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

/** An object with the members of another one in place of its own, also inside. */
const merged = (old: unknown, more: unknown): unknown =>
  isObject(old) && isObject(more)
    ? { ...old, ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, merged(old[name], value)])) }
    : more

/** Of a hundred payments of the profile, so many are ranked by success. */
export async function setDynamicShare(world: World, merchant: Merchant, profile_id: string, split: number) {
  needProfile(merchant, profile_id)
  return changeRouting(world, merchant.merchant_id, profile_id, 'dynamic_share_set', () => ({
    set: { dynamic_share: split },
    answer: { routing_type: 'dynamic', split },
  }))
}
