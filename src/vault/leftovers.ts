import type { Context } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'

/**
 * What the vault's own process may hold that no row of ours stands for: written before a number is given to it, and
 * by a trigger with every row that lets go of one. Its alarm looks whether a row stands for it now; if none does, the
 * vault is told to forget it. So nothing that was deleted stays there, whatever dies in between.
 */
export const vaultLeftovers = table('vault_leftovers', {
  pointer: true,
  key: ['merchant_id', 'record'],
  columns: { merchant_id: text(), record: text(), forget_at: time().unrecorded() },
})

const LEASE_MS = 60_000

export const leftoverAlarms = claimed(vaultLeftovers, { when: 'forget_at', lease_ms: LEASE_MS, gives: ['merchant_id', 'record'] })

export const noteLeftover = statement(
  'note_vault_leftover',
  'insert into vault_leftovers (merchant_id, record, forget_at) values ($1, $2, $3)',
)
const isReferred = statement('vault_reference', 'select 1 from vault_records where merchant_id = $1 and record = $2 and sealed = $3')
const done = statement('vault_leftover_done', 'delete from vault_leftovers where merchant_id = $1 and record = $2')

/**
 * Tells the vault to forget what nobody stands for; one that somebody stands for is no leftover. `referenceOf`: what
 * the row would hold.
 */
export async function forgetLeftover(
  { query }: Pick<Context, 'query'>,
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
