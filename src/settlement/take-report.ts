import { later, MINUTE_MS } from '../base/time.ts'
import type { Context } from '../context.ts'
import { settleBatches } from './batches.ts'
import { finishLeft } from './finish-left.ts'
import { takeAccount } from './lease.ts'
import type { SettlementLine, UnreadLine } from './line.ts'
import { lookBy } from './looks.ts'
import { dropFile, moveFileOn, nothingDue, postChunks } from './post.ts'
import { readReport } from './read-report.ts'
import { findMissingThere, rematch } from './rematch.ts'
import type { SettledAccount, SettlementFile } from './tables.ts'
import { AccountTaken } from './write.ts'

/** Reports that a process which died has left are completed by then. */
const ABANDONED_MS = 10 * MINUTE_MS
/** Another report may have by then what differs. */
const LOOK_AFTER_MS = MINUTE_MS

type Takes = Pick<Context, 'query' | 'commit' | 'now' | 'by' | 'random'>

/** A file of which no line can be read is another file than was meant: it leaves no differences. */
async function failed(
  context: Takes,
  account: SettledAccount,
  file: SettlementFile,
  reader: string,
  { counts, examples }: Pick<SettlementFile, 'counts' | 'examples'>,
): Promise<SettlementFile> {
  await dropFile(context, account, file.file_id)
  const problem = examples![0]!.text
  return moveFileOn(context, file, { state: 'failed', reader, counts, problem, finished_at: context.now(), ...nothingDue }, 'failed')
}

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
    if (to === 'take') await lookBy(context, account, later(context.now(), ABANDONED_MS))
    await finishLeft(context, account, file_id)
    if (whole) await dropFile(context, account, file_id)
    const { counts, examples } = await readReport({ context, account, file_id, lease, posts: !whole }, lines)
    let now = file
    if (counts.lines === 0 && counts.unread > 0) return await failed(context, account, file, reader, { counts, examples })
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
    await lookBy(context, account, later(context.now(), LOOK_AFTER_MS))
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
