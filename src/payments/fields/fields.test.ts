import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { exportedFields } from '../../resources/read.ts'
import { members } from '../../show/members.ts'
import { payments } from '../payment.ts'
import { allFields, chapters, fields, paymentFields } from './all.ts'
import { progress } from './progress.ts'

/** Rules of the table of fields. */

test('each payment field belongs to exactly one chapter', () => {
  const names = Object.values(chapters).flatMap(chapter => Object.keys(chapter))
  deepEqual(names.toSorted(), Object.keys(fields).toSorted())
})

test('each field that is stored in a column has a column of its name', () => {
  for (const [name, { storedIn }] of allFields) if (storedIn === 'column') ok(payments.names.includes(name), name)
})

test('each field that responses show unchanged is stored, and each response member from a column has that column', () => {
  for (const [name, { storedIn, visibility }] of allFields)
    if (visibility === 'to all' || visibility === 'to the server') ok(storedIn === 'column' || storedIn === 'request', name)
  for (const [name, { from }] of Object.entries(members)) {
    const column = from === 'column' ? name : typeof from === 'object' ? from.column : null
    if (column !== null) ok(payments.names.includes(column), name)
  }
})

test('each field that only describes the payment is shown in responses', () => {
  for (const [name, { effect, visibility }] of allFields) if (effect === 'describes') ok(visibility !== undefined, name)
})

test('only fields that are shown are members of responses, and fields for the server are hidden from browsers', () => {
  for (const [name, { visibility }] of allFields) {
    equal(Object.hasOwn(members, name), visibility !== undefined, name)
    if (visibility === 'to the server') equal(members[name]!.serverOnly, true, name)
  }
})

test('progress fields cannot be set by requests, and each exported field is a member of responses', () => {
  for (const name of Object.keys(progress)) ok(!Object.hasOwn(fields, name), name)
  for (const name of exportedFields(paymentFields)) ok(Object.hasOwn(members, name), name)
})

test('each list filter that reads a column has a column of its name', () => {
  const { ids, facets } = payments.listed!
  for (const [name, word] of Object.entries({ ...ids, ...facets })) if (word === 'column') ok(payments.names.includes(name), name)
})
