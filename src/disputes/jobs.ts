import { scheduledJob } from '../database/due.ts'
import { disputeAlarms, lookAtDispute } from './look.ts'

/** What falls due of disputes, with what is then done about it. */
export const disputeJobs = {
  challengeDue: scheduledJob(disputeAlarms, lookAtDispute),
}
