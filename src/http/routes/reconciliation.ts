import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../../base/shapes.ts'
import { findPayment } from '../../payments/rows.ts'
import { findPayout } from '../../payouts/payout.ts'
import { accountsOf, needAccount } from '../../settlement/account.ts'
import { ageings } from '../../settlement/ageing.ts'
import { listBankEntries } from '../../settlement/bank.ts'
import { listProcessorPayouts } from '../../settlement/batches.ts'
import { closeBooks, figuresThrough, lastDay, listCloses } from '../../settlement/close.ts'
import { linesOfPayment } from '../../settlement/lines.ts'
import { listDifferences, needDifference, resolutions, resolveDifference } from '../../settlement/resolve.ts'
import { usualDelay } from '../../settlement/unsettled.ts'
import { count, flag, type listSchema, schema, sized, wordOf } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { profilesOf } from '../profile-header.ts'
import { approvalAnswer } from './approvals-answers.ts'
import { fileOf, fileTypes, formatShape } from './lists.ts'
import {
  ageingAnswer,
  bankEntryAnswer,
  batchAnswer,
  cause,
  closeAnswer,
  differenceAnswer,
  differenceColumns,
  differenceState,
  periodsAnswer,
  settledAnswer,
  showBankEntry,
  showBatch,
  showDifference,
  showLine,
} from './reconciliation-answers.ts'
import { reconciliationFetches } from './reconciliation-fetches.ts'
import { reconciliationFiles } from './reconciliation-files.ts'

const option = Type.Optional
const USUAL = 50
const page = {
  limit: option(Type.Integer({ minimum: 1, maximum: 100, description: `Default ${USUAL}` })),
  starting_after: option(boundedText(64)),
}
const ofAccount = { merchant_connector_id: option(shortText) }
const paged = (title: string, item: Parameters<typeof listSchema>[1]) =>
  schema(title, { size: count, has_more: flag, data: Type.Array(item) })
const shownPage = <T, S>(found: readonly T[], limit: number, show: (one: T) => S) => ({
  size: Math.min(found.length, limit),
  has_more: found.length > limit,
  data: found.slice(0, limit).map(show),
})

const differenceFilters = {
  ...ofAccount,
  state: option(differenceState),
  cause: option(cause),
  settlement_file_id: option(shortText),
  payment_id: option(shortText),
}
type DifferenceFilters = { settlement_file_id?: string }
const asked = <A extends DifferenceFilters>({ settlement_file_id, ...ask }: A) => ({
  ...ask,
  ...(settlement_file_id !== undefined && { file_id: settlement_file_id }),
})

const AT_ONCE = 1000

const reading = { credential: 'secret', permission: 'ledger:read', scope: 'profile' } as const
const writing = { credential: 'secret', permission: 'ledger:write', scope: 'profile' } as const

const resolveShape = strictObject({
  resolution: wordOf(resolutions),
  reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why; it is kept with the difference' }),
  payment_id: option(Type.String({ maxLength: 64, description: 'With `link`: the payment or payout to which the line belongs' })),
})
const closeShape = strictObject({
  merchant_connector_id: shortText,
  period: Type.String({ maxLength: 10, description: 'The month (2026-11) or the day (2026-11-30) through which the books are closed' }),
})

const differences = [
  endpoint('GET /reconciliation/differences', 'listSettlementDifferences', {
    sdk: 'reconciliation.differences',
    title: 'List differences',
    description: 'Lists what differs between processors’ reports and this service, with the figures of both and the cause, newest first.',
    auth: reading,
    query: strictObject({ ...differenceFilters, ...page }),
    answers: paged('SettlementDifferences', differenceAnswer),
    json: async call => {
      const { limit = USUAL, ...ask } = call.query
      const found = await listDifferences(call.context, call.merchant.merchant_id, asked(ask), profilesOf(call), limit + 1)
      return shownPage(found, limit, showDifference)
    },
  }),
  endpoint('GET /reconciliation/differences/export', 'exportSettlementDifferences', {
    sdk: 'reconciliation.exportDifferences',
    title: 'Export differences',
    description:
      'Exports differences that match the filters, newest first, as CSV (`format=csv`) or one JSON object per line (`format=jsonl`).',
    auth: reading,
    query: strictObject({ ...differenceFilters, format: formatShape }),
    answers: 'text',
    types: fileTypes,
    run: async call => {
      const { format, ...ask } = call.query
      async function* pages() {
        for (let starting_after: string | undefined; ; ) {
          const filters = { ...asked(ask), ...(starting_after !== undefined && { starting_after }) }
          const found = await listDifferences(call.context, call.merchant.merchant_id, filters, profilesOf(call), AT_ONCE)
          yield found.map(showDifference)
          if (found.length < AT_ONCE) return
          starting_after = found.at(-1)!.difference_id
        }
      }
      return fileOf({ name: 'differences', format, columns: differenceColumns }, pages())
    },
  }),
  endpoint('GET /reconciliation/differences/{difference_id}', 'retrieveSettlementDifference', {
    sdk: 'reconciliation.retrieveDifference',
    title: 'Retrieve a difference',
    description: 'Retrieves a difference.',
    auth: reading,
    answers: differenceAnswer,
    errors: ['not_found'],
    json: async call =>
      showDifference(await needDifference(call.context, call.merchant.merchant_id, call.path.difference_id, profilesOf(call))),
  }),
  endpoint('POST /reconciliation/differences/{difference_id}/resolve', 'resolveSettlementDifference', {
    sdk: 'reconciliation.resolveDifference',
    title: 'Resolve a difference',
    description:
      'Resolves an open difference and posts what follows from the decision. A person who writes off more than the merchant’s `second_person.above` needs a second person: the response is then a 202 with an approval.',
    auth: writing,
    body: resolveShape,
    answers: differenceAnswer,
    approval: approvalAnswer,
    example: { summary: 'The processor is right', value: { resolution: 'accept', reason: 'agreed with the processor' } },
    errors: ['not_found', 'precondition', 'missing', 'busy'],
    json: async call => {
      const difference = await needDifference(call.context, call.merchant.merchant_id, call.path.difference_id, profilesOf(call))
      return showDifference(await resolveDifference(call, difference, call.body))
    },
  }),
]

const money = [
  endpoint('GET /reconciliation/payments/{payment_id}', 'retrievePaymentSettlement', {
    sdk: 'reconciliation.retrievePayment',
    title: 'Retrieve the settlement of a payment',
    description: 'Retrieves what processors’ reports have settled of a payment (or payout): its lines, and the fees that were kept.',
    auth: reading,
    answers: settledAnswer,
    errors: ['not_found'],
    json: async ({ context, merchant, path }) => {
      const { merchant_id } = merchant
      const found = (await findPayment(context, merchant_id, path.payment_id)) ?? (await findPayout(context, merchant_id, path.payment_id))
      if (!found) refuse('not_found', { what: 'payment', id: path.payment_id })
      const { lines, settled } = await linesOfPayment(context, merchant_id, path.payment_id)
      return { payment_id: path.payment_id, settled, lines: lines.map(showLine) }
    },
  }),
  endpoint('GET /reconciliation/ageing', 'retrieveSettlementAgeing', {
    sdk: 'reconciliation.ageing',
    title: 'Retrieve what processors owe',
    description:
      'Retrieves what each processor has not settled yet, by currency and age, and what of it is late. Of an account with very many movements it is what was counted at `as_of`; if that is long ago, it is counted anew.',
    auth: { ...reading, ids: ['merchant_connector_id'] },
    query: strictObject(ofAccount),
    answers: ageingAnswer,
    json: async call => {
      const { context, merchant, query } = call
      const all = await accountsOf(context, merchant.merchant_id, profilesOf(call))
      const wanted = all.filter(
        one => query.merchant_connector_id === undefined || one.merchant_connector_id === query.merchant_connector_id,
      )
      const found = await ageings(context, wanted)
      return sized(
        found.map(({ account: { merchant_connector_id, connector_name }, as_of, owed }) => ({
          ...{ merchant_connector_id, connector: connector_name, usual_days: usualDelay(connector_name), as_of, owed },
        })),
      )
    },
  }),
  endpoint('GET /reconciliation/payouts', 'listProcessorPayouts', {
    sdk: 'reconciliation.payouts',
    title: 'List payouts of processors',
    description:
      'Lists what processors have paid out to the merchant’s bank, with what its lines add up to and whether it has arrived, the latest first.',
    auth: { ...reading, ids: ['merchant_connector_id'] },
    query: strictObject({ ...ofAccount, arrived: option(Type.Boolean()), ...page }),
    answers: paged('ProcessorPayouts', batchAnswer),
    json: async call => {
      const { limit = USUAL, merchant_connector_id, arrived, starting_after } = call.query
      const ask = {
        ...(merchant_connector_id !== undefined && { merchant_connector_id }),
        ...(arrived !== undefined && { banked: arrived }),
        ...(starting_after !== undefined && { after: starting_after }),
      }
      const found = await listProcessorPayouts(call.context, call.merchant.merchant_id, { ...ask, limit: limit + 1 }, profilesOf(call))
      return shownPage(found, limit, showBatch)
    },
  }),
  endpoint('GET /reconciliation/bank_entries', 'listBankEntries', {
    sdk: 'reconciliation.bankEntries',
    title: 'List entries of bank statements',
    description: 'Lists the entries of the merchant’s bank statements, newest first, with the payout that arrived with each.',
    auth: { ...reading, scope: 'merchant' },
    query: strictObject({ matched: option(Type.Boolean()), ...page }),
    answers: paged('BankEntries', bankEntryAnswer),
    json: async ({ context, merchant, query: { matched = null, starting_after: after = null, limit = USUAL } }) =>
      shownPage(await listBankEntries(context, merchant.merchant_id, { matched, after, limit: limit + 1 }), limit, showBankEntry),
  }),
]

const periods = [
  endpoint('GET /reconciliation/periods', 'listSettlementPeriods', {
    sdk: 'reconciliation.periods',
    title: 'List closed periods',
    description: 'Lists the closed periods of an account’s settlement, the latest first, and the figures of the open one.',
    auth: { ...reading, ids: ['merchant_connector_id'] },
    query: strictObject({ merchant_connector_id: shortText }),
    answers: periodsAnswer,
    errors: ['not_found'],
    json: async call => {
      const { context, merchant, query } = call
      const account = await needAccount(context, merchant.merchant_id, query.merchant_connector_id, profilesOf(call))
      const closes = await listCloses(context, account)
      const after = closes[0]?.through ?? null
      const figures = await figuresThrough(context, account, after, context.now().slice(0, 10))
      return { open: { after, figures }, ...sized(closes.map(showClose)) }
    },
  }),
  endpoint('POST /reconciliation/periods/close', 'closeSettlementPeriod', {
    sdk: 'reconciliation.close',
    title: 'Close a period',
    description:
      'Closes the books of an account through a day or month: its figures no longer move, and what is read later belongs to the next open day.',
    auth: { ...writing, ids: ['merchant_connector_id'] },
    body: closeShape,
    answers: closeAnswer,
    example: { summary: 'A month', value: { merchant_connector_id: 'mca_Yb3kT9QmW2xLcP7nVaHd', period: '2026-02' } },
    errors: ['not_found', 'precondition', 'malformed', 'busy'],
    json: async call => {
      const { context, merchant, body } = call
      const account = await needAccount(context, merchant.merchant_id, body.merchant_connector_id, profilesOf(call))
      return showClose(await closeBooks(context, account, lastDay(body.period)))
    },
  }),
]

const showClose = ({ merchant_connector_id, from_day, through, figures, closed_by, created }: Awaited<ReturnType<typeof closeBooks>>) => ({
  ...{ merchant_connector_id, after: from_day, through, figures, closed_by, created },
})

export const reconciliationRoutes = tagged(
  'Reconciliation',
  'Processors’ settlement reports and bank statements against this service: each movement is settled once, however many files have it. What matches is posted to the ledger, with fees, payouts and what else is the processor’s own; what differs stays open, with its cause, until a later line or a person settles it. `npm run ledger:reconcile` reads files of any size from a disk.',
  { confidential: 'personal data', sdk: ['reconciliation', 'Settlement'] },
  [...reconciliationFiles, ...reconciliationFetches, ...differences, ...money, ...periods],
)
