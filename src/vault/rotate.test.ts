import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { rotateUnderLoad } from '../../test/rotation.ts'
import { openPlace } from '../../test/shop.ts'
import { allTables } from '../database/table.ts'

test('a key rotation during reads and payments fails no request, and afterwards the old key decrypts nothing', async () => {
  const { sealedAnew, paid } = await rotateUnderLoad(25)
  ok(sealedAnew > 25 && paid >= 6)
})

test('every encrypted column declares the record name that it is encrypted under', async () => {
  await openPlace()
  const columns = allTables().flatMap(table =>
    Object.entries(table.columns).map(([name, { is }]) => ({ place: `${table.name}.${name}`, is })),
  )
  deepEqual(
    columns.filter(({ is }) => is.sql === 'bytea' && is.sealed.length === 0).map(({ place }) => place),
    [],
  )
})
