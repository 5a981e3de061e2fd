import { createHash } from 'node:crypto'
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
import { type Account, type FileState, partRecord, type SettlementFile, settlementFileParts, settlementFiles } from './tables.ts'
import { over, step } from './take-report.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** Bytes of a file that are sealed together. */
const PART = 1 << 20
/** The largest file, in bytes. */
export const LARGEST_FILE = 1 << 30
/** A file that is held, or whose upload broke off, is kept for so long. */
const KEPT_MS = 30 * 86_400_000

export const oldFileParts = forgotten(settlementFileParts, 'created', { after_ms: KEPT_MS })

const insertPart = statement(
  'settlement_file_part_kept',
  'insert into settlement_file_parts (merchant_id, file_id, n, sealed, created) values ($1, $2, $3, $4, $5)',
)
const partAt = statement(
  'settlement_file_part',
  'select sealed from settlement_file_parts where merchant_id = $1 and file_id = $2 and n = $3',
)
const dropParts = statement('settlement_file_parts_dropped', 'delete from settlement_file_parts where merchant_id = $1 and file_id = $2')
const byId = statement('settlement_file_by_id', select(settlementFiles, 'where merchant_id = $1 and file_id = $2'))

export type NewFile = Pick<SettlementFile, 'name' | 'mode' | 'reader' | 'columns' | 'by'>

/** `account`: null for a statement of the merchant's bank. `state`: `waiting` for a command that reads its file itself. */
export async function openFile(
  context: Pick<Context, 'commit' | 'now' | 'by' | 'random'>,
  merchant_id: string,
  account: Account | null,
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

async function* partsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const some of bytes) {
    waiting.push(some)
    size += some.length
    if (size < PART) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/** Keeps the bytes of a file as they arrive, and has it read once all are here. Refuses (IR_06) one that is too large. */
export async function receiveFile(
  context: Receives,
  merchant_id: string,
  account: Account | null,
  of: NewFile,
  bytes: AsyncIterable<Buffer>,
): Promise<SettlementFile> {
  const file = await openFile(context, merchant_id, account, of)
  const { file_id } = file
  const digest = createHash('sha256')
  let [n, size] = [0, 0]
  try {
    for await (const part of partsOf(bytes)) {
      size += part.length
      if (size > LARGEST_FILE) refuse('unreadable', { field: null, problem: `The file is larger than ${LARGEST_FILE} bytes` })
      digest.update(part)
      const sealed = context.vault.seal(merchant_id, partRecord(file_id, n), (await pack(part, { level: 1 })).toString('base64'))
      await context.query(insertPart, [merchant_id, file_id, n, sealed, context.now()])
      n++
    }
    if (size === 0) refuse('missing', { field: 'a file as the body' })
    return await step(context, file, { state: 'waiting', size, digest: digest.digest('hex'), work_at: context.now() }, 'received')
  } catch (error) {
    await context.query(dropParts, [merchant_id, file_id])
    await step(
      context,
      file,
      { state: 'failed', size, problem: 'The upload was interrupted or refused', finished_at: context.now() },
      'failed',
    )
    throw error
  }
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

/** Takes what matches of a file that was held, or discards it. Refuses (IR_16) a file that is not held. */
export async function decideFile(context: Receives, file: SettlementFile, to: 'take' | 'discard'): Promise<SettlementFile> {
  if (file.state !== 'held') refuse('precondition', { problem: `This file is ${file.state}: only a held file is taken or discarded` })
  if (to === 'take') return step(context, file, { state: 'waiting', mode: 'what matches', work_at: later(context.now(), 0) }, 'taken')
  await dropBytes(context, file)
  return step(context, file, { state: 'discarded', ...over }, 'discarded')
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

export type FilesAsk = { merchant_connector_id: string | null; state: string | null; after: string | null; limit: number }

export const listFiles = (
  context: Reads,
  merchant_id: string,
  ask: FilesAsk,
  profiles: readonly string[] | null,
): Promise<SettlementFile[]> =>
  context.query<SettlementFile>(listed, [merchant_id, ask.merchant_connector_id, profiles, ask.state, ask.after, ask.limit])
