import Type from 'typebox'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import { later } from '../base/time.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { count, int, json, type RowOf, select, table, text, time } from '../database/table.ts'
import { entryIdOf, findEntries, newEntry, write } from './blocklist.ts'
import type { BlocklistLine } from './csv.ts'

/** Files for the blocklist (contract 6.8): accepted at once, processed in parts by the scheduler of any process. */

const statuses = ['initiated', 'processing', 'completed', 'failed'] as const

const blocklistBatches = table('blocklist_batches', {
  kind: 'blocklist_batch',
  key: ['merchant_id', 'job_id'],
  columns: {
    merchant_id: text(),
    job_id: text(),
    version: count(1),
    status: text<(typeof statuses)[number]>('initiated'),
    total_rows: int().fixed(),
    succeeded_rows: int(),
    failed_rows: int(),
    /** Null once they are blocked. */
    entries: json<BlocklistLine[]>().orNull().unrecorded(),
    created_at: time().fixed(),
    updated_at: time(),
    work_at: time().orNull().unrecorded(),
  },
})
type BlocklistBatch = RowOf<typeof blocklistBatches>

export const batchStatuses = [...statuses]

const blocklistWork = claimed(blocklistBatches, { when: 'work_at', gives: ['merchant_id', 'job_id'] })

export const batchesQuery = strictObject({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 10' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})

/** The entries may be long. */
const shown = blocklistBatches.names.filter(name => name !== 'entries').join(', ')
const byId = statement('blocklist_batch_by_id', select(blocklistBatches, 'where merchant_id = $1 and job_id = $2'))
const seenById = statement('blocklist_batch_seen', `select ${shown} from blocklist_batches where merchant_id = $1 and job_id = $2`)
const latest = statement(
  'blocklist_batches_of_merchant',
  `select ${shown} from blocklist_batches where merchant_id = $1 order by created_at desc, job_id desc limit $2 offset $3`,
)
const counted = statement('blocklist_batches_counted', 'select count(*)::int as total_count from blocklist_batches where merchant_id = $1')

export type Batch = Omit<BlocklistBatch, 'entries'>
type Show = (batch: Batch) => unknown

export async function takeBatch(context: Context, merchant_id: string, entries: BlocklistLine[]): Promise<Batch> {
  const created_at = context.now()
  const after: BlocklistBatch = {
    merchant_id,
    job_id: newId(context, 'blkbatch_'),
    version: 1,
    status: 'initiated',
    total_rows: entries.length,
    succeeded_rows: 0,
    failed_rows: 0,
    entries,
    created_at,
    updated_at: created_at,
    work_at: created_at,
  }
  await context.commit(changeTo(context, blocklistBatches.name, { before: null, after }, 'created', { ownId: true }))
  return after
}

export const needBatch = async (context: Reads, merchant_id: string, job_id: string): Promise<Batch> =>
  (await context.query<Batch>(seenById, [merchant_id, job_id]))[0] ?? refuse('unknown', { what: 'blocklist batch' })

/** The latest first. `count`: the number of files on this page. */
export async function listBatches(context: Context, merchant_id: string, ask: Type.Static<typeof batchesQuery>, show: Show) {
  const { limit = 10, offset = 0 } = ask
  const [batches, [all]] = await Promise.all([
    context.query<Batch>(latest, [merchant_id, limit, offset]),
    context.query<{ total_count: number }>(counted, [merchant_id]),
  ])
  return { count: batches.length, total_count: all!.total_count, data: batches.map(show) }
}

/** Lines in one part: a part is done well within the lease of the claim. */
const PART = 500

/** If a part is begun again (the process died), lines that are already blocked count as done. */
async function workOn(context: Context, { merchant_id, job_id }: Pick<BlocklistBatch, 'merchant_id' | 'job_id'>): Promise<void> {
  const [before] = await context.query<BlocklistBatch>(byId, [merchant_id, job_id])
  if (!before?.entries) return
  const done = before.succeeded_rows + before.failed_rows
  const part = before.entries.slice(done, done + PART)
  const blocked = await blockAll({ ...context, by: `blocklist_batch ${job_id}` }, merchant_id, part)
  const over = done + part.length >= before.total_rows
  const now = context.now()
  const succeeded_rows = before.succeeded_rows + blocked
  const after: BlocklistBatch = {
    ...before,
    status: over ? (succeeded_rows === 0 ? 'failed' : 'completed') : 'processing',
    succeeded_rows,
    failed_rows: before.failed_rows + part.length - blocked,
    entries: over ? null : before.entries,
    updated_at: now,
    // The rest is processed at the next run.
    work_at: over ? null : later(now, 0),
  }
  await context.commit(changeTo(context, blocklistBatches.name, { before, after }, over ? 'completed' : 'went_on'))
}

/** Returns the number of lines that are blocked afterwards. */
async function blockAll(context: Context, merchant_id: string, part: readonly BlocklistLine[]): Promise<number> {
  const wanted = new Map(part.map(line => [entryIdOf(line), line]))
  const there = new Map((await findEntries(context, merchant_id, [...wanted.keys()])).map(entry => [entry.entry_id, entry]))
  const failed = new Set<string>()
  await Promise.all(
    [...wanted].map(async ([id, { data_kind, fingerprint_id, metadata }]) => {
      const before = there.get(id)
      if (before && !before.deleted) return
      const written = await write(context, before, newEntry(context, merchant_id, { data_kind, fingerprint_id }, before, metadata))
      // A concurrent request blocked or deleted the entry first, and its change stands.
      if (!written && !(await findEntries(context, merchant_id, [id])).some(entry => !entry.deleted)) failed.add(id)
    }),
  )
  return part.filter(line => !failed.has(entryIdOf(line))).length
}

export const guardJobs = { blocklistBatch: scheduledJob(blocklistWork, ({ context }: { context: Context }, row) => workOn(context, row)) }
