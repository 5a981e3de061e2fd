import { scheduledJob } from '../database/due.ts'
import { dueDisputes, lookAtDispute } from './look.ts'

export const disputeJobs = { challengeDue: scheduledJob(dueDisputes, lookAtDispute) }
