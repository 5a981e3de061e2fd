import type { Context } from '../context.ts'
import { scheduledJob } from '../database/due.ts'
import { blocklistWork, workOn } from './batch.ts'

export const guardJobs = { blocklistBatch: scheduledJob(blocklistWork, ({ context }: { context: Context }, row) => workOn(context, row)) }
