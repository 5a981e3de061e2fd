import Type from 'typebox'
import { type Dynamic, type RoutingAlgorithmRow, routingAlgorithms } from '../../accounts/routing.ts'
import { refuse } from '../../base/refusal.ts'
import { strictObject } from '../../base/shapes.ts'
import type { RowChange } from '../../context.ts'
import { needAlgorithm, needProfile, newAlgorithm, withNumber } from '../algorithms.ts'
import { changeRouting, type RoutingCall, type ShowAlgorithm } from '../change.ts'
import { type DynamicKind, dynamicKinds, kindNamed, type SuccessBasedAsk, successConfig } from './config.ts'
import { type ContractAsk, mergedContracts } from './contract.ts'

export const enableQuery = strictObject({
  enable: Type.Enum(['dynamic_connector_selection', 'metrics', 'none'], {
    description: 'dynamic_connector_selection: ranks accounts. metrics: measures only. none: off',
  }),
})
type Enable = Dynamic['enabled']

export type Which = { profile_id: string; kind: DynamicKind }

const inserted = (after: RoutingAlgorithmRow): RowChange => ({ table: routingAlgorithms.name, before: null, after })
const made = (call: RoutingCall, { profile_id, kind }: Which, algorithm: object): RoutingAlgorithmRow =>
  newAlgorithm(call, { ...dynamicKinds[kind], profile_id, algorithm_kind: 'dynamic', algorithm })

/** The settings with the changes of a request. */
function settings({ context, merchant }: RoutingCall, { profile_id, kind }: Which, old: object, ask: object): object {
  if (kind === 'contract_based') return mergedContracts(merchant, profile_id, context.now(), old, ask)
  const all = merged(old, ask) as object
  if (kind === 'elimination') return all
  const { min_blocks, max_blocks } = successConfig(all as SuccessBasedAsk)
  if (min_blocks > max_blocks)
    refuse('unacceptable', { field: 'config.min_aggregates_size', problem: `must be at most max_aggregates_size, which is ${max_blocks}` })
  return all
}

function checkPromised({ kind }: Which, enable: Enable, algorithm: object): void {
  const { label_info = [] } = algorithm as ContractAsk
  if (kind === 'contract_based' && enable !== 'none' && label_info.length === 0) refuse('missing', { field: 'label_info' })
}

export async function createDynamic<T>(call: RoutingCall, which: Which, enable: Enable, ask: object, show: ShowAlgorithm<T>): Promise<T> {
  needProfile(call.merchant, which.profile_id)
  const row = made(call, which, settings(call, which, {}, ask))
  const answer = show(await withNumber(call, row))
  return changeRouting(call, which.profile_id, 'dynamic_routing_created', () => ({
    set: { [which.kind]: { algorithm_id: row.algorithm_id, enabled: enable } },
    rows: [inserted(row)],
    answer,
  }))
}

/** With the former settings and the changes of the request, or with default settings. */
export async function toggleDynamic<T>(
  call: RoutingCall,
  which: Which,
  { enable, ask = {} }: { enable: Enable; ask?: object },
  show: ShowAlgorithm<T>,
): Promise<T> {
  needProfile(call.merchant, which.profile_id)
  return changeRouting(call, which.profile_id, 'dynamic_routing_switched', async row => {
    const now = row[which.kind]
    const hasChanges = Object.keys(ask).length > 0
    if ((now?.enabled ?? 'none') === enable && !hasChanges) refuse('precondition', { problem: `${which.kind} is already ${enable}` })
    const old = now && (await needAlgorithm(call, now.algorithm_id))
    const goesOn = old && !hasChanges
    const algorithm = goesOn ? old : made(call, which, settings(call, which, old?.algorithm ?? {}, ask))
    checkPromised(which, enable, algorithm.algorithm)
    const set = { [which.kind]: { algorithm_id: algorithm.algorithm_id, enabled: enable } }
    return { set, rows: goesOn ? [] : [inserted(algorithm)], answer: show(await withNumber(call, algorithm)) }
  })
}

/** Changed settings are a new algorithm, which replaces the old one if that is in use. */
export async function updateDynamic<T>(
  call: RoutingCall,
  which: Which & { algorithm_id: string },
  ask: object,
  show: ShowAlgorithm<T>,
): Promise<T> {
  needProfile(call.merchant, which.profile_id)
  const old = await needAlgorithm(call, which.algorithm_id)
  if (old.profile_id !== which.profile_id || old.algorithm_kind !== 'dynamic' || kindNamed(old.name) !== which.kind)
    refuse('not_found', { what: 'routing algorithm' })
  const row = made(call, which, settings(call, which, old.algorithm, ask))
  const answer = show(await withNumber(call, row))
  return changeRouting(call, which.profile_id, 'dynamic_routing_updated', ({ [which.kind]: now }) => ({
    set: now?.algorithm_id === which.algorithm_id ? { [which.kind]: { ...now, algorithm_id: row.algorithm_id } } : {},
    rows: [inserted(row)],
    answer,
  }))
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Deep. Members of `more` replace those of `old`. */
const merged = (old: unknown, more: unknown): unknown =>
  isObject(old) && isObject(more)
    ? { ...old, ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, merged(old[name], value)])) }
    : more

/** `split`: the percentage of the profile's payments that dynamic routing ranks. */
export async function setDynamicShare(call: RoutingCall, profile_id: string, split: number) {
  needProfile(call.merchant, profile_id)
  return changeRouting(call, profile_id, 'dynamic_share_set', () => ({
    set: { dynamic_share: split },
    answer: { routing_type: 'dynamic', split },
  }))
}
