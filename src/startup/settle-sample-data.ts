import type { ScheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/verb.ts'
import type { Services } from '../payments/services.ts'
import { findSampleData } from '../sample-data/job.ts'
import { sampleDataJob } from '../sample-data/work.ts'
import { settleSampleData } from '../settlement/sample-reports.ts'

type Work = JobContext & { services: Services }

/** Makes sample data and then what processors report of it; here, because it is a job of two modules. */
export const settledSampleData: ScheduledJob<Work> = {
  ...sampleDataJob,
  run: async (work, due) => {
    await sampleDataJob.run(work, due)
    const { merchant_id, job_id } = due as { merchant_id: string; job_id: string }
    const job = await findSampleData(work.context, merchant_id, job_id)
    if (job?.status === 'completed') await settleSampleData({ ...work.context, by: job_id }, merchant_id)
  },
}
