import type { Algorithm, Comparer, Comparison, RuleStatement, Selection } from './algorithm.ts'
import { keys } from './keys.ts'
import type { RoutingContext } from './routing-context.ts'

/** `rule`: null if the algorithm has no rules, or none holds. */
type Picked = { selection: Selection; rule: string | null }
export type Picks = (routingContext: RoutingContext) => Picked

/** Compiled, so that the keys of rules are looked up only once. */
export function compileRules(algorithm: Algorithm): Picks {
  if (algorithm.type !== 'advanced') {
    const picked: Picked = { selection: algorithm.type === 'single' ? { type: 'priority', data: [algorithm.data] } : algorithm, rule: null }
    return () => picked
  }
  const rules = algorithm.data.rules.map(({ name, connectorSelection, statements }) => ({
    holds: anyOf(statements.map(statementOf)),
    picked: { selection: connectorSelection, rule: name },
  }))
  const otherwise: Picked = { selection: algorithm.data.defaultSelection, rule: null }
  return routingContext => rules.find(rule => rule.holds(routingContext))?.picked ?? otherwise
}

type Test = (routingContext: RoutingContext) => boolean

const allOf =
  (tests: readonly Test[]): Test =>
  routingContext =>
    tests.every(holds => holds(routingContext))
const anyOf =
  (tests: readonly Test[]): Test =>
  routingContext =>
    tests.some(holds => holds(routingContext))

function statementOf({ condition, nested }: RuleStatement): Test {
  const here = allOf(condition.map(comparisonOf))
  return nested ? allOf([here, anyOf(nested.map(statementOf))]) : here
}

const compares: Record<Comparer, (a: number, b: number) => boolean> = {
  equal: (a, b) => a === b,
  not_equal: (a, b) => a !== b,
  less_than: (a, b) => a < b,
  less_than_equal: (a, b) => a <= b,
  greater_than: (a, b) => a > b,
  greater_than_equal: (a, b) => a >= b,
}

/** Except for numbers, `not_equal` is the opposite of `equal`: it always holds for a missing value. */
function comparisonOf({ lhs, comparison, value }: Comparison): Test {
  if (value.type === 'number') {
    const member = memberOf(lhs)
    const compare = compares[comparison]
    return routingContext => compare(routingContext[member] as number, value.value)
  }
  const equals = equality(lhs, value)
  return comparison === 'equal' ? equals : routingContext => !equals(routingContext)
}

function equality(lhs: string, value: Exclude<Comparison['value'], { type: 'number' }>): Test {
  switch (value.type) {
    case 'number_array': {
      const [member, numbers] = [memberOf(lhs), new Set(value.value)]
      return routingContext => numbers.has(routingContext[member] as number)
    }
    case 'number_comparison_array': {
      const member = memberOf(lhs)
      const tests = value.value.map(({ comparisonType, number }) => ({ compare: compares[comparisonType], number }))
      return routingContext => tests.some(({ compare, number }) => compare(routingContext[member] as number, number))
    }
    case 'metadata_variant': {
      const { key, value: text } = value.value
      return ({ metadata }) => metadata !== null && Object.hasOwn(metadata, key) && textOf(metadata[key]) === text
    }
    default:
      return wordTest(lhs, new Set(value.type === 'enum_variant_array' ? value.value : [value.value]))
  }
}

function wordTest(lhs: string, values: ReadonlySet<string>): Test {
  const key = keys[lhs]
  if (key?.is === 'type of')
    return routingContext =>
      routingContext.payment_method === key.method &&
      routingContext.payment_method_type !== null &&
      values.has(routingContext.payment_method_type)
  const member = memberOf(lhs)
  return routingContext => values.has(routingContext[member] as string)
}

/** Null for an object or list. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : null

function memberOf(lhs: string): keyof RoutingContext {
  const key = keys[lhs]
  if (!key || !('member' in key)) throw new Error(`${lhs} was let in and is not known`)
  return key.member
}
