import type { Reads } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'

/**
 * Records of the vault process that may have no row here: written before a number is sent there, and by a trigger with
 * every row that drops one. The vault deletes those without a row, no matter which process dies in between.
 */
const orphanedRecords = table('orphaned_records', {
  pointer: true,
  key: ['merchant_id', 'record'],
  columns: { merchant_id: text(), record: text(), forget_at: time().unrecorded() },
})

const LEASE_MS = 60_000

export const orphanJobs = claimed(orphanedRecords, { when: 'forget_at', lease_ms: LEASE_MS, gives: ['merchant_id', 'record'] })

export const noteOrphan = statement(
  'note_orphaned_record',
  'insert into orphaned_records (merchant_id, record, forget_at) values ($1, $2, $3)',
)
const isReferred = statement('vault_reference', 'select 1 from vault_records where merchant_id = $1 and record = $2 and sealed = $3')
const done = statement('orphaned_record_done', 'delete from orphaned_records where merchant_id = $1 and record = $2')

/** `referenceOf`: the content of a row that refers to the record. */
export async function forgetOrphan(
  { query }: Reads,
  { merchant_id, record }: { merchant_id: string; record: string },
  {
    referenceOf,
    forget,
  }: { referenceOf(record: string): { row: string; kept: Buffer }; forget(merchant_id: string, record: string): Promise<void> },
): Promise<void> {
  const { row, kept } = referenceOf(record)
  if ((await query(isReferred, [merchant_id, row, kept])).length === 0) await forget(merchant_id, record)
  await query(done, [merchant_id, record])
}
