import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import '../service.ts'
import { operations } from '../operations/operation.ts'
import { payments } from '../payments/payment.ts'
import { refunds } from '../refunds/refund.ts'
import { waitingCvcs } from '../vault/records.ts'
import { type Claim, type ClaimedChange, headTable } from './change.ts'
import { forMany, forOne } from './sql.ts'
import { claimGate, guardOf, headBody, outboxPart, rowGate, rowPart, settingsParts, unlessGate } from './statement-parts.ts'
import { openValues, param } from './statement-values.ts'
import { exampleOf } from './table.ts'

const payment = exampleOf(payments)
const operation = exampleOf(operations, { kind: 'payment' })
const change = (more: Partial<ClaimedChange> = {}): ClaimedChange => ({
  ...{ head: 'payments', before: payment, after: payment, rows: [], event: { type: 'moved', announces: null }, by: 'somebody' },
  ...more,
})
const valuesOf = (more: Partial<ClaimedChange> = {}) => openValues(change(more), headTable({ head: 'payments' }), [], ['status'], false)

test('the first two parameters of every statement are the merchant and the id of the changed object', () => {
  const values = valuesOf()
  equal(forOne([values.merchant, ' ', values.id]), '$1::text $2::text')
  const all: unknown[] = []
  for (const put of values.puts) put(all, { change: change() } as never)
  equal(all.join(), `${payment.merchant_id},${payment.payment_id}`)
})

test('a row is updated only from the version that was read, and only if its conditions hold', () => {
  const values = valuesOf()
  const body = headBody(values, guardOf(values), ['exists (select from k)'], 'version')
  const where =
    'where payments.merchant_id = $1::text and payments.payment_id = $2::text and payments.version = $3::int and exists (select from k) returning version'
  match(forOne(body), /^update payments set version = version \+ 1, status = \$4::payment_status/)
  equal(forOne(body).endsWith(where), true, forOne(body))
  match(
    forMany(body, 'i'),
    /\n {2}from i where payments\.merchant_id = i\.p1 and payments\.payment_id = i\.p2 and payments\.version = i\.p3 and /,
  )
})

test('in a statement for many, each change claims its own Idempotency-Key, and is written only if that succeeded', () => {
  const { part, holds } = claimGate(valuesOf({ claim: { answer: null } as Claim }))
  equal(forOne(holds), 'exists (select from k)')
  equal(forMany(holds, 'i'), 'exists (select from k where k.merchant_id = i.p3 and k.key = i.p4)')
  match(forOne(part!.body), /c\.claimed_at < \$12::timestamptz\)/)
  match(forMany(part!.body, 'i'), /c\.claimed_at < \(select i\.p12 from i where i\.p3 = c\.merchant_id and i\.p4 = c\.key\)\)/)
})

test('a row whose key the caller chose is inserted only if the guard and the earlier conditions hold', () => {
  const values = valuesOf({ rows: [{ table: 'refunds', before: null, after: exampleOf(refunds) }] })
  const { part, holds } = rowGate(values, 0, 'g1', 'the guard and the gates')
  match(forOne(part!.body), /\n {2}from payments where the guard and the gates for update on conflict do nothing returning 1$/)
  equal(forOne(holds), 'exists (select from g1)')
})

test('a row that must not have an expiry time is looked up by its key', () => {
  const unless = { table: 'waiting_cvcs', key: exampleOf(waitingCvcs), column: 'expires_at' }
  equal(
    forOne(unlessGate(valuesOf({ unless })).holds),
    'not exists (select from waiting_cvcs where waiting_cvcs.merchant_id = $1::text and waiting_cvcs.payment_id = $2::text and expires_at is not null)',
  )
})

test('a related row is found by its key, also in a statement for many changes', () => {
  const after = { ...operation, state: 'done' as const }
  const body = rowPart(valuesOf({ rows: [{ table: 'processor_operations', before: operation, after }] }), 0).body
  const key = (kind: string, n: string) => `processor_operations.kind = ${kind} and processor_operations.object_id = ${n}`
  match(forOne(body), new RegExp(` from h where .*${key("'payment'", '\\$2::text').replaceAll('.', '\\.')}`))
  match(forMany(body, 'h'), new RegExp(` from h where .*${key('h.kind', 'h.p2').replaceAll('.', '\\.')}`))
  const gone = rowPart(valuesOf({ rows: [{ table: 'waiting_cvcs', before: exampleOf(waitingCvcs), after: null }] }), 0)
  equal(
    forOne(gone.body),
    'delete from waiting_cvcs using h where waiting_cvcs.merchant_id = $1::text and waiting_cvcs.payment_id = $2::text',
  )
})

test('the outbox row of a change is built from its updated row', () => {
  const values = valuesOf()
  const created = param(values, 'timestamptz', s => s.created)
  const selected = "select $1::text, 'payment', $2::text, h.version, $3::timestamptz from h"
  equal(forOne(outboxPart(values, created).body), `insert into outbox (merchant_id, kind, object_id, version, created) ${selected}`)
  equal(
    settingsParts(values)
      .map(({ name }) => name)
      .join(),
    's,w,f',
  )
})
