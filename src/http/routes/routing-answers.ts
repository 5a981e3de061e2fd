import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { currency } from '../../payments/fields/order.ts'
import { checkNames } from '../../routing/eligibility-checks.ts'
import { count, listSchema, minor, open, schema, text, time, times } from '../answer-shapes.ts'

const seconds = Type.Integer({ description: 'Seconds since 1970' })
const kind = Type.Enum(['single', 'priority', 'volume_split', 'advanced', 'dynamic'])
const named = { connector: orNull(text), merchant_connector_id: text }

const record = {
  id: text,
  profile_id: text,
  name: text,
  version: Type.Integer({ minimum: 1, description: 'Number among the algorithms of the same name and business profile, oldest first' }),
  description: text,
  created_at: seconds,
  modified_at: seconds,
  algorithm_for: Type.Enum(['payment', 'payout']),
}
export const recordAnswer = schema('RoutingRecord', { ...record, kind, decision_engine_routing_id: Type.Null() })
export const algorithmAnswer = schema('RoutingAlgorithm', { ...record, algorithm: open })

export const historyAnswer = Type.Array(
  schema('RoutingActivation', {
    routing_algorithm_id: text,
    name: text,
    version: count,
    active_from: time,
    ...times('active_until'),
    by: Type.String({ description: 'Who activated it' }),
    reason: orNull(text, 'As given when it was activated'),
  }),
)

export const keysAnswer = listSchema(
  'RoutingKeys',
  schema('RoutingKey', {
    name: Type.String({ description: '`lhs` of a comparison' }),
    is: Type.Enum(['number', 'word', 'text', 'type of', 'metadata'], {
      description:
        '`number`: compared in all six ways; the others only by equal and not_equal. `word`: one of `values`. `type of`: the payment’s type, if it is of this payment method. `metadata`: a member of the payment’s metadata',
    }),
    value_types: Type.Array(text, { description: 'Types of `value`' }),
    values: orNull(Type.Array(text), 'null: any'),
    expected: orNull(text),
  }),
)

export const choiceAnswer = schema('ConnectorChoice', named)
export const fallbackAnswer = schema('ProfileFallback', { profile_id: text, connectors: Type.Array(choiceAnswer) })
export const shareAnswer = schema('DynamicShare', {
  routing_type: Type.Enum(['dynamic']),
  split: Type.Integer({ description: 'Percentage of payments' }),
})

const health = {
  success_rate: orNull(Type.Number({ description: 'Percentage measured by success-based routing; null if not measured' })),
  payments: Type.Integer({ description: 'Number of payments measured' }),
  contract: orNull(
    Type.Object({
      payments: Type.Integer({ description: 'Payments since the start of the contract' }),
      due: Type.Integer({ description: 'Payments due by the end of the current day (or month)' }),
      target: Type.Integer({ description: 'Contracted payments' }),
    }),
  ),
  breaker: Type.Enum(['closed', 'open', 'half_open'], {
    description: 'closed: available. open: not responding, tried last. half_open: one payment tests whether it responds again',
  }),
}
const order = Type.Array(
  Type.Object({
    ...named,
    chosen: Type.Boolean({ description: 'true: selected by the algorithm or the payment; false: fallback' }),
    ...health,
  }),
  { description: 'Eligible connector accounts, best first' },
)
const reason = Type.Enum([...checkNames], { description: 'Why this account is excluded for the payment' })
const decision = {
  approach: Type.Enum(['request', 'algorithm', 'default'], {
    description:
      "Source of the decision: the payment's own routing, the profile's active algorithm, or none, in which case the fallback order applies",
  }),
  algorithm_id: orNull(text),
  rule: orNull(Type.String({ description: 'The rule that matched' })),
  ranked: Type.Boolean({ description: 'Whether accounts were ordered by success rate' }),
  explored: Type.Boolean({ description: 'Whether the first account was selected for exploration' }),
  connectors: order,
}

export const routedAnswer = schema('Routed', 'Why the payment was routed there', {
  ...decision,
  left_out: Type.Array(Type.Object({ ...named, reason })),
})

/** The same, with the reasons in words. */
export const explainedAnswer = schema('RoutedExplained', 'Why the payment was routed there', {
  ...decision,
  left_out: Type.Array(Type.Object({ ...named, reason, message: text })),
})

export const evaluatedAnswer = schema('RoutingEvaluation', {
  payment_id: orNull(text),
  profile_id: text,
  ...decision,
  left_out: Type.Array(Type.Object({ ...named, reason, message: text })),
  dynamic_routing: Type.Object({
    success_based: text,
    contract_based: text,
    elimination: text,
    split: Type.Integer({ description: 'Percentage of payments that are ranked' }),
  }),
  attempt: orNull(routedAnswer),
  decided_gateway: orNull(Type.String({ description: 'The connector that would be tried first' })),
  gateway_priority_map: Type.Object(
    {},
    { additionalProperties: true, description: 'Score per connector:account; higher scores are tried first' },
  ),
  routing_approach: Type.Enum(['PRIORITY_LOGIC', 'SR_SELECTION', 'DEFAULT']),
})

export const feedbackAnswer = schema('RoutingFeedback', {
  message: Type.String({ description: 'Success if the payment is counted; otherwise the reason' }),
})

const choices = Type.Array(choiceAnswer)
export const ruleEvaluatedAnswer = schema('RuleEvaluation', {
  status: Type.Enum(['success', 'default_selection'], {
    description: 'success: a rule matched. default_selection: no rule matched, or there are none',
  }),
  rule: orNull(Type.String({ description: 'The rule that matched' })),
  output: Type.Object(
    { type: Type.Enum(['priority', 'volume_split']) },
    { additionalProperties: true, description: 'The selection as configured: `connectors`, or `splits`' },
  ),
  evaluated_output: choices,
  eligible_connectors: choices,
})

const volume = { payments: count, amounts: Type.Array(Type.Object({ currency, amount: minor })) }

export const simulatedAnswer = schema('RoutingSimulation', {
  profile_id: text,
  algorithm_id: orNull(text),
  start_time: time,
  end_time: time,
  payments: Type.Integer({ description: 'Number of payments simulated: those sent to a processor' }),
  complete: Type.Boolean({ description: 'false: the period has more payments, before `earliest`' }),
  earliest: orNull(time),
  connectors: Type.Array(Type.Object({ ...named, went: Type.Object(volume), would_go: Type.Object(volume) })),
  would_go_nowhere: Type.Object(volume, { description: 'Payments that no current account supports' }),
  elsewhere: Type.Array(Type.Object({ from: choiceAnswer, to: orNull(choiceAnswer), ...volume }), {
    description: 'Payments that would have been routed differently',
  }),
  cells: Type.Array(
    Type.Object({
      card_network: orNull(text),
      currency,
      country: orNull(Type.String({ description: "The payer's" })),
      payments: count,
      moved: Type.Array(Type.Object({ from: choiceAnswer, to: orNull(choiceAnswer), payments: count }), {
        description: 'Payments of the cell that would have been routed differently; `to` is null if no current account supports them',
      }),
      connectors: Type.Array(
        Type.Object({
          ...named,
          payments: count,
          succeeded: count,
          success_rate: Type.Union([Type.Number(), Type.Literal('unknown')], {
            description: 'Percentage; unknown for fewer than 30 payments',
          }),
        }),
      ),
    }),
    { description: 'Success rate of each connector for similar payments' },
  ),
})
