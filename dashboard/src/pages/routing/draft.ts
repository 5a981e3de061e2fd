import type { Algorithm, Choice, Comparison, Program, Selection } from './rules'

// A draft of rules: what the editor can write, and the algorithm that it becomes.

export type DraftCondition = { lhs: string; comparison: string; value: string }
export type DraftRule = { name: string; conditions: readonly DraftCondition[]; goes: readonly string[] }
/** `goes` and `rest` are ids of accounts, in the order in which they are tried. */
export type Draft = { name: string; rules: readonly DraftRule[]; rest: readonly string[] }

export const newCondition: DraftCondition = { lhs: 'currency', comparison: 'equal', value: '' }
export const newRule = (n: number): DraftRule => ({ name: `rule ${n}`, conditions: [newCondition], goes: [] })

const isAmount = (value: string): boolean => /^\d{1,15}$/.test(value)

/** Whether nothing is missing in it. */
export const isWhole = ({ name, rules, rest }: Draft): boolean =>
  name.trim() !== '' &&
  rest.length > 0 &&
  new Set(rules.map(rule => rule.name.trim())).size === rules.length &&
  rules.every(
    rule =>
      rule.name.trim() !== '' &&
      rule.goes.length > 0 &&
      rule.conditions.length > 0 &&
      rule.conditions.every(({ lhs, value }) => (lhs === 'amount' ? isAmount(value) : value.trim() !== '')),
  )

/** The algorithm that a draft writes down, in the interface's own shape. */
export function algorithmOf(draft: Draft, accounts: readonly Choice[]): Algorithm {
  const selection = (ids: readonly string[]): Selection => ({
    type: 'priority',
    data: ids.flatMap(id => accounts.filter(one => one.merchant_connector_id === id)),
  })
  const comparisonOf = ({ lhs, comparison, value }: DraftCondition): Comparison => ({
    lhs,
    comparison,
    value: lhs === 'amount' ? { type: 'number', value: Number(value) } : { type: 'enum_variant', value: value.trim() },
    metadata: {},
  })
  const rules = draft.rules.map(({ name, conditions, goes }) => ({
    name: name.trim(),
    connectorSelection: selection(goes),
    statements: [{ condition: conditions.map(comparisonOf) }],
  }))
  if (rules.length === 0) return selection(draft.rest)
  return { type: 'advanced', data: { defaultSelection: selection(draft.rest), rules, metadata: {} } satisfies Program }
}

/** The ids that a selection names, or null if it says more than an order of accounts. */
function idsOf({ type, data }: Selection): string[] | null {
  const all = type === 'single' ? [data] : type === 'priority' && Array.isArray(data) ? data : null
  const ids = all?.map(one => (one as Choice | null)?.merchant_connector_id)
  return ids?.every(id => typeof id === 'string') ? (ids as string[]) : null
}

/** A draft that begins with these rules, or null if they say what the editor cannot write. */
export function draftOf(name: string, algorithm: Algorithm, fields: readonly string[]): Draft | null {
  const program = algorithm.type === 'advanced' ? (algorithm.data as Program) : null
  const rest = idsOf(program?.defaultSelection ?? algorithm)
  const rules: DraftRule[] = []
  for (const { name: called, connectorSelection, statements } of program?.rules ?? []) {
    const goes = idsOf(connectorSelection)
    const [only] = statements
    if (goes === null || only === undefined || statements.length > 1 || (only.nested?.length ?? 0) > 0) return null
    const isWritable = ({ lhs, value }: Comparison) => fields.includes(lhs) && ['number', 'enum_variant'].includes(value.type)
    if (!only.condition.every(isWritable)) return null
    const conditions = only.condition.map(({ lhs, comparison, value }) => ({ lhs, comparison, value: String(value.value) }))
    rules.push({ name: called, conditions, goes })
  }
  return rest && { name, rules, rest }
}
