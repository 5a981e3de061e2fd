import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { settleBatches } from './batches.ts'
import { dropFile, moveFileOn, postChunks } from './post.ts'
import { type SettledAccount, type SettlementFile, settlementFiles } from './tables.ts'

/** The files of which lines are stored, and whose reading has not come to its end. */
const left = statement(
  'settlement_files_left',
  select(
    settlementFiles,
    `where merchant_id = $1 and merchant_connector_id = $2 and state in ('waiting', 'posting')
      and (exists (select from settlement_chunks c where c.merchant_id = $1 and c.file_id = settlement_files.file_id)
        or exists (select from settlement_batch_parts p where p.merchant_id = $1 and p.file_id = settlement_files.file_id))
      order by created, file_id`,
  ),
)

/**
 * Completes what processes that died have left: what was to be posted is posted, with what was paid out, and
 * the rest is taken back. A file that no job reads again has failed. `file_id`: the file that is read now.
 */
export async function finishLeft(
  context: Pick<Context, 'query' | 'commit' | 'now' | 'by'>,
  account: SettledAccount,
  file_id: string | null = null,
): Promise<void> {
  for (const file of await context.query<SettlementFile>(left, [account.merchant_id, account.merchant_connector_id])) {
    if (file.mode === 'what matches' || file.state === 'posting') {
      await postChunks(context, account, file.file_id)
      await settleBatches(context, account, file.file_id)
    } else await dropFile(context, account, file.file_id)
    const problem = 'The process that read it ended before the end of the file: read it again'
    if (file.work_at === null && file.file_id !== file_id)
      await moveFileOn(context, file, { state: 'failed', problem, finished_at: context.now() }, 'failed')
  }
}
