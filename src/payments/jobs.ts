import { scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/verb.ts'
import { dueFollowUps, keepInTime } from './authorization/follow-ups.ts'
import { captureAlarms, captureScheduled } from './scheduled/capture-when-due.ts'

/** What falls due of payments, with what is then done about it. */
export const paymentJobs = {
  scheduledCapture: scheduledJob(captureAlarms, captureScheduled),
  followUps: scheduledJob(dueFollowUps, ({ context }: JobContext, alarm) => keepInTime(context, alarm)),
}
