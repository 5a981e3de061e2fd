/** What merchants write down to say which connector gets which payment, in the interface's own shapes. */

/** A connector account; without `merchant_connector_id`, every account of that connector in the profile. */
export type Choice = { connector: string; merchant_connector_id: string | null }

export type VolumeSplit = { connector: Choice; split: number }

/** What a rule, or its absence, chooses. */
export type Selection = { type: 'priority'; data: readonly Choice[] } | { type: 'volume_split'; data: readonly VolumeSplit[] }

export type Algorithm = Selection | { type: 'single'; data: Choice } | { type: 'advanced'; data: Program }

/** The first rule of which a statement holds decides; the default selection, if none does. */
export type Program = { defaultSelection: Selection; rules: readonly Rule[]; metadata: object }

export type Rule = { name: string; connectorSelection: Selection; statements: readonly RuleStatement[] }

/** Holds if each comparison does, and, where there are nested statements, one of those. */
export type RuleStatement = { condition: readonly Comparison[]; nested: readonly RuleStatement[] | null }

export const comparisons = ['equal', 'not_equal', 'less_than', 'less_than_equal', 'greater_than', 'greater_than_equal'] as const
export type Comparer = (typeof comparisons)[number]

export type Comparison = { lhs: string; comparison: Comparer; value: Value; metadata: object }

export type Value =
  | { type: 'number'; value: number }
  | { type: 'enum_variant' | 'str_value'; value: string }
  | { type: 'enum_variant_array'; value: readonly string[] }
  | { type: 'number_array'; value: readonly number[] }
  | { type: 'number_comparison_array'; value: readonly { comparisonType: Comparer; number: number }[] }
  | { type: 'metadata_variant'; value: { key: string; value: string } }
