import { scheduledJob } from '../database/due.ts'
import { refundAlarms, refundScheduled } from './scheduled.ts'

/** The scheduled jobs of refunds, each with its function. */
export const refundJobs = {
  scheduledRefund: scheduledJob(refundAlarms, refundScheduled),
}
