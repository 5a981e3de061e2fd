import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { obeysTheLaws, wordsOf } from '../../test/laws.ts'
import { openPlace } from '../../test/shop.ts'
import { statesOf } from '../base/lifecycle.ts'
import { refundLifecycle } from './refund.ts'

// A refund that was given up or has failed may still turn out to have happened: then a person looks (`review`), who may hear the truth.
obeysTheLaws({ name: 'a refund', grid: refundLifecycle, begins: ['pending'], rests: ['failed', 'review'] })

test('the database knows the statuses of the grid, all of them and no other', async () => {
  const { query } = await openPlace()
  deepEqual((await wordsOf(query, 'refunds', 'status')).sort(), statesOf(refundLifecycle).sort())
})
