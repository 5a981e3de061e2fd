import Type from 'typebox'
import { strictObject } from '../../base/shapes.ts'
import { type Batch, batchesQuery, batchStatuses, listBatches, needBatch, takeBatch } from '../../guard/batch.ts'
import {
  type BlocklistEntry,
  block,
  entryShape,
  listBlocked,
  listQuery,
  showGuard,
  toggleBlocklist,
  unblock,
} from '../../guard/blocklist.ts'
import { MOST_MALFORMED_LINES, readCsv } from '../../guard/csv.ts'
import { count, flag, schema, text, time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'

const showBlocked = ({ fingerprint_id, data_kind, created_at }: BlocklistEntry) => ({ fingerprint_id, data_kind, created_at })
const showBatch = ({ version: _count, work_at: _workAt, ...batch }: Batch) => batch

const blockedAnswer = schema('BlocklistEntry', {
  fingerprint_id: Type.String({ description: 'Blocked digits or fingerprint' }),
  data_kind: Type.Enum(['payment_method', 'card_bin', 'extended_card_bin']),
  created_at: time,
})
const page = { count: Type.Integer({ description: 'Number of entries on this page' }), total_count: count }
const toggleAnswer = schema('BlocklistGuard', { blocklist_guard_status: Type.Enum(['enabled', 'disabled']) })
const status = Type.Enum(batchStatuses)
const batchAnswer = schema('BlocklistBatch', {
  job_id: text,
  merchant_id: text,
  status,
  total_rows: count,
  succeeded_rows: count,
  failed_rows: count,
  created_at: time,
  updated_at: time,
})

const fileShape = strictObject({
  file: Type.String({
    description: `UTF-8 CSV with the header type,data (and optionally metadata: key=value pairs separated by ;). At most ${MOST_MALFORMED_LINES} lines and 5 MiB`,
  }),
})

const bin = { type: 'card_bin' as const, data: '400000' }

export const blocklistRoutes = tagged(
  'Blocklist',
  'Blocked cards, by the first six or eight digits or by `fingerprint`. When the blocklist is turned on (`/blocklist/toggle`), payments with a blocked card fail with `error_code` HE-03 and are not sent to a processor.',
  { confidential: 'personal data', sdk: ['blocklist', 'Blocklist'] },
  [
    endpoint('POST /blocklist', 'block', {
      title: 'Add to the blocklist',
      description: 'Adds an entry to the blocklist.',
      auth: { credential: 'secret', permission: 'blocklist:write', scope: 'merchant' },
      body: entryShape,
      answers: blockedAnswer,
      example: { summary: 'Cards that begin with 400000', value: bin },
      json: ({ context, merchant, body }) => block(context, merchant.merchant_id, body, showBlocked),
    }),
    endpoint('DELETE /blocklist', 'unblock', {
      title: 'Remove from the blocklist',
      description: 'Removes an entry from the blocklist.',
      auth: { credential: 'secret', permission: 'blocklist:write', scope: 'merchant' },
      body: entryShape,
      answers: blockedAnswer,
      errors: ['unknown'],
      example: { summary: 'Cards that begin with 400000', value: bin },
      json: ({ context, merchant, body }) => unblock(context, merchant.merchant_id, body, showBlocked),
    }),
    endpoint('GET /blocklist', 'listBlocked', {
      sdk: 'blocklist.list',
      title: 'List the blocklist',
      description: 'Lists blocklist entries of one kind, newest first.',
      auth: { credential: 'secret', permission: 'blocklist:read', scope: 'merchant' },
      query: listQuery,
      answers: schema('Blocklist', { ...page, data: Type.Array(blockedAnswer) }),
      json: ({ context, merchant, query }) => listBlocked(context, merchant.merchant_id, query, showBlocked),
    }),
    endpoint('GET /blocklist/toggle', 'retrieveBlocklistGuard', {
      sdk: 'blocklist.retrieveGuard',
      title: 'Retrieve whether the blocklist is on',
      description: 'Retrieves whether payments are checked against the blocklist.',
      auth: { credential: 'secret', permission: 'blocklist:read', scope: 'merchant' },
      query: strictObject({}),
      answers: toggleAnswer,
      json: ({ merchant }) => showGuard(merchant.blocklist_guard),
    }),
    endpoint('POST /blocklist/toggle', 'toggleBlocklist', {
      sdk: 'blocklist.toggle',
      title: 'Turn the blocklist on or off',
      description: 'Sets whether payments are checked against the blocklist. The check is off by default.',
      auth: { credential: 'secret', permission: 'blocklist:write', scope: 'merchant' },
      query: strictObject({ status: flag }),
      answers: toggleAnswer,
      errors: ['not_found'],
      json: async ({ service, context, merchant, query }) => {
        const json = await toggleBlocklist(context, merchant.merchant_id, query.status)
        await service.settings.refresh()
        return json
      },
    }),
    endpoint('POST /blocklist/batch', 'uploadBlocklist', {
      sdk: 'blocklist.uploadBatch',
      title: 'Import a file into the blocklist',
      description:
        'Accepts a file of blocklist entries, as a whole or not at all, and processes it in the background. Entries that are already blocked count as processed.',
      auth: { credential: 'secret', permission: 'blocklist:write', scope: 'merchant' },
      form: true,
      async: true,
      body: fileShape,
      answers: schema('BlocklistBatchTaken', { job_id: text, total_rows: count, status }),
      example: { summary: 'Two card ranges', value: { file: 'type,data\ncard_bin,400001\nextended_card_bin,40000200\n' } },
      json: async ({ context, merchant, body }) => {
        const { job_id, total_rows, status } = await takeBatch(context, merchant.merchant_id, await readCsv(body.file))
        return { job_id, total_rows, status }
      },
    }),
    endpoint('GET /blocklist/batch', 'listBlocklistBatches', {
      sdk: 'blocklist.listBatches',
      title: 'List imported blocklist files',
      description: 'Lists the imported files, newest first.',
      auth: { credential: 'secret', permission: 'blocklist:read', scope: 'merchant' },
      query: batchesQuery,
      answers: schema('BlocklistBatches', { ...page, data: Type.Array(batchAnswer) }),
      json: ({ context, merchant, query }) => listBatches(context, merchant.merchant_id, query, showBatch),
    }),
    endpoint('GET /blocklist/batch/{job_id}', 'retrieveBlocklistBatch', {
      sdk: 'blocklist.retrieveBatch',
      title: 'Retrieve an imported blocklist file',
      description: 'Retrieves the progress of a file import.',
      auth: { credential: 'secret', permission: 'blocklist:read', scope: 'merchant' },
      answers: batchAnswer,
      errors: ['unknown'],
      json: async ({ context, merchant, path }) => showBatch(await needBatch(context, merchant.merchant_id, path.job_id)),
    }),
  ],
)
