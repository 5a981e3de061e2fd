import { scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/verb.ts'
import { expirePayout, payoutSessions } from './expire.ts'

export const payoutJobs = {
  sessionEnd: scheduledJob(payoutSessions, ({ context }: Pick<JobContext, 'context'>, job) => expirePayout(context, job)),
}
