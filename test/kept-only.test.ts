import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { evidenceTexts, evidenceTypes } from '../src/connectors/dispute.ts'
import { listedDisputes } from '../src/disputes/list.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { isRowFilter, type Listable } from '../src/lists/filters.ts'
import { allFields, refusedByName } from '../src/payments/fields/all.ts'
import { listedPayments } from '../src/payments/list.ts'
import { listedPayouts } from '../src/payouts/list.ts'
import { listedRefunds } from '../src/refunds/list.ts'
import { takes } from '../src/resources/read.ts'
import { keptOnlyMembers } from '../tools/openapi/kept-only.ts'
import { isRefused } from './refused.ts'
import { ADMIN_KEY, type Body, http, openShop } from './shop.ts'

const namesIn = (text: string): string[] => text.trim().split(/\s+/)

const ruleKey = 'connector flow sub_flow code message'
const ruleMembers = `status router_error decision step_up_possible unified_code unified_message feature feature_data standardised_code description
  user_guidance_message`

const search = 'object_id profile_id event_classes event_types is_delivered created_after created_before limit offset'
const timesOf = (created: string) =>
  ['', ...['lt', 'lte', 'gt', 'gte'].flatMap(one => [`.${one}`, `_${one}`])].map(end => `${created}${end}`).join(' ')
const ranges = 'time_range time_range.start_time time_range.end_time time_range[start_time] time_range[end_time]'
const customersPage = `limit offset customer_id email phone phone_country_code ${timesOf('created_at')} start_time end_time ${ranges} starting_after ending_before`
/** Gives the filters of lists, each an entry of their table; `list.test.ts` of each module tests their results. */
function ofLists(name: string, { filters, created, ordersInGet }: Listable, how = ''): Record<string, string> {
  const all = Object.keys(filters).join(' ')
  const counted = Object.keys(filters)
    .filter(name => !isRowFilter(filters[name]!))
    .join(' ')
  const times = timesOf(created)
  const post = `${counted} amount_filter start_time end_time startTime endTime time_range order column_predicates limit offset`
  const plain = `${all} ${times} start_time end_time start_amount end_amount`
  const get = `${plain} ${ranges} starting_after ending_before limit offset`
  const exported = get.replace(/ starting_after.*/, '')
  const range = 'start_time end_time'
  return Object.fromEntries(
    ['', 'OfProfile'].flatMap(of => [
      [`list${name}${of}`, `${get} ${ordersInGet ? 'order' : ''} ${how}`],
      [`search${name}${of}`, post],
      [`export${name}${of}`, `${exported} format columns`],
      [`filter${name}${of}`, range],
      [`aggregate${name}${of}`, exported],
    ]),
  )
}

/**
 * Members that have an effect, that only describe and are shown, or that are refused by name. A member that is added
 * to a schema must be named here, or in the table of members that are only stored; the table of fields defines those
 * of payments.
 */
const offers =
  'client_secret accepted_countries accepted_currencies amount recurring_enabled installment_payment_enabled card_networks card_network'
const others: Record<string, string> = {
  routingHistory: 'profile_id',
  payoutRoutingHistory: 'profile_id',
  listGsmRules: 'connector',
  listDeliveries: 'status limit starting_after',
  retrieveWebhookEndpointHealth: 'window',
  analyticsSeries: 'time_range granularity group_by filters metrics compare limit',
  analyticsBreakdown: 'time_range group_by filters metrics compare limit',
  listAttention: 'profile_id limit',
  signIn: 'email password',
  beginSso: 'next',
  signInPasskey: 'response',
  passkeyOptions: 'password',
  addPasskey: 'name response',
  signInTotp: 'code',
  createFirstOwner: 'token email name password',
  beginDevice: 'device_name',
  pollDevice: 'device_code',
  retrieveDevice: 'user_code',
  approveDevice: 'user_code password passkey',
  denyDevice: 'user_code',
  acceptInvitation: 'token name password',
  forgotPassword: 'email',
  resetPassword: 'token password',
  updateOwnUser: 'name',
  signOut: 'all',
  chooseMerchant: 'merchant_id',
  changePassword: 'old_password password',
  setUpTotp: 'password code',
  removeTotp: 'password',
  inviteUser: 'email role organization profile_ids password passkey',
  updateUser: 'role disabled profile_ids all_profiles password passkey',
  createUserLink: 'email merchant_id organization_id password passkey',
  createSampleData: 'payments days',
  retrieveConnectorHealth: 'window profile_id',
  retrievePayment: 'force_sync client_secret expand_attempts expand_captures expand_customer_statistics all_keys_required',
  updateMetadata: 'metadata',
  capturePayment:
    'amount_to_capture statement_descriptor_prefix statement_descriptor_suffix merchant_id refund_uncaptured_amount final_capture merchant_connector_details all_keys_required',
  releasePayment: 'all_keys_required',
  cancelPostCapture: 'cancellation_reason',
  incrementAuthorization: 'amount',
  completeAuthorize: 'client_secret shipping otp threeds_method_comp_ind',
  calculateTax: 'client_secret shipping',
  postSessionTokens: 'payment_id client_secret payment_method payment_method_type',
  askIssuer: 'client_secret device_channel threeds_method_comp_ind browser_info sdk_information',
  checkEligibility: 'client_secret payment_method_type payment_method_subtype payment_method_data payment_token',
  checkEligibilityToo: 'client_secret payment_method_type payment_method_subtype payment_method_data payment_token',
  cancelPayment: 'cancellation_reason merchant_connector_details all_keys_required',
  toggleConnectorAgnosticMit: 'enabled',
  toggleExtendedCardInfo: 'enabled',
  retrievePayout: 'force_sync expand_attempts merchant_id',
  fulfillPayout: 'payout_id',
  cancelPayout: 'payout_id',
  retrieveSdkConfig: 'client_secret',
  syncPayment: 'payment_id resource_id force_sync expand_attempts expand_captures expand_customer_statistics all_keys_required',
  syncRefund: 'refund_id force_sync all_keys_required',
  retrieveRefund: 'force_sync all_keys_required',
  retrieveDispute: 'force_sync',
  attachEvidence: 'dispute_id evidence_type file',
  deleteEvidence: 'dispute_id evidence_type',
  saveEvidenceDraft: evidenceTexts.join(' '),
  submitEvidence: `dispute_id ${evidenceTexts.join(' ')} ${evidenceTypes.join(' ')}`,
  listEvents: `${search} after_version`,
  searchEvents: `${search} event_id`,
  searchOwnEvents: `${search} event_id`,
  createWebhookEndpoint: 'url description event_types enabled profile_id',
  updateWebhookEndpoint: 'url description event_types enabled',
  listWebhookEndpoints: 'profile_id',
  replayEvents: 'created_after created_before only_failed dry_run',
  rotateWebhookSecret: 'old_expires_in',
  updatePaymentMethod: 'card wallet client_secret',
  savePaymentMethod: 'payment_method_data client_secret card payment_method payment_method_type customer_id',
  migratePaymentMethod:
    'customer_id payment_method payment_method_type card network_token card_network network_transaction_id connector_mandate_details metadata billing',
  listCustomerPaymentMethods: `${offers} limit`,
  listOwnPaymentMethods: `${offers} limit`,
  listPaymentMethods: offers,
  retrieveCustomer: 'client_secret',
  retrieveForCheckout: 'client_secret',
  retrievePayoutForRecipient: 'client_secret',
  ...ofLists('Payments', listedPayments, 'expand_attempts'),
  ...ofLists('Refunds', listedRefunds),
  retrievePaymentLink: 'client_secret',
  createSessionTokens: 'payment_id wallets client_secret delayed_session_token merchant_connector_details',
  showPaymentLink: 'locale token',
  showPayoutLink: 'locale token',
  showCollectLink: 'locale token',
  createCollectLink: 'pm_collect_link_id customer_id session_expiry return_url theme logo merchant_name enabled_payment_methods profile_id',
  submitCollectLink: 'client_secret payout_type payout_method_data',
  showWaitingPage: 'locale',
  showSecurePaymentLink: 'locale token',
  ...ofLists('Disputes', listedDisputes),
  ...ofLists('Payouts', listedPayouts),
  listCustomers: customersPage,
  listCustomersWithCount: `${customersPage} expand_activity`,
  exportCustomers: `${customersPage.replace('limit offset ', '').replace(/ starting_after.*/, '')} format columns`,
  listLedgerBalances: 'account currency profile_id merchant_connector_id',
  listLedgerEntries:
    'account currency profile_id merchant_connector_id object_id created_after created_before limit starting_after ending_before',
  exportLedgerEntries: 'account currency profile_id merchant_connector_id object_id created_after created_before format',
  uploadSettlementFile: 'file name merchant_connector_id mode columns more',
  addSettlementFilePart: 'file part more',
  previewSettlementFile: 'file merchant_connector_id columns',
  listSettlementFiles: 'merchant_connector_id state limit starting_after',
  exportSettlementLines: 'format',
  listSettlementDifferences: 'merchant_connector_id cause state payment_id settlement_file_id limit starting_after',
  exportSettlementDifferences: 'merchant_connector_id cause state payment_id settlement_file_id format',
  resolveSettlementDifference: 'resolution reason payment_id',
  retrieveSettlementAgeing: 'merchant_connector_id',
  listProcessorPayouts: 'merchant_connector_id arrived limit starting_after',
  listBankEntries: 'matched limit starting_after',
  listSettlementPeriods: 'merchant_connector_id',
  closeSettlementPeriod: 'merchant_connector_id period',
  setSettlementFetch: 'merchant_connector_id fetch from',
  listApprovals: 'status profile_id limit starting_after',
  updateSecondPerson: 'above expires_after maker_may_not_fulfill operator_refunds_up_to',
  approveApproval: 'reason',
  rejectApproval: 'reason',
  listMandates:
    'limit offset customer_id mandate_status connector created_time created_time.lt created_time.gt created_time.lte created_time.gte',
  listMerchantAccounts: 'organization_id',
  createApiKey: 'name description expiration scopes password passkey',
  block: 'type data',
  unblock: 'type data',
  listBlocked: 'data_kind limit offset',
  toggleBlocklist: 'status',
  uploadBlocklist: 'file',
  createConfig: 'key value',
  updateConfig: 'key value',
  putConfig: 'key value',
  fetchDisputes: 'fetch_from fetch_till',
  uploadFile: 'purpose dispute_id evidence_type file',
  listBlocklistBatches: 'limit offset',
  listAudit: 'merchant_id object_kind object_id type by request_id created_after created_before limit before_entry',
  streamEvents: 'event_types listener_id',
  createEventListener: 'name machine forward_to event_types',
  reportListenerAttempts: 'attempts',
  searchObjects: 'q limit',
  listRequestLogs:
    'object_id payment_id request_id route method status only_failed created_after created_before limit before_log after_log by error_code',
  listJobs: 'merchant_id kind isolated limit',
  createGsmRule: `${ruleKey} ${ruleMembers} error_category`,
  retrieveGsmRule: ruleKey,
  updateGsmRule: `${ruleKey} ${ruleMembers} error_category`,
  deleteGsmRule: ruleKey,
  updateApiKey: 'name description expiration password passkey',
  listApiKeys: 'limit skip',
  createEphemeralKey: 'customer_id',
  registerConnectorWebhook: 'event_type',
  registerConnectorWebhookToo: 'event_type',
  verifyCredentials: 'connector_name connector_type connector_account_details merchant_connector_id metadata',
  createRouting: 'name description algorithm profile_id transaction_type',
  listRouting: 'limit offset profile_id',
  createPayoutRouting: 'name description algorithm profile_id transaction_type',
  listPayoutRouting: 'limit offset profile_id',
  retrieveActivePayoutRouting: 'profile_id',
  deactivatePayoutRouting: 'profile_id',
  retrieveActiveRouting: 'profile_id',
  activateRouting: 'reason',
  activatePayoutRouting: 'reason',
  deactivateRouting: 'profile_id',
  evaluateRouting: `payment_id at profile_id algorithm_id algorithm amount currency capture_method authentication_type payment_method payment_method_type
    card_network card_bin extended_card_bin issuer_name issuer_country billing_country business_country business_label customer_id setup_future_usage
    metadata connector routing paymentInfo merchantId eligibleGatewayList rankingAlgorithm eliminationEnabled`,
  simulateRouting: 'profile_id algorithm_id algorithm start_time end_time',
  createSuccessBasedRouting: 'enable params config decision_engine_configs',
  toggleSuccessBasedRouting: 'enable',
  updateSuccessBasedRouting: 'params config decision_engine_configs',
  createEliminationRouting: 'enable elimination_analyser_config decision_engine_configs',
  toggleEliminationRouting: 'enable',
  updateEliminationRouting: 'elimination_analyser_config decision_engine_configs',
  toggleContractBasedRouting: 'enable config label_info',
  updateContractBasedRouting: 'config label_info',
  setDynamicShare: 'split',
  routingFeedback: 'merchantId paymentId gateway status',
  evaluateRule: 'created_by payment_id parameters fallback_output',
  updatePaymentManually:
    'payment_id merchant_id attempt_id attempt_status error_code error_message unified_code unified_message connector_transaction_id',
  updateRefundManually: 'refund_id merchant_id status error_code error_message unified_code unified_message connector_refund_id',
}

type Facts = {
  properties?: Record<string, TSchema>
  items?: TSchema
  enum?: unknown[]
  type?: string
  format?: string
  required?: string[]
}

const membersOf = ({ body, query }: { body?: TSchema; query?: TSchema }): Record<string, TSchema> => ({
  ...(body as Facts | undefined)?.properties,
  ...(query as Facts | undefined)?.properties,
})

/** Operations whose members are entries of a table of fields, which defines the use of each (`resources/field.ts`). */
const ofTables = namesIn(`createPayment updatePayment confirmPayment createPayout updatePayout putPayout confirmPayout
  createRefund updateRefund createDispute updateDisputeStatus createCustomer updateCustomer createPaymentMethod createConnectorAccount updateConnectorAccount
  createOrganization updateOrganization createMerchantAccount updateMerchantAccount createProfile updateProfile`)

test('every member of a request is listed as used, refused by name or only stored', () => {
  const differences: string[] = []
  for (const endpoint of endpoints.filter(({ name }) => !ofTables.includes(name))) {
    const members = Object.keys(membersOf(endpoint)).sort()
    const kept = keptOnlyMembers(endpoint.name).map(({ member }) => member)
    const known = [...namesIn(others[endpoint.name] ?? ''), ...kept.filter(member => !member.includes('.'))].filter(Boolean)
    const listed = new Set(known)
    const unknown = members.filter(member => !listed.has(member)).map(member => `${endpoint.name} ${member} is not said`)
    differences.push(
      ...unknown,
      ...[...listed].filter(member => !members.includes(member)).map(member => `${endpoint.name} has no ${member}`),
    )
  }
  deepEqual(differences, [])
})

test('the table of members that are only stored names only existing members', () => {
  for (const endpoint of endpoints) {
    for (const { member, why } of keptOnlyMembers(endpoint.name)) {
      ok(why.length > 0)
      let at: Facts | undefined = { properties: membersOf(endpoint) }
      for (const part of member.split('.')) {
        while (at?.items) at = at.items as Facts
        at = at?.properties?.[part] as Facts | undefined
        ok(at, `${endpoint.name} ${member}`)
      }
    }
  }
})

/** Gives a value that a schema accepts, and that requests the most. */
function some(schema: TSchema): unknown {
  const {
    anyOf,
    enum: all,
    properties,
    items,
    type,
    format,
    required,
    examples,
  } = schema as Facts & { anyOf?: TSchema[]; examples?: unknown[] }
  if (examples) return examples[0]
  if (anyOf) return some(anyOf[0]!)
  if (all) return all[0]
  if (properties) return Object.fromEntries((required ?? []).map(name => [name, some(properties[name]!)]))
  if (items) return [some(items)]
  if (type === 'object') return { some: 'thing' }
  if (type === 'boolean') return true
  if (type === 'integer') return 1000
  return format === 'date-time' ? '2031-02-03T04:05:06Z' : 'x'
}

test('an unsupported option of a payment is refused by name, and its harmless values are accepted', async () => {
  const shop = await openShop()
  const shape = membersOf(endpoints.find(endpoint => endpoint.name === 'createPayment')!)
  for (const [member, { harmless }] of refusedByName) {
    const values = (shape[member] as Facts).enum ?? ((shape[member] as Facts).type === 'boolean' ? [true, false] : [some(shape[member]!)])
    for (const value of values) {
      const body = {
        ...shop.payBody({ confirm: false, capture_method: 'manual', [member]: value }),
        ...(value === 'setup_mandate' && { amount: 0, capture_method: 'automatic' }),
      }
      const answer = await shop.post('/payments', body)
      if (harmless.includes(value)) equal(answer.status, 200, answer.text)
      else isRefused(answer, 400, 'IR_19', new RegExp(member))
    }
  }
  isRefused(await shop.tryToPay({ payment_type: 'setup_mandate' }), 400, 'IR_19', /setup_mandate/)
  isRefused(await shop.tryToPay({ payment_channel: { other: 'by pigeon' } }), 400, 'IR_19', /payment_channel/)
})

test('a member that only the server may send is refused from a browser by name, and other members are not', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  const { payment_id, client_secret } = payment
  const shape = membersOf(endpoints.find(endpoint => endpoint.name === 'confirmPayment')!)
  const may = {
    customer_acceptance: { acceptance_type: 'offline' },
    customer_id: 'somebody',
    capture_on: '2031-02-03T04:05:06Z',
    recurring_details: { type: 'mandate_id', data: 'man_x' },
    installment_options: [],
  }
  for (const [member, field] of allFields) {
    // Checkouts send connectors, which have an effect on wallets only.
    if (member === 'client_secret' || member === 'connector' || !takes('confirm', field)) continue
    // The security code has one digit, so that a member that browsers may send does not pay here.
    const request: Body = { card_cvc: '1', client_secret, [member]: may[member as keyof typeof may] ?? some(shape[member]!) }
    const answer = await http('POST', `${shop.url}/payments/${payment_id}/confirm`, request, { 'api-key': shop.publishable_key })
    // A browser may repeat a value that is set already, and send a value that requests nothing.
    const isOwn = [false, payment[member]].includes(request[member]) || isDeepStrictEqual(request[member], {})
    const mayBe = isOwn || field.browserValues?.includes(request[member])
    if (field.settableBy !== 'browser' && member !== 'payment_id' && !mayBe) isRefused(answer, 403, 'IR_22', new RegExp(member))
    else notEqual(answer.status, 403, member)
  }
  equal((await shop.get(payment_id)).status, 'requires_confirmation')
})

test('members that are only stored are accepted, so that existing clients and set-up scripts work', async () => {
  const shop = await openShop()
  const shape = (name: string) => membersOf(endpoints.find(endpoint => endpoint.name === name)!)
  const kept = (name: string): Body =>
    Object.fromEntries(
      keptOnlyMembers(name)
        .filter(({ member }) => !member.includes('.'))
        .map(({ member }) => [member, some(shape(name)[member]!)]),
    )
  const { payment_id, status } = await shop.pay({
    ...kept('createPayment'),
    setup_future_usage: 'on_session',
    capture_method: 'manual',
    customer_acceptance: { acceptance_type: 'offline' },
    customer_id: 'x',
  })
  equal(status, 'requires_capture')
  equal((await shop.post(`/payments/${payment_id}/capture`, kept('capturePayment'))).body.status, 'succeeded')
  equal((await shop.refund(payment_id, 500, kept('createRefund'))).body.status, 'succeeded')
  const merchant_id = `${shop.merchant_id}_kept`
  const merchant = await http(
    'POST',
    `${shop.url}/accounts`,
    { ...kept('createMerchantAccount'), merchant_id, parent_merchant_id: shop.merchant_id },
    { 'api-key': ADMIN_KEY },
  )
  equal(merchant.status, 200, merchant.text)
})

test('a confirm as existing checkouts send it is accepted', async () => {
  const shop = await openShop()
  const payment = await shop.create({
    payment_method: undefined,
    payment_method_data: undefined,
    customer_id: 'x',
    setup_future_usage: 'on_session',
  })
  const request = {
    client_secret: payment.client_secret,
    return_url: 'https://shop.example/thanks',
    payment_method: 'card',
    payment_method_data: {
      card: {
        card_number: '4242424242424242',
        card_exp_month: '12',
        card_exp_year: '2040',
        card_cvc: '737',
        card_issuer: '',
        card_network: 'Visa',
      },
    },
    browser_info: { user_agent: 'Mozilla/5.0', language: 'nb', color_depth: 24, time_zone: -60, java_enabled: true },
    customer_acceptance: { acceptance_type: 'online', accepted_at: '2026-01-01T00:00:00Z', online: { user_agent: 'Mozilla/5.0' } },
    payment_type: 'normal',
    retry_action: 'manual_retry',
  }
  const answer = await http('POST', `${shop.url}/payments/${payment.payment_id}/confirm`, request, { 'api-key': shop.publishable_key })
  equal(answer.body.status, 'succeeded', answer.text)
})
