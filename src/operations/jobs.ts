import { scheduledJob } from '../database/due.ts'
import { operationPolls, pollOperation } from './poll.ts'
import { matchDispute, unmatchedDisputeJobs } from './unmatched-disputes.ts'

/** The jobs of operations, each with the function that runs it. */
export const operationJobs = {
  poll: scheduledJob(operationPolls, pollOperation),
  unmatchedDispute: scheduledJob(unmatchedDisputeJobs, matchDispute),
}
