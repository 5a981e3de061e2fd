import type { Context } from '../context.ts'
import { scheduledJob } from '../database/due.ts'
import { blocklistWork, workOn } from './batch.ts'

/** What falls due of the blocklist, with what is then done about it. */
export const guardJobs = {
  blocklistBatch: scheduledJob(blocklistWork, ({ context }: { context: Context }, alarm) => workOn(context, alarm)),
}
