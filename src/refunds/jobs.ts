import { scheduledJob } from '../database/due.ts'
import { refundAlarms, refundScheduled } from './scheduled.ts'

/** What falls due of refunds, with what is then done about it. */
export const refundJobs = {
  scheduledRefund: scheduledJob(refundAlarms, refundScheduled),
}
