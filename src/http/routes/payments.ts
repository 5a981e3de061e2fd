import Type, { type Static } from 'typebox'
import type { ConnectorDetails } from '../../accounts/inline-account.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { findConnectorAccount } from '../../accounts/merchant.ts'
import { Refusal, refuse } from '../../base/refusal.ts'
import { strictObject, withDescription } from '../../base/shapes.ts'
import type { Change } from '../../context.ts'
import { askAboutDisputes } from '../../disputes/sync.ts'
import { mayBrowserAsk } from '../../operations/query-limits.ts'
import { cancelPayment } from '../../payments/actions/cancel-payment.ts'
import { cancelPostCapture } from '../../payments/actions/cancel-post-capture.ts'
import { capturePayment } from '../../payments/actions/capture-payment.ts'
import { completeAuthorize } from '../../payments/actions/complete-authorize.ts'
import { confirmPayment } from '../../payments/actions/confirm-payment.ts'
import { createPayment } from '../../payments/actions/create-payment.ts'
import { expireSession } from '../../payments/actions/expire-session.ts'
import { extendAuthorization } from '../../payments/actions/extend-authorization.ts'
import { extendedCardInfo } from '../../payments/actions/extended-card-info.ts'
import { incrementAuthorization } from '../../payments/actions/increment-authorization.ts'
import { releasePayment } from '../../payments/actions/release-payment.ts'
import { updateMetadata } from '../../payments/actions/update-metadata.ts'
import { updatePayment } from '../../payments/actions/update-payment.ts'
import { blockedSentence, wasBlocked } from '../../payments/authorization/blocked.ts'
import { checkEligibility } from '../../payments/checkout/eligibility.ts'
import { sessionTokens, sessionTokensShape } from '../../payments/checkout/session-tokens.ts'
import { fields, paymentFields } from '../../payments/fields/all.ts'
import { statuses } from '../../payments/lifecycle.ts'
import { listedPayments, paymentListParams } from '../../payments/list.ts'
import { type Payment, payments as paymentsTable } from '../../payments/payment.ts'
import {
  cancelPostCaptureShape,
  cancelShape,
  captureShape,
  completeAuthorizeShape,
  confirmShape,
  createShape,
  eligibilityShape,
  incrementShape,
  releaseShape,
  updateMetadataShape,
  updateShape,
} from '../../payments/request-shapes.ts'
import { needPayment } from '../../payments/rows.ts'
import type { PaymentCaller } from '../../payments/terms.ts'
import { exportedFields } from '../../resources/read.ts'
import { paymentBody, type ShowOptions, showEligibility, showMetadata, showPayment, showPayments } from '../../show/payment.ts'
import { flag, schema, text } from '../answer-shapes.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { EXAMPLE_PAYMENT } from '../example-ids.ts'
import { single } from '../header.ts'
import { approvalAnswer } from './approvals-answers.ts'
import { authentications } from './authentications.ts'
import { challenges } from './challenges.ts'
import { forceSyncShape, synced } from './force-sync.ts'
import { listOperations } from './lists.ts'
import { manualUpdateOfPayment } from './manual-updates.ts'
import { actionsOfPayment, exchangesOfPayment, operationsOfPayment } from './operations.ts'
import { eligibilityAnswer, eligibilityCheckAnswer, metadataAnswer, paymentAnswer, sessionTokensAnswer } from './payments-answers.ts'
import { paymentsCheckout } from './payments-checkout.ts'
import { timelineOfPayment } from './payments-timeline.ts'
import { recordReplies } from './processor-responses.ts'

const viewOf = (call: ApiRequest<Merchant>): ShowOptions => ({
  publicUrl: call.services.publicUrl,
  audience: call.who.is === 'client' ? 'client' : 'server',
  now: call.context.now(),
  acceptLanguage: single(call.headers['accept-language']),
  ...nextActionsOf(call.headers[NEXT_ACTIONS_HEADER]),
})

/**
 * The header with which a browser says that it can show every next action (`all`), or only a page (`page`). Others get
 * the address of a page of this service for next actions that existing checkouts do not know.
 */
const NEXT_ACTIONS_HEADER = 'x-next-actions'

function nextActionsOf(value: unknown): Pick<ShowOptions, 'knows'> {
  if (value === 'all') return { knows: 'all next actions' }
  return value === 'page' ? { knows: 'pages alone' } : {}
}

function shown(call: ApiRequest<Merchant>, payment: Payment, options?: Partial<ShowOptions>): Promise<Record<string, unknown>> {
  const { merchant, services } = call
  const { merchant_connector_id: id } = payment
  const view = options ? { ...viewOf(call), ...options } : viewOf(call)
  const show = (by: Merchant) => showPayment(call.context, by, payment, view)
  // The payment's account may have been created by this very call.
  const isKnown = id === null || findConnectorAccount(merchant, id) !== undefined
  return isKnown ? show(merchant) : services.merchantNow(merchant.merchant_id).then(now => show(now ?? merchant))
}

/** The payment, and beside it an error if its instrument is blocked (contract 6.8): a client may read either. */
function answered(call: ApiRequest<Merchant>, payment: Payment, options?: Partial<ShowOptions>): Promise<Record<string, unknown>> {
  const body = shown(call, payment, options)
  // Almost no payment is blocked, and copying so many members costs more than all other work on an answer.
  return wasBlocked(payment) ? body.then(body => ({ ...blockedAnswer(payment), ...body })) : body
}

const blockedAnswer = (payment: Payment): Record<string, unknown> =>
  new Refusal('blocked', { payment_id: payment.payment_id, sentence: blockedSentence(payment) }).body()

/** The same, with the processor's last answer if a server requested all keys: `act` runs with a recorded call. */
async function withLastReply(call: ApiRequest<Merchant>, ask: Keyed, act: (call: ApiRequest<Merchant>) => Promise<Payment>) {
  if (ask.all_keys_required !== true || call.who.is === 'client') return answered(call, await act(call))
  const { call: recorded, lastReply } = recordReplies(call, [
    ask.payment_method_data,
    ask.card_cvc,
    ask.merchant_connector_details?.encoded_data?.connector_account_details,
  ])
  return { ...(await answered(call, await act(recorded))), whole_connector_response: lastReply() }
}
type Keyed = { all_keys_required?: boolean; payment_method_data?: object; card_cvc?: string; merchant_connector_details?: ConnectorDetails }

/** The answers of an operation that moves a payment. One that is cut short cannot read the payment's refunds. */
const ofPayment = {
  answers: paymentAnswer,
  replay: async (call: ApiRequest<Merchant>, payment_id: string) =>
    answered(call, await needPayment(call.context, call.merchant.merchant_id, payment_id)),
  partialResponse: (call: ApiRequest<Merchant>, written: readonly Change[]) => {
    const payment = written.findLast(({ head }) => head === paymentsTable.name)!.after as Payment
    return { ...(wasBlocked(payment) && blockedAnswer(payment)), ...paymentBody(call.merchant, payment, viewOf(call)) }
  },
}

/** Whether a checkout of this service sends the request: no other sends this header. */
const isOwnCheckout = (headers: ApiRequest['headers']): boolean => nextActionsOf(headers[NEXT_ACTIONS_HEADER]).knows !== undefined

/** Returns the caller for a use case: confirmations from browsers are counted by address. */
const callerOf = ({ who, address, headers, opened }: Pick<ApiRequest, 'who' | 'address' | 'headers' | 'opened'>): PaymentCaller =>
  who.is === 'client'
    ? { is: 'client', address, origin: originIn(headers), payment: opened, ours: isOwnCheckout(headers) }
    : { is: 'server' }

/** Returns the origin of the page that sends the request; null if it has none, as a file or a sandboxed frame. */
function originIn({ origin }: ApiRequest['headers']): string | null {
  return typeof origin === 'string' && /^https?:\/\/[^/?#@\s]{1,255}$/.test(origin) ? origin : null
}

const authorizeErrors = [
  ...(['customer_redacted', 'nothing_to_pay_with', 'token_unusable', 'invalid_value', 'not_supported', 'not_implemented'] as const),
  ...(['flow_not_supported', 'no_connector', 'mandate_differs', 'blocked', 'busy'] as const),
] as const
const confirmErrors = [...authorizeErrors, 'unauthorized', 'too_many_failures'] as const

const retrieveQuery = strictObject({
  force_sync: forceSyncShape,
  client_secret: Type.Optional(withDescription(Type.String(), fields.client_secret.description)),
  expand_attempts: Type.Optional(withDescription(flag, 'true: list the attempts')),
  expand_captures: Type.Optional(withDescription(flag, 'true: list the captures')),
  expand_customer_statistics: Type.Optional(flag),
  all_keys_required: Type.Optional(withDescription(flag, fields.all_keys_required.description)),
})

const { client_secret: _ofBrowsers, ...retrieveMembers } = retrieveQuery.properties

/** Returns a payment. If `force_sync` or the processor's response is wanted, its status is synced first. */
async function retrieve(call: ApiRequest<Merchant>, payment: Payment, wanted: Static<typeof retrieveQuery>) {
  const { force_sync, all_keys_required, expand_attempts = false, expand_captures = false, expand_customer_statistics = false } = wanted
  const options = { expand_attempts, expand_captures, expand_customer_statistics }
  if (all_keys_required && call.who.is !== 'client') {
    const { call: recorded, lastReply } = recordReplies(call, null)
    const { now, headers } = await synced(recorded, payment)
    return { json: { ...(await shown(call, now, options)), whole_connector_response: lastReply() }, headers }
  }
  const asks = force_sync && (call.who.is !== 'client' || mayBrowserAsk(call.services, call.context, payment.client_secret))
  if (asks && call.who.is !== 'client') await askAboutDisputes(call, payment)
  const { now, headers } = asks ? await synced(call, payment) : { now: payment, headers: {} }
  return { json: await shown(call, now, options), headers }
}

const card = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' }

const listFacets = [
  ...['connector', 'currency', 'status', 'payment_method', 'payment_method_type'],
  ...['authentication_type', 'card_network', 'card_discovery'],
]

const ofEligibility = {
  auth: { credential: 'secret or client', permission: 'payments:write', scope: 'profile' },
  clientSecretOf: 'payment',
  body: eligibilityShape,
  errors: ['token_unusable', 'invalid_value', 'not_supported', 'too_many_failures', 'busy'],
  example: { summary: 'A card', value: { payment_method_type: 'card', payment_method_data: { card } } },
} as const

export const paymentRoutes = tagged(
  'Payments',
  'Charges to customers. A payment is created, confirmed (in the same call if `confirm` is true) and captured (immediately, unless `capture_method` is set otherwise). If the issuer requires a challenge, redirect the customer to `next_action.redirect_to_url`; afterwards the customer returns to your `return_url`.',
  { confidential: 'personal data', sdk: ['payments', 'Payment'] },
  [
    endpoint('POST /payments', 'createPayment', {
      title: 'Create a payment',
      description: 'Creates a payment; with confirm: true it is authorized in the same call.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: createShape,
      choosesProfile: true,
      ...ofPayment,
      errors: [...authorizeErrors, 'not_found', 'duplicate'],
      example: {
        summary: 'Charges 12.50 USD',
        value: {
          amount: 1250,
          currency: 'USD',
          confirm: true,
          payment_method: 'card',
          payment_method_data: { card },
          authentication_type: 'no_three_ds',
          return_url: 'https://shop.example/thanks',
          metadata: { order: '1047' },
        },
      },
      json: call => withLastReply(call, call.body, recorded => createPayment(recorded, call.body)),
    }),
    endpoint('GET /payments/{payment_id}', 'retrievePayment', {
      title: 'Retrieve a payment',
      description:
        'Retrieves a payment; with force_sync=true (or all_keys_required=true, which returns the processor’s response) its status is first synced with the processor. If the processor does not support this, the header force-sync-unanswered names it: it reports results by webhook only.',
      auth: { credential: 'secret or client', permission: 'payments:read', scope: 'profile' },
      clientSecretOf: 'payment',
      query: retrieveQuery,
      answers: paymentAnswer,
      run: async call =>
        retrieve(call, call.opened ?? (await needPayment(call.context, call.merchant.merchant_id, call.path.payment_id)), call.query),
    }),
    endpoint('POST /payments/sync', 'syncPayment', {
      title: 'Sync a payment',
      reads: true,
      description:
        'Syncs a payment with its processor, where that is possible (header force-sync-unanswered), and returns it; force_sync: false skips the sync.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile', ids: ['payment_id'] },
      body: Type.Object({ payment_id: Type.Optional(text), resource_id: Type.Optional(text), ...retrieveMembers }),
      answers: paymentAnswer,
      errors: ['not_found'],
      example: { summary: 'A payment', value: { payment_id: EXAMPLE_PAYMENT } },
      run: async call => {
        const { payment_id, resource_id, force_sync = true, ...wanted } = call.body
        const id = payment_id ?? resource_id ?? refuse('missing', { field: 'payment_id' })
        return retrieve(call, await needPayment(call.context, call.merchant.merchant_id, id), { ...wanted, force_sync })
      },
    }),
    endpoint('POST /payments/{payment_id}/confirm', 'confirmPayment', {
      title: 'Confirm a payment',
      description: 'Confirms a payment and authorizes it with the payment method sent now or at creation.',
      auth: { credential: 'secret or client', permission: 'payments:write', scope: 'profile' },
      clientSecretOf: 'payment',
      body: confirmShape,
      ...ofPayment,
      errors: confirmErrors,
      example: { summary: 'Pays with a card sent now', value: { payment_method: 'card', payment_method_data: { card } } },
      json: async call => {
        const { path, body } = call
        return withLastReply(call, body, recorded => confirmPayment(recorded, path.payment_id, body, callerOf(call)))
      },
    }),
    endpoint('POST /payments/{payment_id}', 'updatePayment', {
      title: 'Update a payment',
      description: 'Updates a payment before it is sent to a processor; with confirm: true it is confirmed in the same call.',
      auth: { credential: 'secret or client', permission: 'payments:write', scope: 'profile' },
      clientSecretOf: 'payment',
      body: updateShape,
      ...ofPayment,
      errors: confirmErrors,
      example: { summary: 'Another amount', value: { amount: 1500, shipping_cost: 250 } },
      json: async call => {
        const { path, body } = call
        return withLastReply(call, body, recorded => updatePayment(recorded, path.payment_id, body, callerOf(call)))
      },
    }),
    endpoint('POST /payments/{payment_id}/update_metadata', 'updateMetadata', {
      title: 'Update the metadata of a payment',
      description: 'Adds keys to the metadata of a payment in any status; other keys are unchanged.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: updateMetadataShape,
      answers: metadataAnswer,
      replay: async (call, payment_id) => showMetadata(await needPayment(call.context, call.merchant.merchant_id, payment_id)),
      partialResponse: (_call, written) => showMetadata(written.at(-1)!.after as Payment),
      errors: ['busy'],
      example: { summary: 'Adds a tracking number', value: { metadata: { parcel: 'JD014600006281230704' } } },
      json: async call => showMetadata(await updateMetadata(call, call.path.payment_id, call.body)),
    }),
    endpoint('POST /payments/{payment_id}/capture', 'capturePayment', {
      title: 'Capture a payment',
      description: 'Captures an authorized payment, fully or in part.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: captureShape,
      ...ofPayment,
      errors: ['wrong_state', 'not_supported', 'flow_not_supported', 'moved_outside', 'busy'],
      example: { summary: 'Captures a part of the amount', value: { amount_to_capture: 1000 } },
      json: call => withLastReply(call, call.body, recorded => capturePayment(recorded, call.path.payment_id, call.body)),
    }),
    endpoint('POST /payments/{payment_id}/cancel', 'cancelPayment', {
      title: 'Cancel a payment',
      description: 'Cancels a payment before capture; an authorized amount is voided at the processor.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: cancelShape,
      ...ofPayment,
      errors: ['flow_not_supported', 'moved_outside', 'busy'],
      example: { summary: 'Voids the authorization', value: { cancellation_reason: 'the customer changed their mind' } },
      json: call => withLastReply(call, call.body, recorded => cancelPayment(recorded, call.path.payment_id, call.body)),
    }),
    endpoint('POST /payments/{payment_id}/cancel_post_capture', 'cancelPostCapture', {
      title: 'Cancel a captured payment',
      description:
        'Cancels a captured payment as a whole, where its processor supports it. Until the processor responds, the payment keeps its status; state_metadata.post_capture_void shows the progress.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: cancelPostCaptureShape,
      approval: approvalAnswer,
      ...ofPayment,
      errors: ['flow_not_supported', 'moved_outside', 'busy'],
      example: { summary: 'Cancels the whole payment', value: { cancellation_reason: 'sold out' } },
      json: async call => shown(call, await cancelPostCapture(call, call.path.payment_id, call.body)),
    }),
    endpoint('POST /payments/{payment_id}/release', 'releasePayment', {
      title: 'Release the uncaptured amount',
      description:
        'Releases the uncaptured rest of a partially captured payment: the rest is voided at the processor, and the captured amount is unchanged. Until the processor responds, the payment keeps its status; state_metadata.release shows the progress. Sending final_capture: true with the last capture has the same effect.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: releaseShape,
      ...ofPayment,
      errors: ['flow_not_supported', 'moved_outside', 'busy'],
      example: { summary: 'Nothing more will be captured', value: {} },
      json: call => withLastReply(call, call.body, recorded => releasePayment(recorded, call.path.payment_id, call.body)),
    }),
    endpoint('GET /payments/{payment_id}/cancel_post_capture', 'retrieveCancelPostCapture', {
      title: 'Sync the cancellation of a captured payment',
      description: 'Syncs a cancellation after capture with the processor and returns the payment.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      answers: paymentAnswer,
      run: async call => {
        const payment = await needPayment(call.context, call.merchant.merchant_id, call.path.payment_id)
        if (!payment.adjustments?.post_capture_void) refuse('precondition', { problem: 'This payment was not cancelled after capture' })
        const { now, headers } = await synced(call, payment)
        return { json: await shown(call, now), headers }
      },
    }),
    endpoint('POST /payments/{payment_id}/incremental_authorization', 'incrementAuthorization', {
      sdk: 'payments.incrementAuthorization',
      title: 'Increment an authorization',
      description: 'Increases the authorized amount; amount is the new total. Requires request_incremental_authorization on the payment.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: incrementShape,
      ...ofPayment,
      errors: ['flow_not_supported', 'moved_outside', 'busy'],
      example: { summary: 'A guest stays one more night', value: { amount: 1800, reason: 'one more night' } },
      json: async call => shown(call, await incrementAuthorization(call, call.path.payment_id, call.body)),
    }),
    endpoint('POST /payments/{payment_id}/extend_authorization', 'extendAuthorization', {
      title: 'Extend an authorization',
      description:
        'Extends an authorization; capture_before shows the new deadline. The processor decides for each authorization whether it can be extended; the documentation lists the connectors that support it (Connectors).',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      ...ofPayment,
      errors: ['flow_not_supported', 'moved_outside', 'busy'],
      json: async call => shown(call, await extendAuthorization(call, call.path.payment_id)),
    }),
    endpoint('POST /payments/{payment_id}/expire_session', 'expireSession', {
      title: 'Expire the session of a failed payment',
      description:
        'Ends the time in which a failed payment may be confirmed again, for its customer in every checkout and for your server. Use it before you create another payment for the same order. The status stays failed.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      ...ofPayment,
      errors: ['busy'],
      json: async call => shown(call, await expireSession(call, call.path.payment_id)),
    }),
    endpoint('POST /payments/{payment_id}/complete_authorize', 'completeAuthorize', {
      title: 'Complete an authorization',
      description: 'Completes a payment after the customer’s challenge: its status is synced with the processor and returned.',
      auth: { credential: 'secret or client', permission: 'payments:write', scope: 'profile' },
      clientSecretOf: 'payment',
      body: completeAuthorizeShape,
      ...ofPayment,
      errors: ['busy'],
      example: { summary: 'The customer has returned', value: {} },
      // Only a client that knows this next action calls this operation.
      json: async call => {
        const payment = await completeAuthorize(call, call.path.payment_id, call.body, callerOf(call).is)
        return answered(call, payment, { knows: 'all next actions' })
      },
    }),
    endpoint('POST /payments/{payment_id}/eligibility', 'checkEligibility', {
      title: 'Check eligibility',
      description:
        'Checks whether a payment can be confirmed with the customer’s payment method: sdk_next_action.next_action is confirm, or deny with the reason (the payment method is blocked, no connector account supports it, or a gift card holds less than the amount). For a co-badged card, card_networks lists the networks that the cardholder can choose from. Nothing is kept, and nothing but the question for a gift card’s balance is sent; from a browser, a gift card that is denied counts as a failed attempt.',
      ...ofEligibility,
      answers: eligibilityAnswer,
      json: async call => showEligibility(await checkEligibility(call, call.path.payment_id, call.body, callerOf(call))),
    }),
    endpoint('POST /payments/{payment_id}/eligibility_check', 'checkEligibilityToo', {
      aliasOf: 'checkEligibility',
      title: 'Check eligibility (alternative URL)',
      description: 'Same as the eligibility check, without the surcharge.',
      ...ofEligibility,
      answers: eligibilityCheckAnswer,
      json: async call => {
        const checked = await checkEligibility(call, call.path.payment_id, call.body, callerOf(call))
        const { surcharge_details: _surcharge, ...rest } = showEligibility(checked)
        return rest
      },
    }),
    ...listOperations<typeof paymentsTable>({
      listed: listedPayments,
      path: 'payments',
      name: 'Payments',
      item: paymentAnswer,
      show: (call, rows, expand) =>
        showPayments(call.context, call.merchant, rows, {
          publicUrl: call.services.publicUrl,
          audience: 'server',
          now: call.context.now(),
          acceptLanguage: single(call.headers['accept-language']),
          expand_attempts: expand?.expand_attempts === true,
        }),
      expand: {
        query: { expand_attempts: Type.Optional(withDescription(flag, 'true: show in `route` where each payment went')) },
        members: ['route'],
      },
      resolve: ({ context, merchant }, filters) => paymentListParams(context, merchant.merchant_id, filters),
      facets: Object.fromEntries(listFacets.map(name => [name, name])),
      statuses: { all: Object.keys(statuses) },
      choicesAt: '/v2/filter',
      example: {
        summary: 'Failed payments in euros this year',
        value: { status: ['failed'], currency: ['EUR'], start_time: '2026-01-01T00:00:00.000Z', limit: 20 },
      },
      columns: exportedFields(paymentFields),
      exportPermission: 'customers:personal',
    }),
    endpoint('POST /payments/session_tokens', 'createSessionTokens', {
      title: 'Create wallet session tokens',
      description:
        'Returns the data a checkout needs to open wallets for a payment, one entry per wallet that is supported and configured by a connector account (connector_wallets_details, or its metadata). For Apple Pay on web pages a merchant session is requested from Apple (session_token_data); if none is received in five seconds, Apple Pay is left out. Empty if there is none.',
      auth: { credential: 'secret or client', permission: 'payments:write', scope: 'profile', ids: ['payment_id'] },
      clientSecretOf: 'any payment',
      body: sessionTokensShape,
      answers: sessionTokensAnswer,
      errors: ['not_found', 'not_supported'],
      example: { summary: 'All wallets', value: { payment_id: EXAMPLE_PAYMENT, wallets: [] } },
      json: async ({ context, merchant, opened, body, who }) => {
        if (opened && opened.payment_id !== body.payment_id) refuse('client_secret_mismatch')
        if (who.is === 'client' && body.merchant_connector_details)
          refuse('forbidden', { problem: 'merchant_connector_details cannot be set with a publishable key' })
        const payment = opened ?? (await needPayment(context, merchant.merchant_id, body.payment_id))
        const session_token = await sessionTokens(context, merchant, payment, body)
        return { payment_id: payment.payment_id, client_secret: payment.client_secret, session_token, vault_details: null }
      },
    }),
    endpoint('GET /payments/{payment_id}/extended_card_info', 'retrieveExtendedCardInfo', {
      title: 'Retrieve the encrypted card',
      description:
        'Retrieves the card that the payment was confirmed with, without its security code, as a JWE (RSA-OAEP-256, A256GCM) for the public key in the profile’s extended_card_info_config. Available for ttl_in_secs after confirmation. Each call is recorded in the audit log.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      answers: schema('ExtendedCardInfo', { payload: text }),
      errors: ['no_extended_card_info'],
      json: async call => ({ payload: await extendedCardInfo(call, call.path.payment_id) }),
    }),
    operationsOfPayment,
    exchangesOfPayment,
    actionsOfPayment,
    timelineOfPayment,
    manualUpdateOfPayment,
    ...paymentsCheckout,
    ...challenges,
    ...authentications,
  ],
)
