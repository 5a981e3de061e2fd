import { scheduledJob } from '../database/due.ts'
import { lookAtParked, parkedJobs } from './parked.ts'
import { operationPolls, pollOperation } from './poll.ts'

/** What falls due of operations, with what is then done about it. */
export const operationJobs = {
  poll: scheduledJob(operationPolls, pollOperation),
  parkedDispute: scheduledJob(parkedJobs, lookAtParked),
}
