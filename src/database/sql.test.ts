import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { forMany, forOne, joined, type SqlParam, sql } from './sql.ts'

const merchant: SqlParam = { at: 0, type: 'text' }
const amount: SqlParam = { at: 11, type: 'bigint' }

test('a value is a parameter of the statement for one change, and a column of the statement for many', () => {
  const piece = sql`update things set amount = ${amount} where merchant_id = ${merchant}`
  equal(forOne(piece), 'update things set amount = $12::bigint where merchant_id = $1::text')
  equal(forMany(piece, 'i'), 'update things set amount = i.p12 where merchant_id = i.p1')
  equal(forMany(piece, 'h'), 'update things set amount = h.p12 where merchant_id = h.p1')
})

test('a fragment may differ for one change and for many, with values of its own', () => {
  const from = { one: '', many: sql` from i where i.owner = ${merchant}` }
  const piece = sql`select ${joined([merchant, "'$1::text'", amount], ', ')}${from}`
  equal(forOne(piece), "select $1::text, '$1::text', $12::bigint")
  equal(forMany(piece, 'i'), "select i.p1, '$1::text', i.p12 from i where i.owner = i.p1", 'and a text is left as it is')
})

test('joining no fragments gives no text', () => {
  equal(forOne(joined([], ', ')), '')
})
