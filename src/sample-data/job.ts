import Type from 'typebox'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { count, int, type RowOf, select, table, text, time } from '../database/table.ts'

/** Requested once, and created a part at a time by any process that is free (`work.ts`). */

export const sampleDataStatuses = ['initiated', 'processing', 'completed'] as const

export const sampleDataJobs = table('sample_data_jobs', {
  kind: 'sample_data_job',
  key: ['merchant_id', 'job_id'],
  columns: {
    merchant_id: text(),
    job_id: text(),
    version: count(1),
    status: text<(typeof sampleDataStatuses)[number]>('initiated'),
    payments: int().fixed(),
    days: int().fixed(),
    /** So far. Refused: no account takes them. */
    made: int(),
    refused: int(),
    created_at: time().fixed(),
    updated_at: time(),
    work_at: time().orNull().unrecorded(),
  },
})
export type SampleDataJob = RowOf<typeof sampleDataJobs>

export const sampleDataWork = claimed(sampleDataJobs, { when: 'work_at', gives: ['merchant_id', 'job_id'] })

export const sampleDataShape = strictObject({
  payments: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Default 1000' })),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, description: 'The payments are dated within so many days before now. Default 30' }),
  ),
})
export type SampleDataAsk = Type.Static<typeof sampleDataShape>

const byId = statement('sample_data_job_by_id', select(sampleDataJobs, 'where merchant_id = $1 and job_id = $2'))

export const findSampleData = async (
  context: Pick<Context, 'query'>,
  merchant_id: string,
  job_id: string,
): Promise<SampleDataJob | undefined> => (await context.query<SampleDataJob>(byId, [merchant_id, job_id]))[0]

export const needSampleData = async (context: Pick<Context, 'query'>, merchant_id: string, job_id: string): Promise<SampleDataJob> =>
  (await findSampleData(context, merchant_id, job_id)) ?? refuse('not_found', { what: 'sample data job' })

/** The work begins with the next tick. Refuses (IR_16) a deployment in live mode. */
export async function takeSampleData(
  context: Context,
  mode: 'test' | 'live',
  merchant_id: string,
  ask: SampleDataAsk,
): Promise<SampleDataJob> {
  if (mode !== 'test') refuse('precondition', { problem: 'Sample data can be created in test mode only' })
  const now = context.now()
  const after: SampleDataJob = {
    merchant_id,
    job_id: newId(context, 'sample_'),
    version: 1,
    status: 'initiated',
    payments: ask.payments ?? 1000,
    days: ask.days ?? 30,
    ...{ made: 0, refused: 0, created_at: now, updated_at: now, work_at: now },
  }
  await context.commit(changeTo(context, sampleDataJobs.name, { before: null, after }, 'created', { ownId: true }))
  return after
}
