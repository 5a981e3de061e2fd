// Alone: the statements of the service, and none of other tests.
import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { moneyStatements, ofTheWholeDatabase } from '../../test/money-statements.ts'
import type { Change, Row } from '../context.ts'
import { type Operation, operations } from '../operations/operation.ts'
import { type Payment, payments } from '../payments/payment.ts'
import { payouts } from '../payouts/payout.ts'
import { refunds } from '../refunds/refund.ts'
import { fallsDue } from '../startup/jobs.ts'
import { vaultRecords, waitingCvcs } from '../vault/records.ts'
import { allStatements, statement } from './statement.ts'
import { openStatements } from './statements.ts'
import { exampleOf, tableNamed } from './table.ts'

/**
 * A rule: the first parameter of every statement on the rows of money is the merchant, so that the tables can be
 * spread over several databases by merchant. Settings are exempt: they are few, and found by the data of a request.
 */

/** Whether a statement has the merchant as its first parameter, and looks for every row by its merchant. */
function obeys(text: string): boolean {
  const inserted = /^insert into \w+( as \w+)? \(merchant_id,[^)]*\)\s*values \(\$1[,:]/.test(text)
  return inserted || /\bmerchant_id = \$1\b/.test(text)
}

test('every statement on a table of money has the merchant as its first parameter, except a known list', () => {
  const all = moneyStatements()
  ok(all.length >= 15, 'they are all here')
  deepEqual(
    all
      .filter(({ text }) => !obeys(text))
      .map(({ name }) => name)
      .sort(),
    ofTheWholeDatabase.toSorted(),
    'give the statement the merchant as $1; only if it is about all merchants, add its name to test/money-statements.ts',
  )
})

test('every change has the merchant as its first parameter, in all of its parts', () => {
  const statements = openStatements(() => '')
  const after = exampleOf(payments)
  const operation = exampleOf(operations, { kind: 'payment' })
  const claim = {
    merchant_id: 'x',
    key: 'k',
    scope: 's',
    digest: 'd',
    token: 't',
    claimed_at: '',
    stale_before: '',
    forget_at: '',
    answer: null,
  }
  const change = (before: Payment | null, more: object = {}) =>
    ({ head: 'payments', before, after, rows: [], event: { type: 'moved', announces: null }, by: 'somebody', ...more }) as Change
  const inserts = [operations, refunds, vaultRecords, waitingCvcs].map(table => ({
    table: table.name,
    before: null,
    after: table === operations ? operation : exampleOf(table),
  }))
  const later: Operation = { ...operation, state: 'done' }
  const shapes = [
    change(null),
    change(after),
    change(null, { rows: inserts, claim }),
    change(after, { rows: inserts, claim, event: { type: 'moved', announces: 'payment_succeeded' } }),
    change(after, {
      rows: [
        { table: 'processor_operations', before: operation, after: later },
        { table: 'waiting_cvcs', before: exampleOf(waitingCvcs), after: null },
      ],
    }),
  ]
  for (const shape of shapes) {
    const { statement, values } = statements.of(shape, 'e', 't')
    equal(values[0], 'x')
    deepEqual(
      statement.text.match(/merchant_id = (?!\$1\b)[^\s,)]+/g)?.filter(one => !/excluded|c\.merchant_id|coalesce/.test(one)) ?? [],
      [],
      statement.text,
    )
  }
})

const setsOf = (change: Change): string => /set (.*)/.exec(openStatements(() => '').of(change, 'e', 't').statement.text)![1]!

test('a change of a payment or payout updates only the altered columns; a change of a profile writes the whole row', () => {
  const move = (head: string, before: Row, more: Row) =>
    setsOf({ head, before, after: { ...before, ...more }, rows: [], event: { type: 'moved', announces: null }, by: 'caller' })
  const counted = 'version = version + 1'
  equal(move('payments', exampleOf(payments), {}), counted)
  equal(
    move('payments', exampleOf(payments), { status: 'failed', amount_received: 5 }),
    `${counted}, status = $4::payment_status, amount_received = $5::bigint`,
  )
  const expires = move('payouts', exampleOf(payouts), { expire_at: '2026-01-01T00:00:00.000Z' })
  equal(expires, `${counted}, expire_at = $4::timestamptz`)
  ok(move('profiles', exampleOf(tableNamed('profiles')), {}).split(', ').length > 3)
})

test('columns without a value are not sent with a new row, and a row with some of them is written whole', () => {
  const insertOf = (more: Partial<Payment>) =>
    openStatements(() => '').of(
      {
        head: 'payments',
        before: null,
        after: exampleOf(payments, more),
        rows: [],
        event: { type: 'created', announces: null },
        by: 'caller',
      },
      'e',
      't',
    )
  const fresh = insertOf({ refund_count: 0 })
  equal(/insert into payments \([^)]*facts/.test(fresh.statement.text), false)
  const filled = insertOf({ refund_count: 0, amount_received: 5, facts: {} })
  ok(/insert into payments \([^)]*amount_received[^)]*facts/.test(filled.statement.text))
  ok(filled.values.includes(5) && filled.values.length >= fresh.values.length + 12)
})

test('after some 400 shapes of update, a new shape writes all mutable columns', () => {
  const statements = openStatements(() => '')
  const before = exampleOf(payments)
  const columns = payments.mutable.filter(column => payments.columns[column as keyof Payment].is.sql === 'bigint')
  const statementFor = (altered: readonly string[]) => {
    const after = { ...before, ...Object.fromEntries(altered.map(column => [column, 7])) }
    return statements.of({ head: 'payments', before, after, rows: [], event: { type: 'moved', announces: null }, by: 'caller' }, 'e', 't')
      .statement
  }
  const names = new Set<string>()
  for (let set = 1; set < 1 << columns.length; set++) names.add(statementFor(columns.filter((_, i) => set & (1 << i))).name)
  ok(names.size <= 402, `${names.size} statements`)
  ok(
    statementFor(['amount', 'net_amount', 'amount_disputed', 'amount_refunded', 'amount_received']).text.includes('cancellation_reason = '),
  )
})

test('everything that falls due is claimed by the scheduler or the deliverer', () => {
  const looked = [...fallsDue.claimed, ...fallsDue.forgotten].map(({ statement }) => statement.name)
  const names = allStatements()
    .map(({ name }) => name)
    .filter(name => /^(claim|forget) /.test(name))
  ok(names.length >= 20, 'they are all here')
  deepEqual(
    names.filter(name => !looked.includes(name)),
    ['claim delivery_lines.due_at'],
  )
})

test('a change with a row of another merchant or another payment is refused', () => {
  const statements = openStatements(() => '')
  const after = exampleOf(payments)
  const of = (operation: Operation) => () =>
    statements.of(
      {
        head: 'payments',
        before: after,
        after,
        rows: [{ table: 'processor_operations', before: null, after: operation }],
        event: { type: 'moved', announces: null },
        by: 'somebody',
      },
      'e',
      't',
    )
  throws(of(exampleOf(operations, { kind: 'payment', merchant_id: 'another' })), /operations\.merchant_id is not that of the head/)
  throws(of(exampleOf(operations, { kind: 'payment', object_id: 'another' })), /operations\.object_id is not that of the head/)
  throws(of(exampleOf(operations, { kind: 'payout' })), /operations\.kind is not that of the head/)
  of(exampleOf(operations, { kind: 'payment' }))()
})

test('two statements never share a name: a connection would run the first for the second', () => {
  throws(() => statement('payment_by_id', 'select 1'), /two statements are called payment_by_id/)
})
