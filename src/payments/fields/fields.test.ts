import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { exportedFields } from '../../resources/read.ts'
import { members } from '../../show/members.ts'
import { payments } from '../payment.ts'
import { allFields, chapters, fields, paymentFields } from './all.ts'
import { progress } from './progress.ts'

/** Rules of the table of fields. */

test('a field stands in one chapter', () => {
  const names = Object.values(chapters).flatMap(chapter => Object.keys(chapter))
  deepEqual(names.toSorted(), Object.keys(fields).toSorted())
})

test('what is kept in a column has one of its name', () => {
  for (const [name, { kept }] of allFields) if (kept === 'column') ok(payments.names.includes(name), name)
})

test('what is shown as it is kept is kept, and what is shown from a column is one', () => {
  for (const [name, { kept, shown }] of allFields)
    if (shown === 'to all' || shown === 'to the server') ok(kept === 'column' || kept === 'request', name)
  for (const [name, { from }] of Object.entries(members)) {
    const column = from === 'column' ? name : typeof from === 'object' ? from.column : null
    if (column !== null) ok(payments.names.includes(column), name)
  }
})

test('what only describes is shown, for that is what it is for', () => {
  for (const [name, { does, shown }] of allFields) if (does === 'describes') ok(shown !== undefined, name)
})

test('a field that is not shown is no member of answers, and whoever is not the server sees none of what is for it alone', () => {
  for (const [name, { shown }] of allFields) {
    equal(Object.hasOwn(members, name), shown !== undefined, name)
    if (shown === 'to the server') equal(members[name]!.serverOnly, true, name)
  }
})

test('what becomes of a payment is said by no request, and what is exported is a member of answers', () => {
  for (const name of Object.keys(progress)) ok(!Object.hasOwn(fields, name), name)
  for (const name of exportedFields(paymentFields)) ok(Object.hasOwn(members, name), name)
})

test('a word that payments are listed by is in the column of its name, or made of the payment', () => {
  const { ids, facets } = payments.listed!
  for (const [name, word] of Object.entries({ ...ids, ...facets })) if (word === 'column') ok(payments.names.includes(name), name)
})
