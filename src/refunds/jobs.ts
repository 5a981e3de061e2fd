import { scheduledJob } from '../database/due.ts'
import { dueRefunds, refundScheduled } from './send-later.ts'

export const refundJobs = { scheduledRefund: scheduledJob(dueRefunds, refundScheduled) }
