import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { priority, routingContext, split } from '../../test/routes.ts'
import { Refusal } from '../base/refusal.ts'
import type { Comparer, Value } from './algorithm.ts'
import { compileRules } from './compile-rules.ts'
import { keys } from './keys.ts'
import { readAlgorithm, readRequestRouting } from './read.ts'
import type { RoutingContext } from './routing-context.ts'

type Comparison = { lhs: string; comparison: Comparer; value: { type: string; value: unknown }; metadata?: object }
type Statement = { condition: Comparison[]; nested?: Statement[] }

const program = (...statements: Statement[]) => ({
  type: 'advanced',
  data: {
    defaultSelection: priority('other'),
    rules: [{ name: 'it holds', connectorSelection: priority('mine'), statements }],
    metadata: {},
  },
})
const holds = (algorithm: object, more: Partial<RoutingContext>): boolean =>
  compileRules(readAlgorithm(algorithm, ['algorithm']))(routingContext(more)).rule === 'it holds'

const is = (lhs: string, comparison: Comparer, type: Value['type'], value: unknown): Comparison => ({
  lhs,
  comparison,
  value: { type, value },
})

const between = [
  { comparisonType: 'less_than', number: 100 },
  { comparisonType: 'greater_than_equal', number: 5000 },
]

// biome-ignore format: a table reads better in columns
const table: [Comparison, holds: Partial<RoutingContext>, doesNot: Partial<RoutingContext>][] = [
  [is('amount', 'equal',              'number', 1000),                     { amount: 1000 },  { amount: 1001 }],
  [is('amount', 'not_equal',          'number', 1000),                     { amount: 1001 },  { amount: 1000 }],
  [is('amount', 'less_than',          'number', 1000),                     { amount: 999 },   { amount: 1000 }],
  [is('amount', 'less_than_equal',    'number', 1000),                     { amount: 1000 },  { amount: 1001 }],
  [is('amount', 'greater_than',       'number', 1000),                     { amount: 1001 },  { amount: 1000 }],
  [is('amount', 'greater_than_equal', 'number', 1000),                     { amount: 1000 },  { amount: 999 }],
  [is('amount', 'equal',              'number_array', [1000, 2000]),       { amount: 2000 },  { amount: 1500 }],
  [is('amount', 'not_equal',          'number_array', [1000, 2000]),       { amount: 1500 },  { amount: 2000 }],
  [is('amount', 'equal',              'number_comparison_array', between), { amount: 5000 },  { amount: 100 }],
  [is('amount', 'not_equal',          'number_comparison_array', between), { amount: 100 },   { amount: 99 }],
  [is('currency', 'equal',      'enum_variant', 'EUR'),                    { currency: 'EUR' }, { currency: 'USD' }],
  [is('currency', 'not_equal',  'enum_variant', 'EUR'),                    { currency: 'USD' }, { currency: 'EUR' }],
  [is('currency', 'equal',      'enum_variant_array', ['EUR', 'SEK']),     { currency: 'SEK' }, { currency: 'USD' }],
  [is('currency', 'not_equal',  'enum_variant_array', ['EUR', 'SEK']),     { currency: 'USD' }, { currency: 'SEK' }],
  [is('payment_method', 'equal', 'enum_variant', 'card'),                  {}, { payment_method: 'wallet' }],
  [is('payment_method_type', 'equal', 'enum_variant', 'debit'),            { payment_method_type: 'debit' }, {}],
  [is('card_type', 'equal',     'enum_variant', 'debit'),                  { payment_method_type: 'debit' }, { payment_method_type: null }],
  [is('card_type', 'not_equal', 'enum_variant', 'debit'),                  { payment_method_type: null },    { payment_method_type: 'debit' }],
  [is('wallet', 'equal',        'enum_variant', 'paypal'),                 { payment_method: 'wallet', payment_method_type: 'paypal' }, { payment_method: 'bank_redirect', payment_method_type: 'paypal' }],
  [is('bank_redirect', 'equal', 'enum_variant_array', ['ideal', 'eps']),   { payment_method: 'bank_redirect', payment_method_type: 'eps' }, { payment_method: 'bank_redirect', payment_method_type: 'sofort' }],
  [is('card_network', 'equal',     'enum_variant', 'visa'),                {}, { card_network: 'Mastercard' }],
  [is('card_network', 'not_equal', 'enum_variant', 'Visa'),                { card_network: null }, {}],
  [is('card_bin', 'equal',      'str_value', '424242'),                    { card_bin: '424242' }, { card_bin: '411111' }],
  [is('card_bin', 'equal',      'enum_variant_array', ['424242', '555555']), { card_bin: '555555' }, { card_bin: null }],
  [is('extended_card_bin', 'equal', 'str_value', '42424242'),              { extended_card_bin: '42424242' }, { extended_card_bin: '42424243' }],
  [is('card_discovery', 'equal', 'enum_variant', 'manual'),                { card_discovery: 'manual' }, {}],
  [is('card_discovery', 'equal', 'enum_variant', 'saved_card'),            { card_discovery: 'saved_card' }, { card_discovery: 'manual' }],
  [is('issuer_name', 'equal',   'str_value', 'Mill Bank'),                 { issuer_name: 'Mill Bank' }, { issuer_name: 'Hill Bank' }],
  [is('issuer_country', 'equal', 'enum_variant', 'Netherlands'),           { issuer_country: 'NL' }, { issuer_country: 'BE' }],
  [is('billing_country', 'equal', 'enum_variant', 'NL'),                   { billing_country: 'NL' }, { billing_country: null }],
  [is('billing_country', 'equal', 'enum_variant', 'UnitedStatesOfAmerica'), { billing_country: 'US' }, { billing_country: 'UM' }],
  [is('business_country', 'not_equal', 'enum_variant', 'United Kingdom'),  { business_country: 'IE' }, { business_country: 'GB' }],
  [is('business_label', 'equal', 'str_value', 'chairs'),                   { business_label: 'chairs' }, { business_label: 'Chairs' }],
  [is('customer_id', 'equal',   'str_value', 'cus_1'),                     { customer_id: 'cus_1' }, {}],
  [is('authentication_type', 'equal', 'enum_variant', 'three_ds'),         { authentication_type: 'three_ds' }, {}],
  [is('capture_method', 'equal', 'enum_variant', 'manual'),                { capture_method: 'manual' }, {}],
  [is('setup_future_usage', 'equal', 'enum_variant', 'off_session'),       { setup_future_usage: 'off_session' }, {}],
  [is('payment_type', 'equal',  'enum_variant', 'non_mandate'),            { payment_type: 'normal' }, { payment_type: 'setup_mandate' }],
  [is('mandate_type', 'equal',  'enum_variant', 'multi_use'),              { mandate_type: 'multi_use' }, {}],
  [is('mandate_acceptance_type', 'equal', 'enum_variant', 'online'),       { mandate_acceptance_type: 'online' }, {}],
  [is('transaction_initiator', 'equal', 'enum_variant', 'merchant'),       { transaction_initiator: 'merchant' }, { transaction_initiator: 'customer' }],
  [is('metadata', 'equal',      'metadata_variant', { key: 'shelf', value: '7' }), { metadata: { shelf: '7' } }, { metadata: { shelf: '8' } }],
  [is('metadata', 'equal',      'metadata_variant', { key: 'shelf', value: '7' }), { metadata: { shelf: 7 } }, { metadata: { shelf: { 7: 7 } } }],
  [is('metadata', 'not_equal',  'metadata_variant', { key: 'shelf', value: '7' }), { metadata: null }, { metadata: { shelf: '7' } }],
  [is('metadata', 'equal',      'metadata_variant', { key: 'toString', value: 'x' }), { metadata: { toString: 'x' } }, { metadata: {} }],
]

test('each comparison of each routing key matches the values that it should, and no others', () => {
  for (const [comparison, yes, no] of table) {
    const rule = program({ condition: [comparison] })
    equal(holds(rule, yes), true, JSON.stringify([comparison, yes]))
    equal(holds(rule, no), false, JSON.stringify([comparison, no]))
  }
  const missing = Object.entries(keys).filter(([lhs, key]) => key.is !== 'type of' && !table.some(([one]) => one.lhs === lhs))
  deepEqual(missing, [], 'every key is in the table')
})

test('all comparisons of a condition must match, any one statement, and with nested statements any one of these as well', () => {
  const dear = is('amount', 'greater_than', 'number', 1000)
  const [euros, crowns] = [is('currency', 'equal', 'enum_variant', 'EUR'), is('currency', 'equal', 'enum_variant', 'SEK')]
  const [big, other] = [{ amount: 2000 }, { amount: 500 }] as const
  const both = program({ condition: [dear, euros] })
  deepEqual([holds(both, { ...big, currency: 'EUR' }), holds(both, big), holds(both, { ...other, currency: 'EUR' })], [true, false, false])
  const either = program({ condition: [dear] }, { condition: [euros] })
  deepEqual([holds(either, big), holds(either, { ...other, currency: 'EUR' }), holds(either, other)], [true, true, false])
  const nested = program({ condition: [dear], nested: [{ condition: [euros] }, { condition: [crowns] }] })
  deepEqual(
    [big, { ...big, currency: 'EUR' as const }, { ...big, currency: 'SEK' as const }, { ...other, currency: 'SEK' as const }].map(one =>
      holds(nested, one),
    ),
    [false, true, true, false],
  )
})

test('the first matching rule decides, and the default selection applies if none matches', () => {
  const rule = (name: string, amount: number) => ({
    name,
    routingOutput: priority(name),
    statements: [{ condition: [is('amount', 'greater_than', 'number', amount)] }],
  })
  const algorithm = readAlgorithm(
    { type: 'advanced', data: { defaultSelection: split(['a', 1], ['b', 2]), rules: [rule('large', 5000), rule('middle', 1000)] } },
    ['algorithm'],
  )
  const picks = compileRules(algorithm)
  deepEqual(
    [9000, 2000, 10].map(amount => picks(routingContext({ amount })).rule),
    ['large', 'middle', null],
  )
  equal(picks(routingContext({ amount: 10 })).selection.type, 'volume_split')
})

const condition = (comparison: object) => ({
  type: 'advanced',
  data: {
    defaultSelection: priority('a'),
    rules: [{ name: 'r', connectorSelection: priority('a'), statements: [{ condition: [comparison] }] }],
  },
})
const lhs = 'algorithm.data.rules[0].statements[0].condition[0]'
const full = (comparison: object) => condition({ comparison: 'equal', ...comparison })

// biome-ignore format: a table reads better in columns
const refused: [what: string, algorithm: unknown, status: number, code: string, field: string][] = [
  ['nothing',             undefined,                                                400, 'IR_04', 'algorithm'],
  ['no data',             { type: 'single' },                                       400, 'IR_04', 'algorithm.data'],
  ['another type',        { type: 'best', data: [] },                               400, 'IR_06', 'algorithm.type'],
  ['rules on challenges', { type: 'three_ds_decision_rule', data: {} },             400, 'IR_19', ''],
  ['an empty order',      { type: 'priority', data: [] },                           400, 'IR_06', 'algorithm.data'],
  ['an empty split',      { type: 'volume_split', data: [] },                       400, 'IR_06', 'algorithm.data'],
  ['a split of nothing',  split(['a', 0]),                                          422, 'IR_06', 'algorithm.data'],
  ['half a split',        split(['a', 0.5]),                                        400, 'IR_06', 'algorithm.data[0].split'],
  ['a stranger',          { type: 'single', data: { connector: 'a', id: 'b' } },    400, 'IR_06', 'algorithm.data.id'],
  ['no default',          { type: 'advanced', data: { rules: [] } },                400, 'IR_04', 'algorithm.data.defaultSelection'],
  ['an unknown key',      full({ lhs: 'weather', value: { type: 'number', value: 1 } }),                 422, 'IR_06', `${lhs}.lhs`],
  ['an inherited name',   full({ lhs: 'constructor', value: { type: 'number', value: 1 } }),             422, 'IR_06', `${lhs}.lhs`],
  ['an unknown currency', full({ lhs: 'currency', value: { type: 'enum_variant', value: 'XYZ' } }),      422, 'IR_06', `${lhs}.value.value`],
  ['a number for a word', full({ lhs: 'currency', value: { type: 'number', value: 1 } }),                422, 'IR_06', `${lhs}.value.type`],
  ['words in order',      condition({ lhs: 'currency', comparison: 'less_than', value: { type: 'enum_variant', value: 'USD' } }), 422, 'IR_06', `${lhs}.comparison`],
  ['a list in order',     condition({ lhs: 'amount', comparison: 'less_than', value: { type: 'number_array', value: [1] } }), 422, 'IR_06', `${lhs}.comparison`],
  ['an odd comparison',   condition({ lhs: 'amount', comparison: 'near', value: { type: 'number', value: 1 } }), 400, 'IR_06', `${lhs}.comparison`],
  ['a short BIN',         full({ lhs: 'card_bin', value: { type: 'str_value', value: '4242' } }),        422, 'IR_06', `${lhs}.value.value`],
  ['a wallet for a card', full({ lhs: 'card_type', value: { type: 'enum_variant', value: 'paypal' } }),  422, 'IR_06', `${lhs}.value.value`],
  ['a reference',         full({ lhs: 'amount', value: { type: 'global_ref', value: 'x' } }),            422, 'IR_06', `${lhs}.value.type`],
  ['less than nothing',   full({ lhs: 'amount', value: { type: 'number', value: -1 } }),                 400, 'IR_06', `${lhs}.value.value`],
  ['an empty condition',  { type: 'advanced', data: { defaultSelection: priority('a'), rules: [{ name: 'r', connectorSelection: priority('a'), statements: [{ condition: [] }] }] } }, 400, 'IR_06', 'algorithm.data.rules[0].statements[0].condition'],
]

test('an invalid algorithm is refused on creation, and the error names the field', () => {
  for (const [what, algorithm, status, code, field] of refused) {
    throws(
      () => readAlgorithm(algorithm, ['algorithm']),
      error => {
        const { entry, field: at } = error as Refusal
        deepEqual([error instanceof Refusal, entry?.status, entry?.code, at ?? ''], [true, status, code, field], what)
        return true
      },
    )
  }
})

test('routing of a payment request is accepted plain or wrapped in algorithm, and any error in it is a 422', () => {
  deepEqual(readRequestRouting({ type: 'single', data: 'phonypay' }), {
    type: 'single',
    data: { connector: 'phonypay', merchant_connector_id: null },
  })
  deepEqual(readRequestRouting({ algorithm: priority('a') }), priority('a'))
  for (const wrong of [
    7,
    'phonypay',
    [],
    {},
    { type: 'advanced', data: {} },
    program({ condition: [is('amount', 'equal', 'number', 1)] }),
    split(),
  ])
    throws(
      () => readRequestRouting(wrong),
      error => error instanceof Refusal && error.entry.status === 422,
      JSON.stringify(wrong),
    )
})
