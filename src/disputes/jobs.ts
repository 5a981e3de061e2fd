import { scheduledJob } from '../database/due.ts'
import { disputeAlarms, lookAtDispute } from './look.ts'

/** The scheduled jobs of disputes. */
export const disputeJobs = {
  challengeDue: scheduledJob(disputeAlarms, lookAtDispute),
}
