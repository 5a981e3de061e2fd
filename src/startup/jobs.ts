import { expiredEphemeralKeys } from '../accounts/ephemeral-keys.ts'
import { recountJob } from '../analytics/recounts.ts'
import { seal, unsealed } from '../audit/seal.ts'
import type { Context } from '../context.ts'
import { depthsOf, type ScheduledJob, scheduledJob } from '../database/due.ts'
import { oldIdempotencyKeys } from '../database/idempotency-keys.ts'
import { leftJobs } from '../database/jobs.ts'
import { oldDrafts } from '../disputes/draft.ts'
import { disputeJobs } from '../disputes/sync.ts'
import { unarchived } from '../events/archive.ts'
import { oldAnnouncements, oldDeliveries } from '../events/delivery.ts'
import { waitingLines } from '../events/delivery-queue.ts'
import { undispatched } from '../events/dispatch-outbox.ts'
import { oldListeners } from '../events/listener.ts'
import { unsunk } from '../events/sink.ts'
import { guardJobs } from '../guard/batch.ts'
import { oldFailures } from '../guard/card-testing-counters.ts'
import { approvalDue } from '../http/approval-requests.ts'
import type { Service } from '../http/endpoint.ts'
import { oldReturns } from '../operations/customer-return.ts'
import { oldExchanges } from '../operations/exchanges.ts'
import { operationJobs } from '../operations/jobs.ts'
import type { JobContext } from '../operations/verb.ts'
import { outsideJobs } from '../outside/looks.ts'
import { watchJob } from '../outside/watch.ts'
import { expiredTokens } from '../payment-methods/tokens.ts'
import { paymentJobs } from '../payments/jobs.ts'
import { oldExternalPayments } from '../payments/routing/external-payments.ts'
import type { Services } from '../payments/services.ts'
import { payoutJobs } from '../payouts/jobs.ts'
import { refundJobs } from '../refunds/send-later.ts'
import { type Chore, type JobHandler, timetable } from '../scheduler/scheduler.ts'
import { ageingJob } from '../settlement/ageing.ts'
import { fetchJob } from '../settlement/fetch.ts'
import { oldFileParts } from '../settlement/files.ts'
import { settlementJobs } from '../settlement/jobs.ts'
import { oldBreakers, oldCalls } from '../telemetry/account-health.ts'
import { oldRequestLogs } from '../telemetry/request-log.ts'
import { dueApprovals } from '../users/approvals.ts'
import { forgettings as ofPeople } from '../users/tables.ts'
import { vaultJobs } from '../vault/jobs.ts'
import { expiredCvcs } from '../vault/records.ts'
import type { SplitVault } from '../vault/split.ts'
import { forgetCustomer } from './forget-customer.ts'
import { reviewNumber } from './review-number.ts'
import { settledSampleData } from './settle-sample-data.ts'

/** The arguments of jobs. `plain`: the context of the service itself, whose queries are no part of a job's trace. */
export type Work = JobContext & {
  services: Services
  plain: Context
  splitVault: SplitVault | null
  cardNumberHours: number
  service(): Service
}

/** In the order in which `GET /jobs` shows the queues. */
const jobs: readonly ScheduledJob<Work>[] = [
  operationJobs.poll,
  paymentJobs.scheduledCapture,
  paymentJobs.endedHold,
  refundJobs.scheduledRefund,
  guardJobs.blocklistBatch,
  forgetCustomer,
  paymentJobs.followUps,
  payoutJobs.sessionEnd,
  disputeJobs.challengeDue,
  operationJobs.unmatchedDispute,
  outsideJobs.look,
  watchJob,
  vaultJobs.orphan,
  reviewNumber,
  settledSampleData,
  settlementJobs.file,
  settlementJobs.look,
  ageingJob,
  fetchJob,
  recountJob,
  scheduledJob(dueApprovals, ({ context, service }: Work, due) => approvalDue(service(), context, due.merchant_id, due.approval_id)),
]

export const claims = jobs.map(({ of }) => of)

/** Each module defines beside its table when its rows are old. Announcements stand apart. */
const forgettings = [
  expiredCvcs,
  oldReturns,
  oldExchanges,
  oldIdempotencyKeys,
  ...oldDeliveries,
  ...oldListeners,
  expiredEphemeralKeys,
  expiredTokens,
  ...ofPeople,
  oldRequestLogs,
  oldCalls,
  oldBreakers,
  oldDrafts,
  oldExternalPayments,
  oldFailures,
  oldFileParts,
  leftJobs('jobs', claims),
]

/** All work that falls due by the clock, including the sealing of the audit log. */
export const fallsDue = timetable('due', claims, [oldAnnouncements, ...forgettings], [unsealed])
/** With an archive of events, a sent event is deleted once the archive has it (`events/archive.ts`). */
export const fallsDueBesideArchive = timetable('due_beside_archive', claims, forgettings, [unsealed])

export const depths = depthsOf('queue_depths', [...claims.map(kind => kind.queue), undispatched, unsunk, unarchived, waitingLines])

export const jobsOf = (work: Work): JobHandler[] => jobs.map(({ of, run }) => ({ of, run: job => run(work, job) }))

export const choresOf = (context: Context): Chore[] => [{ of: unsealed, run: () => seal(context) }]
