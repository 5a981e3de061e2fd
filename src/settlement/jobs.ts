import { createHash } from 'node:crypto'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { needAccount } from './account.ts'
import { takeBankStatement } from './bank.ts'
import { bytesOf, dropBytes, findFile } from './files.ts'
import { dueSettlementLooks, lookAtAccount } from './looks.ts'
import { moveFileOn, nothingDue } from './post.ts'
import type { GeneralForm } from './readers/general.ts'
import { openReport } from './readers/read-report.ts'
import { type SettlementFile, settlementFiles } from './tables.ts'
import { takeReport } from './take-report.ts'
import { AccountTaken } from './write.ts'

/** A million lines take about a minute. */
const LEASE_MS = 900_000
/** Reports of one account are read one after the other: when the next one looks again. */
const AGAIN_MS = 2_000

const dueFiles = claimed(settlementFiles, { when: 'work_at', lease_ms: LEASE_MS, gives: ['merchant_id', 'file_id'] })

/** Reads the bytes of a file, and says afterwards how many there were and what their digest is. */
function counted(bytes: AsyncIterable<Uint8Array>) {
  const digest = createHash('sha256')
  let size = 0
  async function* all() {
    for await (const part of bytes) {
      size += part.byteLength
      digest.update(part)
      yield part
    }
  }
  return { bytes: all(), seen: () => ({ size, digest: digest.copy().digest('hex') }) }
}

async function read(context: Context, file: SettlementFile): Promise<void> {
  const { merchant_id, merchant_connector_id } = file
  const { bytes, seen } = counted(bytesOf(context, file))
  const done = async (): Promise<SettlementFile> => {
    if (merchant_connector_id === '') return takeBankStatement(context, file, bytes)
    const account = await needAccount(context, merchant_id, merchant_connector_id)
    const form = (file.columns as GeneralForm | null) ?? undefined
    const { reader, lines } = await openReport(bytes, { connector: account.connector_name, ...(form && { form }) })
    return takeReport(context, account, file, reader?.name ?? 'none', lines)
  }
  const after = await done()
  await moveFileOn(context, after, seen(), 'read')
  if (after.state !== 'held') await dropBytes(context, after)
}

async function readDue(outer: Context, { merchant_id, file_id }: Pick<SettlementFile, 'merchant_id' | 'file_id'>): Promise<void> {
  const context = { ...outer, by: `settlement_file ${file_id}` }
  const file = await findFile(context, merchant_id, file_id)
  if (!file || file.work_at === null) return
  try {
    await read(context, file)
  } catch (error) {
    if (!(error instanceof AccountTaken)) throw error
    const now = await findFile(context, merchant_id, file_id)
    if (now) await moveFileOn(context, now, { ...nothingDue, work_at: later(context.now(), AGAIN_MS) }, 'waits')
  }
}

export const settlementJobs = {
  file: scheduledJob(dueFiles, ({ context }: { context: Context }, row) => readDue(context, row)),
  look: scheduledJob(dueSettlementLooks, lookAtAccount),
}
