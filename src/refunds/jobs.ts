import { scheduledJob } from '../database/due.ts'
import { dueRefunds, refundScheduled } from './send-later.ts'

/** The scheduled jobs of refunds, each with its function. */
export const refundJobs = {
  scheduledRefund: scheduledJob(dueRefunds, refundScheduled),
}
