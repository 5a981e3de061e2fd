/** Routing algorithms in the form of the API. */

/** If `merchant_connector_id` is null: every account of the connector in the profile. */
export type Choice = { connector: string; merchant_connector_id: string | null }

export type VolumeSplit = { connector: Choice; split: number }

/** Of a rule that matches, or the default. */
export type Selection = { type: 'priority'; data: readonly Choice[] } | { type: 'volume_split'; data: readonly VolumeSplit[] }

export type Algorithm = Selection | { type: 'single'; data: Choice } | { type: 'advanced'; data: Program }

/** The first rule with a statement that holds decides; without one, the default selection. */
export type Program = { defaultSelection: Selection; rules: readonly Rule[]; metadata: object }

export type Rule = { name: string; connectorSelection: Selection; statements: readonly RuleStatement[] }

/** Holds if all comparisons hold and, if there are nested statements, at least one of those. */
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
