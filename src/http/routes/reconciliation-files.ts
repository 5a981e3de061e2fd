import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../../base/shapes.ts'
import { needAccount } from '../../settlement/account.ts'
import { addPart, decideFile, listFiles, needSettlementFile, openFile } from '../../settlement/files.ts'
import { linesOfFile } from '../../settlement/lines.ts'
import type { GeneralForm } from '../../settlement/readers/general.ts'
import { previewReport } from '../../settlement/readers/read-report.ts'
import { count, flag, schema } from '../answer-shapes.ts'
import { type ApiRequest, endpoint } from '../endpoint.ts'
import { profilesOf } from '../profile-header.ts'
import { fileOf, fileTypes, formatShape, shownPages } from './lists.ts'
import { fileAnswer, fileState, lineColumns, mode, previewAnswer, showFile, showLine } from './reconciliation-answers.ts'

const option = Type.Optional
const USUAL = 50

const bytes = Type.Unsafe<{ name: string; type: string; bytes: Buffer }>({ format: 'binary', description: 'At most 5 MiB' })
/** Members of a form are texts. */
const yesOrNo = (description: string) => option(Type.Enum(['true', 'false'], { description }))
const columns = option(
  Type.String({
    maxLength: 4000,
    description:
      'JSON: how to read a report that is no vendor’s, for example {"columns": {"gross": "Amount", "currency": "Currency", "reference": "Id"}, "amounts": "minor"}; otherwise the reader is found by the titles',
  }),
)
const uploadShape = strictObject({
  file: bytes,
  merchant_connector_id: option(
    Type.String({ maxLength: 255, description: 'The account whose report it is; absent for a statement of the merchant’s bank' }),
  ),
  mode: option(mode),
  name: option(shortText),
  columns,
  more: yesOrNo('`true`: further parts of the file follow'),
})
const partShape = strictObject({
  file: bytes,
  part: Type.String({
    pattern: '^[1-9]\\d{0,3}$',
    description: 'Number of the part: the first one came with the upload, the next one is 1',
  }),
  more: yesOrNo('`true`: further parts of the file follow'),
})
const previewShape = strictObject({ file: bytes, merchant_connector_id: option(shortText), columns })
const listQuery = strictObject({
  merchant_connector_id: option(shortText),
  state: option(fileState),
  limit: option(Type.Integer({ minimum: 1, maximum: 100, description: `Default ${USUAL}` })),
  starting_after: option(boundedText(64)),
})

function formOf(text: string | undefined): GeneralForm | null {
  if (text === undefined) return null
  try {
    const form: unknown = JSON.parse(text)
    if (form !== null && typeof form === 'object' && !Array.isArray(form)) return form as GeneralForm
  } catch {}
  return refuse('malformed', { field: 'columns', expected: 'a JSON object' })
}

type Call = Pick<ApiRequest<Merchant>, 'context' | 'merchant' | 'who' | 'headers'>

const accountOf = async (call: Call, id: string | undefined) => {
  const profiles = profilesOf(call)
  if (id !== undefined) return needAccount(call.context, call.merchant.merchant_id, id, profiles)
  // A bank statement is the whole merchant's.
  return profiles === null ? null : refuse('missing', { field: 'merchant_connector_id' })
}

const fileIn = (call: Call & { path: { settlement_file_id: string } }) =>
  needSettlementFile(call.context, call.merchant.merchant_id, call.path.settlement_file_id, profilesOf(call))

const reading = { credential: 'secret', permission: 'ledger:read', scope: 'profile' } as const
const writing = { credential: 'secret', permission: 'ledger:write', scope: 'profile' } as const
const sample = 'reference,currency,gross,fee\npayment_1,EUR,12.50,0.35\n' as never

export const reconciliationFiles = [
  endpoint('POST /reconciliation/files', 'uploadSettlementFile', {
    sdk: 'reconciliation.upload',
    title: 'Upload a report or a bank statement',
    description:
      'Uploads a processor’s report, or a statement of the merchant’s bank, and has it read in the background. Larger files are sent in parts. A file that was read before changes nothing.',
    auth: { ...writing, ids: ['merchant_connector_id'] },
    form: { files: ['file'] },
    async: true,
    body: uploadShape,
    answers: fileAnswer,
    errors: ['not_found', 'malformed', 'missing'],
    example: { summary: 'A statement of the bank', value: { file: sample } },
    json: async call => {
      const { file, merchant_connector_id, mode = 'what matches', name, columns, more = 'false' } = call.body
      const account = await accountOf(call, merchant_connector_id)
      const of = { name: name ?? (file.name || null), mode, reader: null, columns: formOf(columns), by: call.context.by }
      const opened = await openFile(call.context, call.merchant.merchant_id, account, of)
      return showFile(await addPart(call.context, opened, 0, file.bytes, more === 'false'))
    },
  }),
  endpoint('POST /reconciliation/files/{settlement_file_id}/parts', 'addSettlementFilePart', {
    sdk: 'reconciliation.uploadPart',
    title: 'Upload the next part of a file',
    description:
      'Uploads the next part of a file whose upload said `more`. A part that is sent again is taken once. With the last part the file is read.',
    auth: writing,
    form: { files: ['file'] },
    async: true,
    body: partShape,
    answers: fileAnswer,
    errors: ['not_found', 'precondition'],
    json: async call =>
      showFile(await addPart(call.context, await fileIn(call), Number(call.body.part), call.body.file.bytes, call.body.more !== 'true')),
  }),
  endpoint('POST /reconciliation/preview', 'previewSettlementFile', {
    sdk: 'reconciliation.preview',
    title: 'Preview a report',
    description: 'Shows how the beginning of a report is understood, with its first lines and problems. Nothing is stored.',
    auth: { ...writing, ids: ['merchant_connector_id'] },
    form: { files: ['file'] },
    reads: true,
    body: previewShape,
    answers: previewAnswer,
    errors: ['not_found', 'malformed'],
    example: { summary: 'A report with usual titles', value: { file: sample } },
    json: async call => {
      const { file, merchant_connector_id, columns } = call.body
      const account = merchant_connector_id === undefined ? null : await accountOf(call, merchant_connector_id)
      const form = formOf(columns)
      async function* source() {
        yield file.bytes
      }
      return previewReport(source(), { connector: account?.connector_name ?? null, ...(form && { form }) })
    },
  }),
  endpoint('GET /reconciliation/files', 'listSettlementFiles', {
    sdk: 'reconciliation.files',
    title: 'List files',
    description: 'Lists uploaded reports and bank statements, newest first.',
    auth: { ...reading, ids: ['merchant_connector_id'] },
    query: listQuery,
    answers: schema('SettlementFiles', { size: count, has_more: flag, data: Type.Array(fileAnswer) }),
    json: async call => {
      const { merchant_connector_id = null, state = null, limit = USUAL, starting_after: after = null } = call.query
      const ask = { merchant_connector_id, state, after, limit: limit + 1 }
      const found = await listFiles(call.context, call.merchant.merchant_id, ask, profilesOf(call))
      const data = found.slice(0, limit).map(showFile)
      return { size: data.length, has_more: found.length > limit, data }
    },
  }),
  endpoint('GET /reconciliation/files/{settlement_file_id}', 'retrieveSettlementFile', {
    sdk: 'reconciliation.retrieveFile',
    title: 'Retrieve a file',
    description: 'Retrieves how a file was read: its lines, and what of it was posted, known before, or differs.',
    auth: reading,
    answers: fileAnswer,
    errors: ['not_found'],
    json: async call => showFile(await fileIn(call)),
  }),
  endpoint('POST /reconciliation/files/{settlement_file_id}/take', 'takeSettlementFile', {
    sdk: 'reconciliation.takeFile',
    title: 'Take what matches of a held file',
    description: 'Posts what matches of a file that was held because not all of it did; each difference stays open.',
    auth: writing,
    async: true,
    answers: fileAnswer,
    errors: ['not_found', 'precondition'],
    json: async call => showFile(await decideFile(call.context, await fileIn(call), 'take')),
  }),
  endpoint('POST /reconciliation/files/{settlement_file_id}/discard', 'discardSettlementFile', {
    sdk: 'reconciliation.discardFile',
    title: 'Discard a held file',
    description: 'Discards a file that was held: nothing of it is posted.',
    auth: writing,
    answers: fileAnswer,
    errors: ['not_found', 'precondition'],
    json: async call => showFile(await decideFile(call.context, await fileIn(call), 'discard')),
  }),
  endpoint('GET /reconciliation/files/{settlement_file_id}/export', 'exportSettlementLines', {
    sdk: 'reconciliation.exportLines',
    title: 'Export the lines of a file',
    description:
      'Exports the lines that this file was the first to have, with what they settle, as CSV (`format=csv`) or one JSON object per line (`format=jsonl`).',
    auth: reading,
    query: strictObject({ format: formatShape }),
    answers: 'text',
    types: fileTypes,
    errors: ['not_found'],
    run: async call => {
      const { file_id } = await fileIn(call)
      const file = { name: 'settlement', format: call.query.format, columns: lineColumns }
      return fileOf(
        file,
        shownPages(linesOfFile(call.context, call.merchant.merchant_id, file_id), page => page.map(showLine)),
      )
    },
  }),
]
