import Type from 'typebox'
import { needSampleData, type SampleDataJob, sampleDataShape, sampleDataStatuses, takeSampleData } from '../../sample-data/job.ts'
import { count, schema, text, time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'

const sampleDataAnswer = schema('SampleData', {
  job_id: text,
  status: Type.Enum([...sampleDataStatuses]),
  payments: count,
  days: count,
  made: Type.Integer({ minimum: 0, description: 'Payments made so far' }),
  refused: Type.Integer({ minimum: 0, description: 'Payments that no connector account takes' }),
  created_at: time,
  updated_at: time,
})
const show = ({ job_id, status, payments, days, made, refused, created_at, updated_at }: SampleDataJob) => ({
  ...{ job_id, status, payments, days, made, refused, created_at, updated_at },
})

export const sampleDataRoutes = tagged(
  'Sample data',
  'Believable payments for test mode, so that lists, analytics and a dashboard have something to show: made at the processors of the merchant’s accounts, with declines, captures, refunds, disputes, payouts and saved cards, and dated in the past. Each is marked with `metadata.sample_data`.',
  { confidential: 'personal data', sdk: ['sampleData', 'SampleData'] },
  [
    endpoint('POST /sample_data', 'createSampleData', {
      title: 'Create sample data',
      description: 'Creates sample payments in the background. Test mode only.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      async: true,
      body: sampleDataShape,
      answers: sampleDataAnswer,
      example: { summary: 'A week', value: { payments: 20, days: 7 } },
      json: async ({ context, service, merchant, body }) => show(await takeSampleData(context, service.mode, merchant.merchant_id, body)),
    }),
    endpoint('GET /sample_data/{job_id}', 'retrieveSampleData', {
      title: 'Retrieve the progress of sample data',
      description: 'Retrieves how many of the sample payments have been made.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      answers: sampleDataAnswer,
      json: async ({ context, merchant, path }) => show(await needSampleData(context, merchant.merchant_id, path.job_id)),
    }),
  ],
)
