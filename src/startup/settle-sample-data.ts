import { sampleDataJob } from '../sample-data/work.ts'
import { settleSampleData } from '../settlement/sample-reports.ts'

/** Makes sample data and then what processors report of it; here, because it is a job of two modules. */
export const settledSampleData = sampleDataJob((context, { merchant_id, job_id }) =>
  settleSampleData({ ...context, by: job_id }, merchant_id),
)
