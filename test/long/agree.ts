import { deepEqual } from 'node:assert/strict'
import type { Shop } from '../shop.ts'
import { type Accounts, readBooks } from './books.ts'
import type { ClientAnswer } from './clients.ts'
import { describeDifferences } from './history.ts'
import { judge } from './judge.ts'
import { judgeAnswers } from './judge-answers.ts'

/**
 * Verifies that all rows of the shop agree with the processor's ledger, in both directions, and with all answers of
 * the service. Call it when no job is left. Gives the numbers of payments and operations and the captured and
 * refunded amounts.
 */
export async function agree(shop: Pick<Shop, 'query' | 'merchant_id'> & Accounts, received: readonly ClientAnswer[] = []) {
  const books = await readBooks(shop.query, shop, shop.merchant_id)
  deepEqual(describeDifferences([...judge(books), ...judgeAnswers(books, received)], books, received), [])
  const sum = (of: 'captured' | 'refunded') => books.ledger.charges.reduce((total, charge) => total + charge[of], 0)
  return { payments: books.payments.size, operations: books.ours.size, captured: sum('captured'), refunded: sum('refunded') }
}
