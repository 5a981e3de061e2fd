import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { strictObject, withDescription } from '../../base/shapes.ts'
import type { Change } from '../../context.ts'
import { findOperations, findOperationsOf, type Operation, operations as operationsTable } from '../../operations/operation.ts'
import { forceSync } from '../../operations/sync.ts'
import { cancelPayout } from '../../payouts/cancel.ts'
import { confirmPayout } from '../../payouts/confirm.ts'
import { createPayout } from '../../payouts/create.ts'
import { payoutFields } from '../../payouts/fields.ts'
import { fulfillPayout } from '../../payouts/fulfill.ts'
import { statuses } from '../../payouts/lifecycle.ts'
import { listedPayouts } from '../../payouts/list.ts'
import { needPayout, ownerOf, PAYOUT, type Payout, payouts as payoutsTable } from '../../payouts/payout.ts'
import { actShape, confirmShape, createShape, updateShape } from '../../payouts/request-shapes.ts'
import type { PayoutCaller } from '../../payouts/terms.ts'
import { updatePayout } from '../../payouts/update.ts'
import { exportedFields } from '../../resources/read.ts'
import { shapesOf } from '../../show/member.ts'
import { payoutMembers, showPayout } from '../../show/payout.ts'
import { showForRecipient } from '../../show/payout-recipient.ts'
import { flag, minor, schema, text, texts, time } from '../answer-shapes.ts'
import { type ApiRequest, alias, endpoint, tagged } from '../endpoint.ts'
import { EXAMPLE_PAYOUT } from '../example-ids.ts'
import { approvalAnswer } from './approvals-answers.ts'
import { forceSyncShape, whatWasSilent } from './force-sync.ts'
import { listOperations } from './lists.ts'
import { actionsOfPayout, exchangesOfPayout, operationsOfPayout } from './operations.ts'

const payoutAnswer = schema('Payout', shapesOf(payoutMembers))

const enabledMethod = schema('EnabledPayoutMethod', {
  payout_type: payoutFields.payout_type.shape,
  ...texts('payout_method_type'),
  path: Type.String({ description: 'Where its fields belong in `payout_method_data`' }),
  fixed_fields: Type.Record(Type.String(), text, { description: 'Fields that are sent as they are here' }),
  required_fields: Type.Array(text, {
    description: 'Fields that the recipient must enter; none for a card, which needs its number and expiry date',
  }),
  optional_fields: Type.Array(text),
})

const recipientAnswer = schema('PayoutForRecipient', {
  payout_id: text,
  status: payoutFields.status.responseShape,
  amount: minor,
  currency: payoutFields.currency.shape,
  ...texts('payout_type description masked_payout_method'),
  merchant_name: text,
  has_payout_method: Type.Boolean({ description: 'true: it can be confirmed without another payout method' }),
  expires_on: time,
  payout_methods_enabled: Type.Array(enabledMethod),
})

type Showing = Pick<ApiRequest<Merchant>, 'context' | 'services' | 'merchant' | 'who'>

const shownWith = ({ services: { publicUrl }, merchant, who }: Showing, payout: Payout, operations: readonly Operation[]) =>
  showPayout(merchant, payout, { publicUrl, audience: callerOf({ who }), operations })

const shown = async (call: Showing, payout: Payout): Promise<Record<string, unknown>> =>
  shownWith(call, payout, payout.operation_count === 0 ? [] : await findOperations(call.context, ownerOf(payout)))

const ofPayout = {
  answers: payoutAnswer,
  replay: async (call: ApiRequest<Merchant>, payout_id: string) =>
    shown(call, await needPayout(call.context, call.merchant.merchant_id, payout_id)),
  partialResponse: (call: ApiRequest<Merchant>, written: readonly Change[]) => {
    const begun = written.flatMap(({ rows }) => rows).filter(({ table }) => table === operationsTable.name)
    const operations = begun.map(({ after }) => after as Operation)
    return shownWith(call, written.findLast(({ head }) => head === payoutsTable.name)!.after as Payout, operations)
  },
}

const callerOf = ({ who }: Pick<ApiRequest, 'who'>): PayoutCaller => (who.is === 'client' ? 'client' : 'server')

const sendErrors = ['customer_redacted', 'token_unusable', 'invalid_value', 'not_supported', 'no_connector', 'busy'] as const

const iban = { bank: { iban: 'DE89370400440532013000', account_holder_name: 'Ada Byron' } }

const payoutUpdate = endpoint('POST /payouts/{payout_id}', 'updatePayout', {
  title: 'Update a payout',
  description:
    'Updates a payout before it is sent; with confirm: true it is confirmed in the same call. Once it is sent, only metadata and merchant_order_reference_id can be updated.',
  auth: { credential: 'secret', permission: 'payouts:write', scope: 'profile' },
  body: updateShape,
  ...ofPayout,
  errors: [...sendErrors, 'unauthorized'],
  example: { summary: 'Another amount', value: { amount: 9_900 } },
  json: async call => shown(call, await updatePayout(call, call.path.payout_id, call.body)),
})

export const payoutRoutes = tagged(
  'Payouts',
  'Payouts to a card, a bank account or a wallet, or by bank redirect. A payout is created, confirmed, and (unless `auto_fulfill` is true) fulfilled after a review. `pending` means that the processor has not responded: never create the payout again. A payout that is `failed` with `error_code: not_received` becomes `success` if the request reaches the processor late: retrieve it with `force_sync=true` before you pay out again under another id.',
  { confidential: 'personal data', sdk: ['payouts', 'Payout'] },
  [
    endpoint('POST /payouts/create', 'createPayout', {
      title: 'Create a payout',
      description:
        'Creates a payout; with confirm: true it is confirmed in the same call, and with auto_fulfill: true paid out. With recurring: true the payout method is saved for the customer after a successful payout (payout_method_id).',
      auth: { credential: 'secret', permission: 'payouts:write', scope: 'profile' },
      body: createShape,
      choosesProfile: true,
      ...ofPayout,
      errors: [...sendErrors, 'not_found', 'duplicate'],
      example: {
        summary: 'Pays 99.00 EUR to a bank account',
        value: { amount: 9_900, currency: 'EUR', confirm: true, auto_fulfill: true, payout_type: 'bank', payout_method_data: iban },
      },
      json: async call => shown(call, await createPayout(call, call.body)),
    }),
    endpoint('GET /payouts/{payout_id}', 'retrievePayout', {
      title: 'Retrieve a payout',
      description:
        'Retrieves a payout; with force_sync=true its status is first synced with the processor, where that is possible (header force-sync-unanswered). Attempts are always included, with or without expand_attempts.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      query: strictObject({
        force_sync: forceSyncShape,
        expand_attempts: Type.Optional(withDescription(flag, 'true: list the attempts')),
        merchant_id: Type.Optional(Type.String()),
      }),
      answers: payoutAnswer,
      run: async call => {
        const { force_sync, merchant_id } = call.query
        if (merchant_id !== undefined && merchant_id !== call.merchant.merchant_id) refuse('not_found', { what: 'merchant account' })
        const payout = await needPayout(call.context, call.merchant.merchant_id, call.path.payout_id)
        const owner = ownerOf(payout)
        const now = force_sync ? await forceSync(call, payout, owner) : payout
        const headers = force_sync ? await whatWasSilent(call, owner) : {}
        return { json: await shown(call, now), headers }
      },
    }),
    payoutUpdate,
    alias(payoutUpdate, 'PUT /payouts/{payout_id}', 'putPayout', {
      title: 'Update a payout (PUT)',
      description: 'Same as POST, for other clients of the ecosystem.',
    }),
    endpoint('POST /payouts/{payout_id}/confirm', 'confirmPayout', {
      title: 'Confirm a payout',
      description:
        'Confirms a payout, optionally with its payout method. With auto_fulfill it is paid out; otherwise it waits for fulfill. The recipient’s browser can send the payout method and recipient details with the publishable key and client_secret; for a payout link, only methods enabled in payout_link_config.',
      auth: { credential: 'secret or client', permission: 'payouts:write', scope: 'profile' },
      clientSecretOf: 'payout',
      body: confirmShape,
      ...ofPayout,
      errors: [...sendErrors, 'unauthorized'],
      example: { summary: 'To a bank account', value: { payout_type: 'bank', payout_method_data: iban } },
      json: async call => shown(call, await confirmPayout(call, call.path.payout_id, call.body, callerOf(call))),
    }),
    endpoint('POST /payouts/{payout_id}/fulfill', 'fulfillPayout', {
      title: 'Fulfill a payout',
      description: 'Pays out a confirmed payout.',
      auth: { credential: 'secret', permission: 'payouts:write', scope: 'profile' },
      body: actShape,
      ...ofPayout,
      approval: approvalAnswer,
      errors: ['no_connector', 'busy'],
      example: { summary: 'Sends the payout', value: { payout_id: EXAMPLE_PAYOUT } },
      json: async call => shown(call, await fulfillPayout(call, call.path.payout_id, call.body)),
    }),
    endpoint('POST /payouts/{payout_id}/cancel', 'cancelPayout', {
      title: 'Cancel a payout',
      description: 'Cancels a payout: immediately if it has not been sent, otherwise at the processor.',
      auth: { credential: 'secret', permission: 'payouts:write', scope: 'profile' },
      body: actShape,
      ...ofPayout,
      errors: ['flow_not_supported', 'busy'],
      example: { summary: 'Cancels the payout', value: { payout_id: EXAMPLE_PAYOUT } },
      json: async call => shown(call, await cancelPayout(call, call.path.payout_id, call.body)),
    }),
    endpoint('GET /payouts/{payout_id}/client', 'retrievePayoutForRecipient', {
      title: 'Retrieve recipient details',
      description:
        'Returns everything a recipient’s page needs in one response: the payout, the masked payout method, and the payout methods that the recipient can choose from. For browsers, with the publishable key and client_secret, until the payout’s session ends.',
      auth: { credential: 'client' },
      clientSecretOf: 'payout',
      query: strictObject({ client_secret: Type.Optional(Type.String()) }),
      answers: recipientAnswer,
      json: async ({ context, merchant, path }) =>
        showForRecipient(merchant, await needPayout(context, merchant.merchant_id, path.payout_id)),
    }),
    actionsOfPayout,
    operationsOfPayout,
    exchangesOfPayout,
    ...listOperations<typeof payoutsTable>({
      listed: listedPayouts,
      path: 'payouts',
      name: 'Payouts',
      item: payoutAnswer,
      sized: true,
      show: async ({ context, services: { publicUrl }, merchant }, rows) => {
        const ids = rows.filter(row => row.operation_count > 0).map(row => row.payout_id)
        const operations = await findOperationsOf(context, merchant.merchant_id, PAYOUT, ids)
        return rows.map(row =>
          showPayout(merchant, row, { publicUrl, audience: 'server', operations: operations.get(row.payout_id) ?? [] }),
        )
      },
      facets: { connector: 'connector', currency: 'currency', status: 'status', payout_method: 'payout_type' },
      statuses: { all: Object.keys(statuses) },
      choicesAt: '/v2/filter',
      example: {
        summary: 'Payouts to individuals this year, in euros',
        value: { start_time: '2026-01-01T00:00:00.000Z', currency: ['EUR'], entity_type: 'Individual', status: ['success'] },
      },
      columns: exportedFields(payoutFields),
      exportPermission: 'customers:personal',
    }),
  ],
)
