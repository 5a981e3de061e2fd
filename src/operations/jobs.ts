import { scheduledJob } from '../database/due.ts'
import { operationPolls, pollOperation } from './poll.ts'
import { matchDispute, unmatchedDisputeJobs } from './unmatched-disputes.ts'

export const operationJobs = {
  poll: scheduledJob(operationPolls, pollOperation),
  unmatchedDispute: scheduledJob(unmatchedDisputeJobs, matchDispute),
}
