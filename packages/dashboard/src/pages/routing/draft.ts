import type { Key } from './keys'
import type { Algorithm, Choice, Comparison, Program, Selection } from './rules'

// A draft of routing rules: the rules that the editor can write, and the conversion from and to the interface's
// algorithm.

/**
 * A condition. `values`: one of them must match; numbers and texts have only one. `member`: the key in the payment's
 * metadata.
 */
export type DraftCondition = { lhs: string; comparison: string; values: readonly string[]; member?: string }
/** The accounts of a rule, by their ids: in the order in which they are tried, or each with its share in percent. */
export type DraftSelection = { ids: readonly string[]; shares: Readonly<Record<string, string>> | null }
export type DraftRule = { name: string; conditions: readonly DraftCondition[]; selection: DraftSelection }
export type Draft = { name: string; rules: readonly DraftRule[]; rest: DraftSelection }

export const newCondition: DraftCondition = { lhs: 'currency', comparison: 'equal', values: [] }
export const inOrder = (ids: readonly string[]): DraftSelection => ({ ids, shares: null })
export const newRule = (n: number): DraftRule => ({ name: `rule ${n}`, conditions: [newCondition], selection: inOrder([]) })

const isNumber = (value: string): boolean => /^\d{1,15}$/.test(value)

/** Returns the sum of the shares, which must be 100. */
export const sumOf = ({ ids, shares }: DraftSelection): number => ids.reduce((sum, id) => sum + Number(shares?.[id] ?? 0), 0)

const isReached = (selection: DraftSelection): boolean =>
  selection.ids.length > 0 &&
  (selection.shares === null || (sumOf(selection) === 100 && selection.ids.every(id => /^\d{1,3}$/.test(selection.shares![id] ?? ''))))

const isComplete = ({ lhs, values, member }: DraftCondition): boolean =>
  values.length > 0 &&
  values.every(value => (lhs === 'amount' ? isNumber(value) : value.trim() !== '')) &&
  (lhs !== 'metadata' || (member ?? '').trim() !== '')

/** Whether the draft is complete. */
export const isWhole = ({ name, rules, rest }: Draft): boolean =>
  name.trim() !== '' &&
  isReached(rest) &&
  new Set(rules.map(rule => rule.name.trim())).size === rules.length &&
  rules.every(
    rule => rule.name.trim() !== '' && isReached(rule.selection) && rule.conditions.length > 0 && rule.conditions.every(isComplete),
  )

function comparisonValue({ values, member = '' }: DraftCondition, key: Key | undefined): Comparison['value'] {
  const [first = ''] = values.map(one => one.trim())
  switch (key?.is) {
    case 'number':
      return { type: 'number', value: Number(first) }
    case 'text':
      return { type: 'str_value', value: first }
    case 'metadata':
      return { type: 'metadata_variant', value: { key: member.trim(), value: first } }
    default:
      return values.length > 1 ? { type: 'enum_variant_array', value: values } : { type: 'enum_variant', value: first }
  }
}

/** Converts a draft into an algorithm of the interface. */
export function algorithmOf(draft: Draft, accounts: readonly Choice[], keys: readonly Key[]): Algorithm {
  const named = (ids: readonly string[]) => ids.flatMap(id => accounts.filter(one => one.merchant_connector_id === id))
  const selectionSent = ({ ids, shares }: DraftSelection): Selection =>
    shares === null
      ? { type: 'priority', data: named(ids) }
      : {
          type: 'volume_split',
          data: named(ids).map(connector => ({ connector, split: Number(shares[connector.merchant_connector_id ?? ''] ?? 0) })),
        }
  const comparisonOf = (condition: DraftCondition): Comparison => ({
    lhs: condition.lhs,
    comparison: condition.comparison,
    value: comparisonValue(
      condition,
      keys.find(({ name }) => name === condition.lhs),
    ),
    metadata: {},
  })
  const rules = draft.rules.map(({ name, conditions, selection }) => ({
    name: name.trim(),
    connectorSelection: selectionSent(selection),
    statements: [{ condition: conditions.map(comparisonOf) }],
  }))
  if (rules.length === 0) return selectionSent(draft.rest)
  return { type: 'advanced', data: { defaultSelection: selectionSent(draft.rest), rules, metadata: {} } satisfies Program }
}

const idOf = (one: unknown): string | undefined => (one as Choice | null)?.merchant_connector_id ?? undefined
const areStrings = (ids: readonly (string | undefined)[]): ids is readonly string[] => ids.every(id => typeof id === 'string')

/** Returns the accounts of a selection, or null if the selection names accounts by anything but their ids. */
function goesOf({ type, data }: Selection): DraftSelection | null {
  if (type === 'volume_split' && Array.isArray(data)) {
    const parts = data as { connector: unknown; split: number }[]
    const ids = parts.map(({ connector }) => idOf(connector))
    return areStrings(ids) ? { ids, shares: Object.fromEntries(parts.map(({ split }, at) => [ids[at]!, String(split)])) } : null
  }
  const all = type === 'single' ? [data] : type === 'priority' && Array.isArray(data) ? data : null
  const ids = all?.map(idOf)
  return ids && areStrings(ids) ? inOrder(ids) : null
}

/** Returns a condition in the editor's form, or null if the editor cannot write it. */
function conditionOf({ lhs, comparison, value }: Comparison, keys: readonly Key[]): DraftCondition | null {
  if (!keys.some(({ name }) => name === lhs)) return null
  if (['number', 'enum_variant', 'str_value'].includes(value.type)) return { lhs, comparison, values: [String(value.value)] }
  if (value.type === 'enum_variant_array') return { lhs, comparison, values: value.value as string[] }
  if (value.type !== 'metadata_variant') return null
  const { key, value: text } = value.value as { key: string; value: string }
  return { lhs, comparison, values: [text], member: key }
}

/** Returns a draft that begins with these rules, or null if they contain anything that the editor cannot write. */
export function draftOf(name: string, algorithm: Algorithm, keys: readonly Key[]): Draft | null {
  const program = algorithm.type === 'advanced' ? (algorithm.data as Program) : null
  const rest = goesOf(program?.defaultSelection ?? algorithm)
  const rules: DraftRule[] = []
  for (const { name: called, connectorSelection, statements } of program?.rules ?? []) {
    const selection = goesOf(connectorSelection)
    const [only] = statements
    if (selection === null || only === undefined || statements.length > 1 || (only.nested?.length ?? 0) > 0) return null
    const conditions = only.condition.flatMap(one => conditionOf(one, keys) ?? [])
    if (conditions.length < only.condition.length) return null
    rules.push({ name: called, conditions, selection })
  }
  return rest && { name, rules, rest }
}
