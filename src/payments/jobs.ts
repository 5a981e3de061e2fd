import { scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/jobs.ts'
import { dueFollowUps, keepInTime } from './authorization/follow-ups.ts'
import { captureAlarms, captureScheduled } from './scheduled/capture-when-due.ts'

/** What falls due of payments, with what is then done about it. */
export const paymentJobs = {
  scheduledCapture: scheduledJob(captureAlarms, ({ context, services, settings }: JobContext, alarm) =>
    captureScheduled(context, services, settings, alarm),
  ),
  followUps: scheduledJob(dueFollowUps, ({ context }: JobContext, alarm) => keepInTime(context, alarm)),
}
