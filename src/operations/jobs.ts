import { scheduledJob } from '../database/due.ts'
import { operationPolls, pollOperation } from './poll.ts'
import { matchDispute, unmatchedDisputeJobs } from './unmatched-disputes.ts'

/** What falls due of operations, with what is then done about it. */
export const operationJobs = {
  poll: scheduledJob(operationPolls, pollOperation),
  unmatchedDispute: scheduledJob(unmatchedDisputeJobs, matchDispute),
}
