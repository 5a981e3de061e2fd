import { statement } from '../database/statement.ts'
import type { World } from '../world.ts'
import { type Method, methodRecord } from './method.ts'

const sealedNumber = statement('sealed_number_of_method', 'select sealed from vault_records where merchant_id = $1 and record = $2')

/** The number of a saved card, out of the vault; null if none is kept. */
export async function findSealedNumber(world: Pick<World, 'query' | 'vault'>, method: Method): Promise<string | null> {
  const record = methodRecord(method)
  const [row] = await world.query<{ sealed: Buffer }>(sealedNumber, [method.merchant_id, record])
  return row ? world.vault.open(method.merchant_id, record, row.sealed) : null
}
