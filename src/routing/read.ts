import { Refusal, refuse } from '../base/refusal.ts'
import { fieldName } from '../base/shapes.ts'
import {
  type Algorithm,
  type Choice,
  type Comparer,
  type Comparison,
  comparisons,
  type Program,
  type Rule,
  type RuleStatement,
  type Selection,
  type Value,
  type VolumeSplit,
} from './algorithm.ts'
import { type Key, keys, valueTypes } from './keys.ts'
import type { RoutingContext } from './routing-context.ts'

/** An invalid part is refused with its path, at once and not by a payment. The result is stored as it is. */

export type Path = readonly (string | number)[]
type Given = Record<string, unknown>

/** 400 IR_06, the code of all schema errors. */
const misshapen = (path: Path, message: string): never => refuse('unreadable', { field: fieldName(path), problem: message })
/** 422 IR_06: the value fits the schema but has no meaning at this path. */
const senseless = (path: Path, message: string): never => refuse('unacceptable', { field: fieldName(path), problem: message })

/** No other members than `needed` and `others`. */
function objectAt(given: unknown, path: Path, needed: readonly string[], others: readonly string[] = []): Given {
  if (given === undefined) refuse('missing', { field: fieldName(path) })
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return misshapen(path, 'must be an object')
  const is = given as Given
  for (const name of Object.keys(is))
    if (!needed.includes(name) && !others.includes(name)) misshapen([...path, name], 'is not a known parameter')
  for (const name of needed) if (is[name] === undefined || is[name] === null) refuse('missing', { field: fieldName([...path, name]) })
  return is
}

function listAt<T>(given: unknown, path: Path, read: (one: unknown, path: Path) => T, least: 0 | 1 = 1): T[] {
  if (!Array.isArray(given)) return misshapen(path, 'must be a list')
  if (given.length < least) return misshapen(path, 'must not be empty')
  return given.map((one, i) => read(one, [...path, i]))
}

const LONGEST_TEXT = 255

function textAt(given: unknown, path: Path): string {
  if (typeof given !== 'string' || given === '') return misshapen(path, 'must be a string')
  return given.length <= LONGEST_TEXT ? given : refuse('too_long', { field: fieldName(path), limit: LONGEST_TEXT, received: given.length })
}

const numberAt = (given: unknown, path: Path): number =>
  Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : misshapen(path, 'must be a whole number, 0 or more')

function oneOf<T extends string>(given: unknown, path: Path, values: readonly T[]): T {
  return values.includes(given as T) ? (given as T) : misshapen(path, `must be one of ${values.join(', ')}`)
}

/** Stored as they are. */
function notesAt(given: unknown, path: Path): object {
  if (given === undefined || given === null) return {}
  return typeof given === 'object' && !Array.isArray(given) ? given : misshapen(path, 'must be an object')
}

/** A name, or an object that may also name the account. */
function readChoice(given: unknown, path: Path): Choice {
  if (typeof given === 'string') return { connector: textAt(given, path), merchant_connector_id: null }
  const { connector, merchant_connector_id: id } = objectAt(given, path, ['connector'], ['merchant_connector_id'])
  return {
    connector: textAt(connector, [...path, 'connector']),
    merchant_connector_id: id === undefined || id === null ? null : textAt(id, [...path, 'merchant_connector_id']),
  }
}

function readSplits(given: unknown, path: Path): VolumeSplit[] {
  const splits = listAt(given, path, (one, here) => {
    const { connector, split } = objectAt(one, here, ['connector', 'split'])
    return { connector: readChoice(connector, [...here, 'connector']), split: numberAt(split, [...here, 'split']) }
  })
  return splits.some(({ split }) => split > 0) ? splits : senseless(path, 'must have at least one split greater than 0')
}

function readSelection(given: unknown, path: Path): Selection {
  const { type, data } = objectAt(given, path, ['type', 'data'])
  const inside = [...path, 'data']
  return oneOf(type, [...path, 'type'], ['priority', 'volume_split']) === 'priority'
    ? { type: 'priority', data: listAt(data, inside, readChoice) }
    : { type: 'volume_split', data: readSplits(data, inside) }
}

/** A part that does not fit its schema is 400 IR_06, an unknown key or an impossible comparison 422 IR_06. */
export function readAlgorithm(given: unknown, path: Path): Algorithm {
  const { type, data } = objectAt(given, path, ['type', 'data'])
  const inside = [...path, 'data']
  if (type === 'three_ds_decision_rule')
    return refuse('not_supported', {
      problem: `${fieldName([...path, 'type'])} three_ds_decision_rule is not supported: processors decide when to challenge the customer`,
    })
  switch (oneOf(type, [...path, 'type'], ['single', 'priority', 'volume_split', 'advanced'])) {
    case 'single':
      return { type: 'single', data: readChoice(data, inside) }
    case 'advanced':
      return { type: 'advanced', data: readProgram(data, inside) }
    default:
      return readSelection(given, path)
  }
}

/** A single connector, an order or a split, also wrapped in `algorithm`. Every error is 422 IR_06. */
export function readRequestRouting(given: unknown): Algorithm {
  const wrapped = (given as Given | null)?.algorithm
  const path = wrapped === undefined ? ['routing'] : ['routing', 'algorithm']
  try {
    const algorithm = readAlgorithm(wrapped ?? given, path)
    return algorithm.type === 'advanced' ? senseless([...path, 'type'], 'must be single, priority or volume_split') : algorithm
  } catch (error) {
    if (!(error instanceof Refusal) || error.field === undefined) throw error
    const { problem = 'is missing' } = error.facts as { problem?: string }
    return refuse('unacceptable', { field: error.field, problem })
  }
}

/** A payment's parameters by the keys of rules, each as `{type, value}`. */
export function readParameters(given: unknown, path: Path): Partial<RoutingContext> {
  const routingContext: Record<string, unknown> = {}
  for (const [lhs, one] of Object.entries(given as Given)) {
    const key = keyNamed(lhs, [...path, lhs])
    const { type, value } = readValue(one, [...path, lhs], lhs, key)
    if (Array.isArray(value)) senseless([...path, lhs, 'type'], `must not be ${type}: a payment has a single ${lhs}`)
    if (key.is === 'metadata') routingContext.metadata = { [(value as { key: string }).key]: (value as { value: string }).value }
    else if (key.is === 'type of') Object.assign(routingContext, { payment_method: key.method, payment_method_type: value })
    else routingContext[key.member] = value
  }
  return routingContext
}

export function choicesOf(algorithm: Algorithm, path: Path): { choice: Choice; path: Path }[] {
  const inside = [...path, 'data']
  switch (algorithm.type) {
    case 'single':
      return [{ choice: algorithm.data, path: inside }]
    case 'priority':
      return algorithm.data.map((choice, i) => ({ choice, path: [...inside, i] }))
    case 'volume_split':
      return algorithm.data.map(({ connector }, i) => ({ choice: connector, path: [...inside, i, 'connector'] }))
    case 'advanced':
      return [
        ...choicesOf(algorithm.data.defaultSelection, [...inside, 'defaultSelection']),
        ...algorithm.data.rules.flatMap((rule, i) => choicesOf(rule.connectorSelection, [...inside, 'rules', i, 'connectorSelection'])),
      ]
  }
}

function readProgram(given: unknown, path: Path): Program {
  const program = objectAt(given, path, ['defaultSelection', 'rules'], ['metadata'])
  const rules = listAt(program.rules, [...path, 'rules'], readRule, 0)
  rules.forEach(({ name }, i) => {
    if (rules.findIndex(one => one.name === name) < i) senseless([...path, 'rules', i, 'name'], `is used by two rules: ${name}`)
  })
  return {
    defaultSelection: readSelection(program.defaultSelection, [...path, 'defaultSelection']),
    rules,
    metadata: notesAt(program.metadata, [...path, 'metadata']),
  }
}

function readRule(given: unknown, path: Path): Rule {
  const { name, connectorSelection, routingOutput, statements } = objectAt(
    given,
    path,
    ['name', 'statements'],
    ['connectorSelection', 'routingOutput'],
  )
  const named = connectorSelection !== undefined || routingOutput === undefined ? 'connectorSelection' : 'routingOutput'
  return {
    name: textAt(name, [...path, 'name']),
    connectorSelection: readSelection(named === 'routingOutput' ? routingOutput : connectorSelection, [...path, named]),
    statements: listAt(statements, [...path, 'statements'], readStatement),
  }
}

function readStatement(given: unknown, path: Path): RuleStatement {
  const { condition, nested } = objectAt(given, path, ['condition'], ['nested'])
  return {
    condition: listAt(condition, [...path, 'condition'], readComparison),
    nested: nested === undefined || nested === null ? null : listAt(nested, [...path, 'nested'], readStatement),
  }
}

function readComparison(given: unknown, path: Path): Comparison {
  const is = objectAt(given, path, ['lhs', 'comparison', 'value'], ['metadata'])
  const lhs = textAt(is.lhs, [...path, 'lhs'])
  const comparison = oneOf(is.comparison, [...path, 'comparison'], comparisons)
  const key = keyNamed(lhs, [...path, 'lhs'])
  const value = readValue(is.value, [...path, 'value'], lhs, key)
  const orders = comparison !== 'equal' && comparison !== 'not_equal'
  if (orders && value.type !== 'number')
    senseless([...path, 'comparison'], `must be equal or not_equal for ${value.type}: ${comparison} requires a number`)
  return { lhs, comparison, value, metadata: notesAt(is.metadata, [...path, 'metadata']) }
}

const keyNamed = (lhs: string, path: Path): Key =>
  keys[lhs] ?? senseless(path, `${lhs} is not a known parameter; known parameters are ${Object.keys(keys).join(', ')}`)

function readValue(given: unknown, path: Path, lhs: string, key: Key): Value {
  const { type, value } = objectAt(given, path, ['type', 'value'])
  const types: readonly Value['type'][] = valueTypes[key.is]
  if (!types.includes(type as Value['type'])) senseless([...path, 'type'], `must be ${types.join(' or ')} for ${lhs}`)
  const here = [...path, 'value']
  const word = (one: unknown, at: Path) => wordFor(textAt(one, at), at, lhs, key)
  switch (type as Value['type']) {
    case 'number':
      return { type: 'number', value: numberAt(value, here) }
    case 'number_array':
      return { type: 'number_array', value: listAt(value, here, numberAt) }
    case 'number_comparison_array':
      return { type: 'number_comparison_array', value: listAt(value, here, readNumberComparison) }
    case 'metadata_variant': {
      const { key: name, value: text } = objectAt(value, here, ['key', 'value'])
      return { type: 'metadata_variant', value: { key: textAt(name, [...here, 'key']), value: textAt(text, [...here, 'value']) } }
    }
    case 'enum_variant_array':
      return { type: 'enum_variant_array', value: listAt(value, here, word) }
    case 'enum_variant':
      return { type: 'enum_variant', value: word(value, here) }
    case 'str_value':
      return { type: 'str_value', value: word(value, here) }
  }
}

function readNumberComparison(given: unknown, path: Path): { comparisonType: Comparer; number: number } {
  const { comparisonType, number } = objectAt(given, path, ['comparisonType', 'number'])
  return {
    comparisonType: oneOf(comparisonType, [...path, 'comparisonType'], comparisons),
    number: numberAt(number, [...path, 'number']),
  }
}

function wordFor(given: string, path: Path, lhs: string, key: Key): string {
  switch (key.is) {
    case 'word':
    case 'type of':
      return key.word(given) ?? senseless(path, `${given} is not a valid ${lhs}`)
    case 'text':
      return key.pattern && !key.pattern.test(given) ? senseless(path, `${lhs} must be ${key.expected}`) : given
    default:
      return given
  }
}
