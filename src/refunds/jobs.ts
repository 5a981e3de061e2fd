import { scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/jobs.ts'
import { refundAlarms, refundScheduled } from './scheduled.ts'

/** What falls due of refunds, with what is then done about it. */
export const refundJobs = {
  scheduledRefund: scheduledJob(refundAlarms, ({ context, services, settings }: JobContext, alarm) =>
    refundScheduled(context, services, settings, alarm),
  ),
}
