import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import Value from 'typebox/value'
import { connectorAccountFields } from '../accounts/connector-account-fields.ts'
import { customerFields } from '../customers/fields.ts'
import { text } from '../database/table.ts'
import { disputeFields } from '../disputes/fields.ts'
import { methodFields } from '../payment-methods/fields.ts'
import { paymentFields } from '../payments/fields/all.ts'
import { payoutFields } from '../payouts/fields.ts'
import { refundFields } from '../refunds/fields.ts'
import type { Field, Fields } from './field.ts'
import { browserFields, exportedFields, filtersOf, initialRowOf, listingOf, processorMembers, shapeOf, shapeOfColumn } from './read.ts'

const shape = Type.String()
const sample = {
  name: { shape, settableBy: 'browser', storedIn: 'request', visibility: 'to all', sentToProcessor: true, exportPosition: 2 },
  colour: {
    shape,
    acceptedIn: ['create'],
    requiredIn: ['create'],
    storedIn: 'column',
    column: text<'red' | 'blue'>('red'),
    initial: 'red',
    visibility: 'to all',
    sentToProcessor: true,
    filter: { as: 'hue', by: { facet: 1 }, shape },
    exportPosition: 1,
  },
  note: { shape, storedIn: 'column', column: text().orNull(), filter: { by: { id: 'reference' }, shape } },
  place: { column: text(), visibility: 'to all' },
} as const satisfies Record<string, Field<'create' | 'update'>>

test('a request accepts the fields of its operation, and no others', () => {
  const [create, update] = [shapeOf(sample, 'create'), shapeOf(sample, 'update')]
  ok(Value.Check(create, { colour: 'red', name: 'x', note: 'y' }))
  ok(!Value.Check(create, { name: 'x' }), 'colour is needed')
  ok(!Value.Check(update, { colour: 'red' }))
  ok(!Value.Check(update, { place: 'x' }), 'no request says what has no shape')
  deepEqual(browserFields(sample), ['name'])
})

test('a new row has the values of the request, and otherwise the initial values of its fields', () => {
  const initialRow = initialRowOf(sample)
  deepEqual(initialRow({}), { colour: 'red', note: null })
  deepEqual(initialRow({ colour: 'blue', note: 'x', place: 'here' }), { colour: 'blue', note: 'x' })
})

test('facets and export columns have the positions that their fields define', () => {
  deepEqual(exportedFields(sample), ['colour', 'name'])
  const twice: Fields = { ...sample, place: { ...sample.place, exportPosition: 2 } }
  throws(() => exportedFields(twice), /place: the places are counted from 1/)
  const { facets, ids } = listingOf(sample, { resource: 'sample', created: 'created', amount: null })
  deepEqual(facets, { colour: 'column' })
  equal((ids.reference as (row: object) => string | null)({ note: 'x' }), 'x')
  deepEqual(filtersOf(sample), { hue: { by: { facet: 'colour' }, shape }, note: { by: { id: 'reference' }, shape } })
})

test('filters have the positions that they define, or the order of the fields', () => {
  const first: Fields = { ...sample, note: { ...sample.note, description: 'of orders', filter: { ...sample.note.filter, place: 1 } } }
  throws(() => filtersOf(first), /each must have one/)
  const both: Fields = {
    ...first,
    colour: { ...sample.colour, description: 'of cars', filter: { ...sample.colour.filter, place: 2, description: null } },
  }
  deepEqual(Object.entries(filtersOf(both)), [
    ['note', { by: { id: 'reference' }, shape, description: 'of orders' }],
    ['hue', { by: { facet: 'colour' }, shape }],
  ])
})

test('a list filter without a column is computed from the row', () => {
  const made = { note: () => 'made', colour: () => 'blue' }
  const { facets, ids } = listingOf(sample, { resource: 'sample', created: 'created', amount: null }, made)
  deepEqual([facets, ids], [{ colour: made.colour }, { reference: made.note }])
})

test('processors receive the values of columns and of the request, and null for missing values', () => {
  deepEqual(processorMembers(sample)({ colour: 'blue' as const, request: {} }), { name: null, colour: 'blue' })
})

const tables: Readonly<Record<string, Fields>> = {
  'connector accounts': connectorAccountFields,
  customers: customerFields,
  disputes: disputeFields,
  'payment methods': methodFields,
  payments: paymentFields,
  payouts: payoutFields,
  refunds: refundFields,
}
const all = Object.entries(tables).flatMap(([table, fields]) =>
  Object.entries(fields).map(([name, field]) => [`${table} ${name}`, field] as const),
)

test('the initial value of a field is valid in responses and in its column', () => {
  for (const [name, { initial, column, responseShape }] of all) {
    if (initial === undefined) continue
    ok(column, name)
    ok(Value.Check(responseShape ?? shapeOfColumn(column), initial), name)
    if (column.is.words) ok(column.is.words.includes(String(initial)), name)
  }
})

test('each field stored in a column has one, and each field that is shown unchanged is stored', () => {
  for (const [name, { storedIn, column, visibility, from }] of all) {
    if (storedIn === 'column' && !name.startsWith('payments ')) ok(column, name)
    const isKept = column !== undefined || from !== undefined || ['column', 'request', 'sealed'].includes(storedIn ?? 'nowhere')
    if (visibility === 'to all' || visibility === 'to the server') ok(isKept, name)
  }
})

test('a field that requests cannot contain has no check and no permission for browsers', () => {
  for (const [name, { shape, check, settableBy, requiredIn, effect }] of all)
    if (!shape) deepEqual([check, settableBy, requiredIn, effect], [undefined, undefined, undefined, undefined], name)
})
