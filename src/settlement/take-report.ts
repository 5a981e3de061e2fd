import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { settleBatches } from './batches.ts'
import { takeAccount } from './lease.ts'
import type { SettlementLine, UnreadLine } from './line.ts'
import { dropFile, finishLeft, postChunks } from './post.ts'
import { readReport } from './read-report.ts'
import { findMissingThere, rematch } from './rematch.ts'
import { type SettledAccount, type SettlementFile, settlementFiles } from './tables.ts'
import { AccountTaken } from './write.ts'

type Takes = Pick<Context, 'query' | 'commit' | 'now' | 'by' | 'random'>

/** Moves a file on; throws if a concurrent change was first. */
export async function moveFileOn(
  context: Takes,
  before: SettlementFile,
  more: Partial<SettlementFile>,
  type: string,
): Promise<SettlementFile> {
  const written = await context.commit(changeTo(context, settlementFiles.name, { before, after: { ...before, ...more } }, type))
  if (written.is === 'conflict') throw new AccountTaken('the file was changed meanwhile')
  return written.row as SettlementFile
}

/** Nothing is due any more. */
export const nothingDue = { work_at: null } as const

/**
 * Takes a report: what matches is posted, or nothing if the whole was asked for and a line differs. Then what the
 * report says of payouts is posted, earlier differences are matched again, and what the processor has not reported
 * is found. Throws `AccountTaken` while another report of the account is read. `compare`: only says what would be.
 */
export async function takeReport(
  context: Takes,
  account: SettledAccount,
  file: SettlementFile,
  reader: string,
  lines: AsyncIterable<SettlementLine | UnreadLine>,
  to: 'take' | 'compare' = 'take',
): Promise<SettlementFile> {
  const lease = await takeAccount(context, account)
  if (!lease) throw new AccountTaken('another report of this account is being read')
  const { file_id } = file
  const whole = file.mode === 'all or nothing' || to === 'compare'
  try {
    await finishLeft(context, account)
    if (whole) await dropFile(context, account, file_id)
    const { counts, examples } = await readReport({ context, account, file_id, lease, posts: !whole }, lines)
    let now = file
    if (to === 'compare' || (whole && counts.open > 0)) {
      await dropFile(context, account, file_id)
      const state = to === 'compare' ? 'discarded' : 'held'
      return await moveFileOn(context, now, { state, reader, counts, examples, finished_at: context.now(), ...nothingDue }, state)
    }
    if (whole) {
      now = await moveFileOn(context, now, { state: 'posting', reader, counts }, 'matched')
      await postChunks(context, account, file_id)
    }
    await settleBatches(context, account, file_id)
    await rematch(context, account, lease.closed_through)
    await findMissingThere(context, account)
    return await moveFileOn(
      context,
      now,
      { state: 'done', reader, counts, examples: null, finished_at: context.now(), ...nothingDue },
      'done',
    )
  } finally {
    await lease.release()
  }
}
