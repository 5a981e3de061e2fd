import type { Context, Posting } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { settlements } from '../database/ledger.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Chunk, type SettledAccount, type SettlementFile, settlementChunks, settlementFiles } from './tables.ts'
import { AccountTaken } from './write.ts'

export type Writes = Pick<Context, 'query' | 'commit' | 'now' | 'by'>

/** Returns a posting at an account; undefined if nothing moves. */
export function posting(
  { profile_id, merchant_connector_id }: SettledAccount,
  currency: string,
  entries: Record<string, number>,
): Posting | undefined {
  if (Object.keys(entries).length === 0) return undefined
  return { request_id: null, profile_id, merchant_connector_id, currency, entries }
}

/** Posts what a chunk moves. Its id follows from the chunk: so it is posted once, by any number of tries. */
async function postChunk(context: Writes, account: SettledAccount, chunk: Chunk): Promise<void> {
  const { merchant_id, merchant_connector_id, profile_id } = account
  const { settlement_id, currency, lines, gross, fee, net, file_id, day, entries } = chunk
  const after = {
    ...{ merchant_id, settlement_id, version: 1, profile_id, merchant_connector_id, currency, lines, gross, fee, net },
    ...{ created: context.now(), file_id, day },
  }
  const posts = posting(account, currency, entries)
  const rows = [{ table: settlementChunks.name, before: chunk, after: { ...chunk, posted: true } }]
  await context.commit(changeTo(context, settlements.name, { before: null, after }, 'settled', { posts, rows }))
}

const pending = statement(
  'settlement_chunks_pending',
  select(
    settlementChunks,
    'where merchant_id = $1 and merchant_connector_id = $2 and file_id = $3 and not posted order by n, day, currency',
  ),
)

export async function postChunks(context: Writes, account: SettledAccount, file_id: string): Promise<void> {
  const chunks = await context.query<Chunk>(pending, [account.merchant_id, account.merchant_connector_id, file_id])
  await Promise.all(chunks.map(chunk => postChunk(context, account, chunk)))
}

const drop = statement(
  'settlement_drop_lines',
  `with part as (select identity, n from settlement_lines where merchant_id = $1 and merchant_connector_id = $2 and file_id = $3 and posted_by is null
      order by at limit 5000),
    gone as (delete from settlement_lines l using part where l.merchant_id = $1 and l.merchant_connector_id = $2 and l.identity = part.identity and l.n = part.n)
  select count(*)::int as dropped from part`,
)
const dropRest = statement(
  'settlement_drop_rest',
  `with c as (delete from settlement_chunks where merchant_id = $1 and file_id = $3 and merchant_connector_id = $2),
    p as (delete from settlement_batch_parts where merchant_id = $1 and merchant_connector_id = $2 and file_id = $3),
    b as (update settlement_lines set batch = null, paid_by = null where merchant_id = $1 and merchant_connector_id = $2 and paid_by = $3)
  delete from settlement_differences where merchant_id = $1 and merchant_connector_id = $2 and file_id = $3 and state = 'open'`,
)

/** Takes back what a file has stored and not posted, as if it had never been read. */
export async function dropFile(
  context: Pick<Context, 'query'>,
  { merchant_id, merchant_connector_id }: SettledAccount,
  file_id: string,
): Promise<void> {
  const values = [merchant_id, merchant_connector_id, file_id]
  for (;;) if ((await context.query<{ dropped: number }>(drop, values))[0]!.dropped === 0) break
  await context.query(dropRest, values)
}

/** Moves a file on; throws if a concurrent change was first. */
export async function moveFileOn(
  context: Pick<Context, 'commit' | 'by'>,
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
