import type { Settings } from '../accounts/settings.ts'
import type { Context } from '../context.ts'
import { scheduledJob } from '../database/due.ts'
import { lookAtParked, parkedJobs } from './parked.ts'
import { operationPolls, pollOperation } from './poll.ts'
import type { Engine } from './verb.ts'

/** What a job is done with: the context of alarms, what operations need, and the settings of merchants. */
export type JobContext = { context: Context; services: Engine; settings: Settings }

/** What falls due of operations, with what is then done about it. */
export const operationJobs = {
  poll: scheduledJob(operationPolls, ({ context, services, settings }: JobContext, alarm) =>
    pollOperation(context, services, settings, alarm),
  ),
  parkedDispute: scheduledJob(parkedJobs, ({ context, services, settings }: JobContext, alarm) =>
    lookAtParked(context, services, settings, alarm),
  ),
}
