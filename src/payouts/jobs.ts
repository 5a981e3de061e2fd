import { scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/verb.ts'
import { expirePayout, payoutSessions } from './expire.ts'

/** What falls due of payouts, with what is then done about it. */
export const payoutJobs = {
  sessionEnd: scheduledJob(payoutSessions, ({ context }: Pick<JobContext, 'context'>, alarm) => expirePayout(context, alarm)),
}
