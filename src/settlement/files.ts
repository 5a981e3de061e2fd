import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { moveFileOn, nothingDue } from './post.ts'
import { type FileState, partRecord, type SettledAccount, type SettlementFile, settlementFileParts, settlementFiles } from './tables.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** Each is as large as a form may be (5 MiB). */
const MOST_PARTS = 200
/** A file that is held, or whose upload broke off, is kept for so long. */
const KEPT_MS = 30 * 86_400_000

export const oldFileParts = forgotten(settlementFileParts, 'created', { after_ms: KEPT_MS })

const insertPart = statement(
  'settlement_file_part_kept',
  'insert into settlement_file_parts (merchant_id, file_id, n, sealed, created) values ($1, $2, $3, $4, $5) on conflict do nothing',
)
const countParts = statement(
  'settlement_file_parts_counted',
  'select count(*)::int as parts from settlement_file_parts where merchant_id = $1 and file_id = $2',
)
const partAt = statement(
  'settlement_file_part',
  'select sealed from settlement_file_parts where merchant_id = $1 and file_id = $2 and n = $3',
)
const dropParts = statement('settlement_file_parts_dropped', 'delete from settlement_file_parts where merchant_id = $1 and file_id = $2')
const byId = statement('settlement_file_by_id', select(settlementFiles, 'where merchant_id = $1 and file_id = $2'))

type NewFile = Pick<SettlementFile, 'name' | 'mode' | 'reader' | 'columns' | 'by'>

/**
 * `account`: null for a statement of the merchant's bank. `state`: `waiting` for a command that reads its file
 * itself.
 */
export async function openFile(
  context: Pick<Context, 'commit' | 'now' | 'by' | 'random'>,
  merchant_id: string,
  account: SettledAccount | null,
  of: NewFile,
  state: FileState = 'receiving',
): Promise<SettlementFile> {
  const { profile_id = null, merchant_connector_id = '' } = account ?? {}
  const after: SettlementFile = {
    ...{ merchant_id, file_id: newId(context, 'stf_'), version: 1, profile_id, merchant_connector_id, ...of, state },
    ...{ size: 0, digest: null, counts: null, examples: null, problem: null, created: context.now(), finished_at: null, work_at: null },
  }
  await context.commit(changeTo(context, settlementFiles.name, { before: null, after }, 'created', { ownId: true }))
  return after
}

type Receives = Pick<Context, 'query' | 'commit' | 'now' | 'by' | 'random' | 'vault'>

/**
 * Keeps a part of a file: the next one. A part that is sent again is not kept twice. With the last one, the file is
 * read. Refuses (IR_16) another part, and a file that is complete.
 */
export async function addPart(context: Receives, file: SettlementFile, n: number, bytes: Buffer, last: boolean): Promise<SettlementFile> {
  const { merchant_id, file_id, state } = file
  if (state !== 'receiving') refuse('precondition', { problem: `This file is complete (${state})` })
  const [{ parts }] = (await context.query<{ parts: number }>(countParts, [merchant_id, file_id])) as [{ parts: number }]
  if (n > parts) refuse('precondition', { problem: `Part ${parts} of this file comes next, not part ${n}` })
  if (n >= MOST_PARTS)
    refuse('precondition', { problem: `A file has at most ${MOST_PARTS} parts; give larger ones to npm run ledger:reconcile` })
  if (n === parts) {
    const packed = (await pack(bytes, { level: 1 })).toString('base64')
    const sealed = context.vault.seal(merchant_id, partRecord(file_id, n), packed)
    await context.query(insertPart, [merchant_id, file_id, n, sealed, context.now()])
  }
  return last ? moveFileOn(context, file, { state: 'waiting', work_at: context.now() }, 'received') : file
}

/** Gives the bytes of a file that was received. */
export async function* bytesOf(
  context: Pick<Context, 'query' | 'vault'>,
  { merchant_id, file_id }: SettlementFile,
): AsyncGenerator<Buffer> {
  for (let n = 0; ; n++) {
    const [part] = await context.query<{ sealed: Buffer }>(partAt, [merchant_id, file_id, n])
    if (!part) return
    yield unpack(Buffer.from(context.vault.open(merchant_id, partRecord(file_id, n), part.sealed), 'base64'))
  }
}

/** The bytes are not needed any more. */
export const dropBytes = async (context: Reads, { merchant_id, file_id }: SettlementFile): Promise<void> =>
  void (await context.query(dropParts, [merchant_id, file_id]))

export const findFile = async (context: Reads, merchant_id: string, file_id: string): Promise<SettlementFile | undefined> =>
  (await context.query<SettlementFile>(byId, [merchant_id, file_id]))[0]

/** Refuses (HE_02) an unknown file, and one of a profile that the caller does not see. */
export async function needSettlementFile(
  context: Reads,
  merchant_id: string,
  file_id: string,
  profiles: readonly string[] | null,
): Promise<SettlementFile> {
  const found = await findFile(context, merchant_id, file_id)
  const isSeen = found && (profiles === null || (found.profile_id !== null && profiles.includes(found.profile_id)))
  return isSeen ? found : refuse('not_found', { what: 'settlement file', id: file_id })
}

/** Takes what matches of a file that was held, or discards it. Refuses (IR_16) a file that is not held. */
export async function decideFile(context: Receives, file: SettlementFile, to: 'take' | 'discard'): Promise<SettlementFile> {
  if (file.state !== 'held') refuse('precondition', { problem: `This file is ${file.state}: only a held file is taken or discarded` })
  if (to === 'take') return moveFileOn(context, file, { state: 'waiting', mode: 'what matches', work_at: later(context.now(), 0) }, 'taken')
  await dropBytes(context, file)
  return moveFileOn(context, file, { state: 'discarded', ...nothingDue }, 'discarded')
}

const listed = statement(
  'settlement_files_listed',
  select(
    settlementFiles,
    `where merchant_id = $1 and ($2::text is null or merchant_connector_id = $2) and ($3::text[] is null or profile_id = any($3))
      and ($4::text is null or state = $4)
      and ($5::text is null or (created, file_id) < (select x.created, x.file_id from settlement_files x where x.merchant_id = $1 and x.file_id = $5))
      order by created desc, file_id desc limit $6`,
  ),
)

type FilesAsk = { merchant_connector_id: string | null; state: string | null; after: string | null; limit: number }

export const listFiles = (
  context: Reads,
  merchant_id: string,
  ask: FilesAsk,
  profiles: readonly string[] | null,
): Promise<SettlementFile[]> =>
  context.query<SettlementFile>(listed, [merchant_id, ask.merchant_connector_id, profiles, ask.state, ask.after, ask.limit])
