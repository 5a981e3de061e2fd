import { deepEqual, equal } from 'node:assert/strict'
import { type Grid, statesOf } from '../src/base/lifecycle.ts'
import { isRefused } from './refused.ts'
import type { Answer, Body, Shop } from './shop.ts'

/**
 * The requests of a merchant for a resource, by operation: path, a body that would be valid, and the refusal in a
 * status that does not allow the operation.
 */
export type Asks<Name extends string> = Record<
  Name,
  { path(id: string): string; body(id: string): Body; code: string; status?: number; method?: 'POST' | 'PUT' }
>

/**
 * Verifies every combination of operation and status: puts one row into each status of its lifecycle, and requests
 * each operation that the table beside the grid does not allow in this status. Each request must be refused because of
 * the status, and the row must not change.
 */
export async function refusedByStatus<Name extends string>(
  shop: Pick<Shop, 'query' | 'call' | 'merchant_id'>,
  {
    table,
    key,
    id,
    grid,
    asks,
    allowedStatuses,
  }: { table: string; key: string; id: string; grid: Grid; asks: Asks<Name>; allowedStatuses: Record<Name, readonly string[]> },
): Promise<void> {
  const names = Object.keys(asks) as Name[]
  const row = () => shop.query(`select * from ${table} where merchant_id = $1 and ${key} = $2`, [shop.merchant_id, id])
  let refused = 0
  for (const status of statesOf(grid)) {
    await shop.query(`update ${table} set status = $3 where merchant_id = $1 and ${key} = $2`, [shop.merchant_id, id, status])
    const before = await row()
    for (const name of names) {
      if (allowedStatuses[name].includes(status)) continue
      const { path, body, code, status: answered = 400, method = 'POST' } = asks[name]
      isRefused((await shop.call(method, path(id), body(id))) as Answer, answered, code)
      refused++
    }
    deepEqual(await row(), before, status)
  }
  const allowed = names.reduce((sum, name) => sum + new Set(allowedStatuses[name]).size, 0)
  equal(refused + allowed, names.length * statesOf(grid).length, 'no hole')
}
