import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { rotateUnderLoad } from '../../test/rotation.ts'
import { openPlace } from '../../test/shop.ts'
import { allTables } from '../database/table.ts'

test('a new key while cards are read and payments run: nothing fails, and the old key opens nothing afterwards', async () => {
  const { sealedAnew, paid } = await rotateUnderLoad(25)
  ok(sealedAnew > 25 && paid >= 6)
})

test('every column of sealed bytes says under which name', async () => {
  await openPlace()
  const columns = allTables().flatMap(table =>
    Object.entries(table.columns).map(([name, { is }]) => ({ place: `${table.name}.${name}`, is })),
  )
  deepEqual(
    columns.filter(({ is }) => is.sql === 'bytea' && is.sealed.length === 0).map(({ place }) => place),
    [],
  )
})
