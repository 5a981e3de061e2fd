import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../context.ts'
import { exampleOf } from '../database/table.ts'
import { refunds } from '../refunds/refund.ts'
import { refundRoutes } from './routes/refunds.ts'

test('a refund whose request is answered at its deadline is answered with itself, not with another that was found there meanwhile', () => {
  const createRefund = refundRoutes.endpoints.find(({ name }) => name === 'createRefund')!
  const written = [null, 'external' as const].map((origin, n) => ({
    rows: [{ table: 'refunds', before: null, after: exampleOf(refunds, { refund_id: `ref_${n}`, origin }) }],
  }))
  equal(createRefund.partialResponse!({} as never, written as unknown as Change[])!.refund_id, 'ref_0')
})
