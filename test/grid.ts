import { deepEqual, equal } from 'node:assert/strict'
import { type Grid, statesOf } from '../src/base/lifecycle.ts'
import { isRefused } from './refused.ts'
import type { Answer, Body, Shop } from './shop.ts'

/** What a merchant may ask of something, by the name of the operation: a body that would do, and how it is refused. */
export type Asks<Name extends string> = Record<
  Name,
  { path(id: string): string; body(id: string): Body; code: string; status?: number; method?: 'POST' | 'PUT' }
>

/**
 * Operation × status, generated: puts one thing into each status of its lifecycle and asks for everything that the
 * table beside the grid does not welcome there. It is refused by the status, and nothing happens.
 */
export async function refusedByStatus<Name extends string>(
  shop: Pick<Shop, 'query' | 'call' | 'merchant_id'>,
  {
    table,
    key,
    id,
    grid,
    asks,
    welcomes,
  }: { table: string; key: string; id: string; grid: Grid; asks: Asks<Name>; welcomes: Record<Name, readonly string[]> },
): Promise<void> {
  const names = Object.keys(asks) as Name[]
  const row = () => shop.query(`select * from ${table} where merchant_id = $1 and ${key} = $2`, [shop.merchant_id, id])
  let refused = 0
  for (const status of statesOf(grid)) {
    await shop.query(`update ${table} set status = $3 where merchant_id = $1 and ${key} = $2`, [shop.merchant_id, id, status])
    const before = await row()
    for (const name of names) {
      if (welcomes[name].includes(status)) continue
      const { path, body, code, status: answered = 400, method = 'POST' } = asks[name]
      isRefused((await shop.call(method, path(id), body(id))) as Answer, answered, code)
      refused++
    }
    deepEqual(await row(), before, status)
  }
  const welcomed = names.reduce((sum, name) => sum + new Set(welcomes[name]).size, 0)
  equal(refused + welcomed, names.length * statesOf(grid).length, 'no hole')
}
