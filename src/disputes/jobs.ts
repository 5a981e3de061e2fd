import { scheduledJob } from '../database/due.ts'
import { dueDisputes, lookAtDispute } from './look.ts'

/** The scheduled jobs of disputes. */
export const disputeJobs = {
  challengeDue: scheduledJob(dueDisputes, lookAtDispute),
}
