import { scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/verb.ts'
import { expiredAuthorizations, pollExpiredAuthorization } from './authorization/authorization-expiry.ts'
import { dueFollowUps, runFollowUp } from './authorization/follow-ups.ts'
import { captureScheduled, dueCaptures } from './scheduled/capture-when-due.ts'

/** The scheduled jobs of payments, each with its function. */
export const paymentJobs = {
  scheduledCapture: scheduledJob(dueCaptures, captureScheduled),
  endedHold: scheduledJob(expiredAuthorizations, pollExpiredAuthorization),
  followUps: scheduledJob(dueFollowUps, ({ context }: JobContext, job) => runFollowUp(context, job)),
}
