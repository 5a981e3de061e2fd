import Type, { type TProperties } from 'typebox'
import type { Dynamic, ProfileRouting, RoutingAlgorithmRow } from '../../accounts/routing.ts'
import { strictObject } from '../../base/shapes.ts'
import { MINUTE_MS } from '../../base/time.ts'
import type { RoutingContext } from '../routing-context.ts'
import { type ContractConfig, contractConfig } from './contract.ts'

/** Success rates are counted separately by these, each with its member of the routing context. */
export const cellParams = {
  PaymentMethod: 'payment_method',
  PaymentMethodType: 'payment_method_type',
  AuthenticationType: 'authentication_type',
  Currency: 'currency',
  Country: 'billing_country',
  CardNetwork: 'card_network',
  CardBin: 'card_bin',
} as const satisfies Record<string, keyof RoutingContext>
type CellParam = keyof typeof cellParams

const whole = (minimum: number, maximum: number, description: string) => Type.Optional(Type.Integer({ minimum, maximum, description }))
const number = (minimum: number, maximum: number, description: string) => Type.Optional(Type.Number({ minimum, maximum, description }))
const group = <P extends TProperties>(members: P) => Type.Optional(strictObject(members))
const params = Type.Optional(
  Type.Array(Type.Enum(Object.keys(cellParams) as CellParam[]), { description: 'Payments are counted separately by these parameters' }),
)

export const successBasedShape = strictObject({
  params,
  config: group({
    min_aggregates_size: whole(0, 1000, 'Full blocks required before the rate is used (default 3)'),
    max_aggregates_size: whole(1, 1000, 'Full blocks that the rate covers (default 20)'),
    default_success_rate: number(0, 100, 'Rate used until there are enough full blocks (default 100)'),
    current_block_threshold: group({
      duration_in_mins: whole(1, 10_080, 'Minutes after which a block is full (default 60)'),
      max_total_count: whole(1, 10_000, 'Payments after which a block is full (default 10)'),
    }),
    specificity_level: Type.Optional(
      Type.Enum(['merchant'], { description: "The merchant's own payments only; data of other merchants is never used" }),
    ),
    exploration_percent: number(0, 100, 'Percentage of payments that try a randomly selected account first (default 10)'),
    shuffle_on_tie_during_exploitation: Type.Optional(
      Type.Boolean({
        description: 'Whether accounts with equal rates are tried in random order instead of the order of the rules (default false)',
      }),
    ),
  }),
  decision_engine_configs: group({
    defaultBucketSize: whole(1, 10_000, 'Alias of max_total_count'),
    defaultHedgingPercent: number(0, 100, 'Alias of exploration_percent'),
  }),
})
export type SuccessBasedAsk = Type.Static<typeof successBasedShape>

export const eliminationShape = strictObject({
  elimination_analyser_config: group({
    bucket_size: whole(1, 10_000, 'Unanswered payments beyond the threshold after which an account counts as down (default 5)'),
    bucket_leak_interval_in_secs: whole(
      1,
      86_400,
      'Seconds after which one unanswered payment is dropped, and for which an account stays excluded (default 60)',
    ),
  }),
  decision_engine_configs: group({ threshold: number(0.01, 0.99, 'Tolerated share of unanswered payments (default 0.5)') }),
})
type EliminationAsk = Type.Static<typeof eliminationShape>

export type SuccessConfig = {
  params: readonly CellParam[]
  min_blocks: number
  max_blocks: number
  block_ms: number
  block_payments: number
  /** In percent. */
  default_rate: number
  exploration: number
  shuffle: boolean
}

/** The defaults require 3 blocks of 10 payments: with fewer than 30, a rate is not used. */
export function successConfig(algorithm: SuccessBasedAsk): SuccessConfig {
  const { params: by, config = {}, decision_engine_configs: engine = {} } = algorithm
  const block = config.current_block_threshold ?? {}
  return {
    params: by ?? ['PaymentMethod'],
    min_blocks: config.min_aggregates_size ?? 3,
    max_blocks: config.max_aggregates_size ?? 20,
    block_ms: (block.duration_in_mins ?? 60) * MINUTE_MS,
    block_payments: block.max_total_count ?? engine.defaultBucketSize ?? 10,
    default_rate: config.default_success_rate ?? 100,
    exploration: config.exploration_percent ?? engine.defaultHedgingPercent ?? 10,
    shuffle: config.shuffle_on_tie_during_exploitation ?? false,
  }
}

export type EliminationConfig = { bucket: number; leak_ms: number; threshold: number }

const eliminationConfig = (algorithm: EliminationAsk): EliminationConfig => ({
  bucket: algorithm.elimination_analyser_config?.bucket_size ?? 5,
  leak_ms: (algorithm.elimination_analyser_config?.bucket_leak_interval_in_secs ?? 60) * 1000,
  threshold: algorithm.decision_engine_configs?.threshold ?? 0.5,
})

const configs = new WeakMap<RoutingAlgorithmRow, unknown>()
function configOf<T>(row: RoutingAlgorithmRow, read: (algorithm: object) => T): T {
  let config = configs.get(row) as T | undefined
  if (config === undefined) {
    config = read(row.algorithm)
    configs.set(row, config)
  }
  return config
}

export type DynamicOf<C> = { algorithm_id: string; decides: boolean; config: C }

function dynamicOf<C>(dynamic: Dynamic | null, row: RoutingAlgorithmRow | null, read: (algorithm: object) => C): DynamicOf<C> | null {
  if (!dynamic || !row || dynamic.enabled === 'none') return null
  return { algorithm_id: row.algorithm_id, decides: dynamic.enabled === 'dynamic_connector_selection', config: configOf(row, read) }
}

/** Null if it is off. `decides` is false if it only measures. */
export const successOf = (routing: ProfileRouting): DynamicOf<SuccessConfig> | null =>
  dynamicOf(routing.row.success_based, routing.success_based, successConfig as (algorithm: object) => SuccessConfig)

export const contractOf = (routing: ProfileRouting): DynamicOf<ContractConfig> | null =>
  dynamicOf(routing.row.contract_based, routing.contract_based, contractConfig as (algorithm: object) => ContractConfig)

export const eliminationOf = (routing: ProfileRouting): DynamicOf<EliminationConfig> | null =>
  dynamicOf(routing.row.elimination, routing.elimination, eliminationConfig as (algorithm: object) => EliminationConfig)

/** Where a payment is counted: its values of the configured parameters. */
export const cellOf = ({ params: by }: SuccessConfig, routingContext: RoutingContext): string =>
  by.map(param => routingContext[cellParams[param]] ?? '').join(' ')

/** By the names of their algorithms; those of kind `dynamic` have no other names. */
export const dynamicKinds = {
  success_based: { name: 'Success based dynamic routing', description: 'Accounts with the best success rate first' },
  contract_based: { name: 'Contract based dynamic routing', description: 'Accounts that are behind their contract first' },
  elimination: { name: 'Elimination dynamic routing', description: 'Accounts that do not respond last' },
} as const
export type DynamicKind = keyof typeof dynamicKinds

export function kindNamed(name: string): DynamicKind {
  const found = (Object.keys(dynamicKinds) as DynamicKind[]).find(kind => dynamicKinds[kind].name === name)
  if (!found) throw new Error(`${name} is not a kind of dynamic routing`)
  return found
}
