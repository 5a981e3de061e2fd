import { deepEqual, equal } from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { request } from 'undici'
import { endpoints } from '../src/http/endpoints.ts'
import { EXAMPLE_PAYMENT, EXAMPLE_PAYOUT, EXAMPLE_REFUND } from '../src/http/example-ids.ts'
import { openAuthenticator } from '../test/authenticator.ts'
import { ofOtherReleases } from '../test/documented.ts'
import { examples } from '../test/examples.ts'
import { formOf } from '../test/form.ts'
import { openProcessor } from '../test/processor.ts'
import { ADMIN_KEY, type Body, cards, http } from '../test/shop.ts'
import { answers, type ExampleAnswer, writeAnswers } from './openapi/answers.ts'
import { type Day, fate, openDay } from './openapi/day.ts'
import { settle } from './openapi/day-settlement.ts'

/**
 * The example answers of the documentation: what the operations really answer when the example requests are sent to
 * them one after the other, as on a shop's first day. Kept in `tools/openapi/answers.json`,
 * with two entries of each list; `npm run docs` writes it.
 */

/** Whether `npm run docs` writes the answers: then nothing is compared yet, only recorded. */
const isRecorded = process.env.RECORD !== undefined

/** What an account says of wallets that are opened without a request to their provider. */
const wallets = {
  google_pay: {
    merchant_info: { merchant_name: 'Chairs & Co', merchant_id: 'BCR2DN4T' },
    allowed_payment_methods: [
      {
        type: 'CARD',
        parameters: { allowed_auth_methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowed_card_networks: ['VISA', 'MASTERCARD'] },
        tokenization_specification: { type: 'PAYMENT_GATEWAY', parameters: { gateway: 'example', gateway_merchant_id: 'chairs' } },
      },
    ],
  },
  apple_pay: {
    payment_request_data: {
      label: 'Chairs & Co',
      supported_networks: ['visa', 'masterCard'],
      merchant_capabilities: ['supports3DS'],
    },
    session_token_data: { merchant_identifier: 'merchant.example.chairs', initiative: 'ios', merchant_business_country: 'NO' },
  },
}

/** A key that a merchant made for us: what is shown of it must not change from run to run. */
const merchantsKey = {
  kty: 'RSA',
  n: 'on9cHVUAe307i3TFP3iq6cOpn2y0sLD89gIzJY7JM9XGeok2cvEL09_I8P_f45Jd3iRvdCAzxso3RQHEvgaqBXD-aCARgM7v30FE_f8pAxAQX_hSBxhOhzcaCZiIKOiGn4XaJplvDgPLP8yxVDw5whYP308ji8WCnP0U3DKqPPPbg-jZFirq8EDgYUZQCW29K58EubFN6MTl2pFsuHp5QZcSYZs3VGk8kp_2VS4YVDvr0bFaoGDfSiHU1OKc3YZV5t535VKrBoHOGsqaDX88vMENvYJkHifBFvca3gbGto5g_7JM8RnM0nf92fEB3Bfr6q0Xd5PVNQknCFvIRI_AGw',
  e: 'AQAB',
}

/** As the sandbox signs its webhooks. */
function signed(text: string): string {
  const { merchant_secret } = examples.createConnectorAccount!.value.connector_webhook_details as { merchant_secret: string }
  const t = Math.floor(fate.now / 1000)
  return `t=${t},v1=${createHmac('sha256', merchant_secret).update(`${t}.${text}`).digest('hex')}`
}

const asAdmin = { 'api-key': ADMIN_KEY, cookie: '' }

/** The shop's first owner, and whom they invite. */
async function firstPeople({ caller, call, service, provider }: Day, merchant_id: string, api_key: string): Promise<void> {
  const tokenOf = (url: string) => new URL(url).searchParams.get('token')
  const ada = { email: 'ada@shop.example', password: examples.signIn!.value.password }
  const first = await call('createUserLink', {}, { email: undefined, merchant_id })
  await call('createFirstOwner', {}, { ...ada, token: tokenOf(first.url), name: 'Ada' })
  const reset = await call('createUserLink', {}, { email: ada.email }, { body: JSON.stringify({ email: ada.email }), headers: asAdmin })
  await call('resetPassword', {}, { token: tokenOf(reset.url), password: ada.password })
  for (const name of ['retrieveUser', 'updateOwnUser', 'chooseMerchant', 'listRoles', 'changePassword', 'listSessions']) await call(name)
  await call('changePassword', {}, { old_password: `${ada.password} 2`, password: ada.password })
  const { user_code, device_code } = await call('beginDevice')
  await call('retrieveDevice', {}, { user_code })
  await call('approveDevice', {}, { user_code, password: ada.password })
  const { key: ofDevice } = await call('pollDevice', {}, { device_code })
  await call('signOutDevice', {}, {}, { body: '', headers: { 'api-key': ofDevice.api_key } })
  await call('denyDevice', {}, { user_code: (await call('beginDevice')).user_code })
  const { user, url } = await call('inviteUser')
  await call('updateUser', { user_id: user.user_id })
  await call('listUsers')
  const passkeys = openAuthenticator(service.url.replace('127.0.0.1', 'localhost'))
  const { options: toMake } = await call('passkeyOptions')
  const { passkey_id } = await call('addPasskey', {}, { name: 'Laptop', response: passkeys.create(toMake) })
  await call('listPasskeys')
  const owner = caller.person
  caller.person = null
  const { options: toAnswer } = await call('passkeySignInOptions')
  await call('signInPasskey', {}, { response: passkeys.get(toAnswer) })
  caller.person = owner
  await call('removePasskey', { passkey_id })
  const guest = 'mary@shop.example'
  await http('POST', `${service.url}/user/invite`, { email: guest, role: 'viewer', password: ada.password }, owner!)
  // The browser keeps what it is told while it is with the provider.
  const toProvider = await http('GET', `${service.url}/user/sso`)
  const kept = String(toProvider.headers['set-cookie']).split(';')[0]!
  await call('beginSso')
  const login = provider.login(String(toProvider.headers.location), { sub: 'mary', email: guest })
  const brought = Object.fromEntries(new URL(login).searchParams)
  caller.person = null
  await call('ssoReturned', brought, {}, { body: '', headers: { cookie: kept } })
  caller.person = null
  await call('acceptInvitation', {}, { token: tokenOf(url), password: ada.password, name: 'Grace' })
  const grace = caller.person
  caller.person = owner
  await http('POST', `${service.url}/user/${user.user_id}`, { role: 'admin', password: ada.password }, owner!)
  await call('updateSecondPerson')
  await call('retrieveSecondPerson')
  const sold = { ...examples.createPayment!.value, metadata: { order: '1091' } }
  const { payment_id } = (await http('POST', `${service.url}/payments`, sold, { 'api-key': api_key })).body
  const returned = { payment_id, amount: 100 }
  const [sure, unsure] = [
    (await http('POST', `${service.url}/refunds`, returned, owner!)).body,
    (await http('POST', `${service.url}/refunds`, returned, owner!)).body,
  ]
  await call('listApprovals')
  await call('retrieveApproval', { approval_id: sure.approval_id })
  caller.person = grace
  await call('approveApproval', { approval_id: sure.approval_id })
  await call('rejectApproval', { approval_id: unsure.approval_id })
  await http('POST', `${service.url}/accounts/${merchant_id}`, { second_person: {} }, asAdmin)
  const [{ session_id }] = (await call('listSessions')).data
  await call('revokeSession', { session_id })
  caller.person = owner
  await call('removeUser', { user_id: user.user_id })
  const { secret } = await call('setUpTotp')
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await call('setUpTotp', {}, { password: undefined, code: totp.generate({ timestamp: fate.now + 1000 }) })
  await call('forgotPassword')
  await call('signIn')
  fate.now += 60_000
  await call('signInTotp', {}, { code: totp.generate({ timestamp: fate.now + 1000 }) })
  await call('removeTotp')
  await call('signOut')
  caller.person = null
  caller.credential = ADMIN_KEY
}

/** What a shop asks about one customer, each under a key: also what begins nothing, and what only reads. */
async function lastCustomer({ service, again, caller: { api_key } }: Day): Promise<void> {
  const customer = { ...examples.createCustomer!.value, customer_id: 'cus_last' }
  const { customer_id, name, email, phone, phone_country_code, address } = customer
  const billing = { address, email, phone: { number: phone, country_code: phone_country_code } }
  const payment_id = `${EXAMPLE_PAYMENT.slice(0, -1)}X`
  const sale = { ...examples.createPayment!.value, payment_id, customer_id, email, name, billing }
  const { payment_method_data: _card, ...later } = { ...sale, payment_id: null, confirm: false, payment_method: null }
  const ask = async (name: string, path: string, body: Body): Promise<Body> => {
    fate.now += 1000
    const headers = { 'api-key': api_key, ...again.keyFor(name) }
    const { status, body: json, text } = await http('POST', service.url + path, body, headers)
    equal(status < 400, true, `${name}: ${text}`)
    again.note(name, service.url + path, body, headers)
    return json
  }
  await ask('createCustomer', '/customers', customer)
  await ask('createCustomer', '/customers', customer)
  await ask('createPayment', '/payments', sale)
  await ask('createPayment', '/payments', sale)
  const { payment_id: open } = await ask('createPayment', '/payments', later)
  await ask('updatePayment', `/payments/${open}`, { description: 'A chair' })
  await ask('searchPayments', '/payments/list', { customer_id })
  await ask('syncPayment', '/payments/sync', { payment_id })
  await ask('createRefund', '/refunds', { payment_id, amount: 100 })
  await ask('createPaymentMethod', '/payment_methods', { ...examples.createPaymentMethod!.value, customer_id, billing })
  await ask('createEphemeralKey', '/ephemeral_keys', { customer_id })
  await ask('createCollectLink', '/payment_methods/collect', { ...examples.createCollectLink!.value, customer_id })
  await ask('createPayout', '/payouts/create', { ...examples.createPayout!.value, payout_id: null, customer_id, email, name, billing })
  await ask('updateCustomer', `/customers/${customer_id}`, { description: 'Buys stools' })
}

/** Calls every operation as the documentation shows it, and returns what each answered first. */
async function firstDay(day: Day): Promise<Record<string, ExampleAnswer>> {
  const { sandbox, service, query, kept, ids, caller, call, play } = day
  await call('health')
  await call('featureMatrix')
  await call('ready')
  await call('examineDatabase')
  const { organization_id } = await call('createOrganization')
  await call('updateOrganization', { organization_id })
  await call('retrieveOrganization', { organization_id })
  const { merchant_id, publishable_key } = await call('createMerchantAccount', {}, { organization_id })
  await call('updateMerchantAccount', { merchant_id })
  await call('retrieveMerchantAccount', { merchant_id })
  await call('listMerchantAccounts', { organization_id })
  await call('setKv', { merchant_id })
  await call('retrieveKv', { merchant_id })
  const { api_key, key_id } = await call('createApiKey', { merchant_id })
  Object.assign(caller, { api_key, publishable_key })
  await call('updateApiKey', { merchant_id, key_id })
  await call('retrieveApiKey', { merchant_id, key_id })
  await call('listApiKeys', { merchant_id })
  const { merchant_connector_id } = await call('createConnectorAccount', { merchant_id })
  await call('updateConnectorAccount', { merchant_id, merchant_connector_id })
  await call('retrieveConnectorAccount', { merchant_id, merchant_connector_id })
  await call('listConnectorAccounts', { merchant_id })
  await call('listProfileConnectorAccounts', { merchant_id })
  await call('registerConnectorWebhook', { merchant_id, merchant_connector_id })
  await call('registerConnectorWebhookToo', { merchant_id, merchant_connector_id })
  const key = `guard_blocklist_for_${merchant_id}`
  for (const name of ['createConfig', 'retrieveConfig', 'updateConfig', 'putConfig', 'deleteConfig']) await call(name, { key })
  for (const name of ['createGsmRule', 'retrieveGsmRule', 'updateGsmRule', 'deleteGsmRule']) await call(name)
  // As it would stand there if it had failed ten times.
  await query(
    `insert into jobs values ('chairs', 'processor_operations.poll_at', 'payment ${EXAMPLE_PAYMENT} 1', 'job_Y6hQ0vT2mKd81xWcRfLz', 10, 0, 'TypeError: the answer made no sense', $1, null, $1)`,
    ['2026-03-02T09:00:00.000Z'],
  )
  await call('listJobs')
  await call('retryJob', { job_id: 'job_Y6hQ0vT2mKd81xWcRfLz' })

  caller.credential = api_key
  await call('verifyCredentials')
  await call('createPayment', {}, { payment_id: EXAMPLE_PAYMENT })
  await call('createRefund', {}, { refund_id: EXAMPLE_REFUND })
  await call('retrieveRefund', { refund_id: EXAMPLE_REFUND })
  await call('updateRefund', { refund_id: EXAMPLE_REFUND })
  await call('syncRefund')
  await call('retrievePayment', { payment_id: EXAMPLE_PAYMENT })
  await call('syncPayment')
  /** What there is of a list's operations: not each resource has all of them. */
  const listOf = async (name: string, time: { start_time: string }) => {
    const ask = async (does: string, asked: Record<string, string> = {}, more: Body = {}) => {
      if (endpoints.some(endpoint => endpoint.name === does)) await call(does, asked, more)
    }
    for (const variant of ['', 'OfProfile']) {
      await ask(`list${name}${variant}`, { limit: '1' })
      await ask(`search${name}${variant}`, {}, { status: undefined, ...(name !== 'Payouts' && { currency: undefined }) })
      for (const does of ['export', 'filter', 'filters']) await ask(`${does}${name}${variant}`)
      await ask(`aggregate${name}${variant}`, time)
    }
  }
  for (const name of ['Payments', 'Refunds']) await listOf(name, { start_time: '2026-01-01T00:00:00.000Z' })
  await call('listEvents', { object_id: EXAMPLE_PAYMENT })
  // It goes on for ever: its first words are its example.
  const stream = await request(`${service.url}/events/stream`, { headers: { 'api-key': caller.credential } })
  for await (const chunk of stream.body) {
    kept.streamEvents = { asked: {}, text: String(chunk) }
    break
  }
  await service.tick()
  await call('searchObjects', { q: EXAMPLE_PAYMENT })
  const { log_id } = (await call('listRequestLogs', { object_id: EXAMPLE_PAYMENT })).data[0]
  await call('retrieveRequestLog', { log_id })
  const { endpoint_id } = await call('createWebhookEndpoint')
  const endpoint = { endpoint_id }
  await call('retrieveWebhookEndpoint', endpoint)
  await call('updateWebhookEndpoint', endpoint)
  await call('listWebhookEndpoints')
  await call('rotateWebhookSecret', endpoint)
  await call('testWebhookEndpoint', endpoint)
  const { endpoint_id: listening } = await call('createWebhookEndpoint', {}, { event_types: ['payment.succeeded'] })
  await call('createPayment', {}, { payment_id: `${EXAMPLE_PAYMENT.slice(0, -1)}Z` })
  await service.tick()
  await call('listDeliveries', { endpoint_id: listening, limit: '1' })
  const [{ event_id }] = (await call('listEvents')).data
  await call('retrieveEvent', { event_id })
  await call('searchEvents', { merchant_id })
  await call('searchOwnEvents')
  await call('listEventAttempts', { merchant_id, event_id })
  await call('retryEvent', { merchant_id, event_id })
  await call('replayEvents', endpoint)
  await call('deleteWebhookEndpoint', endpoint)

  await call('block')
  await call('listBlocked', { data_kind: 'card_bin' })
  await call('unblock')
  await call('toggleBlocklist', { status: 'true' })
  const { job_id } = await call('uploadBlocklist', {}, {}, formOf(examples.uploadBlocklist!.value))
  await call('listBlocklistBatches')
  await call('retrieveBlocklistBatch', { job_id })
  await call('listAudit', { object_kind: 'blocklist_entry', limit: '2' })

  /** A payment of the shop's second customer: held, and then taken in part or let go. */
  async function hold(which: string): Promise<{ payment_id: string }> {
    const later = { confirm: false, capture_method: 'manual', payment_method: null, payment_method_data: null }
    const { payment_id } = await call('createPayment', {}, { ...later, metadata: { order: which } })
    await call('confirmPayment', { payment_id })
    return { payment_id }
  }
  await call('capturePayment', await hold('1048'))
  await call('cancelPayment', await hold('1049'))

  /** A payment whose customer is challenged, passes, and is about to come back. */
  async function challenge(which: string): Promise<Record<string, string>> {
    const card = { ...(examples.createPayment!.value.payment_method_data as Body).card, card_number: cards.challenges }
    const asked = { authentication_type: 'three_ds', payment_method_data: { card }, metadata: { order: which } }
    const { payment_id, reference_id, attempt_count } = await call('createPayment', {}, asked)
    const bank = await call('startChallenge', { payment_id, merchant_id, attempt_id: `${payment_id}_${attempt_count}` })
    const { headers } = await http('POST', `${bank}/accept`, '', { 'content-type': 'application/x-www-form-urlencoded' })
    const request_id = String(headers.location).split('/').at(-1)!
    equal(reference_id === null || reference_id === request_id, true)
    return { payment_id, merchant_id, connector: 'phonypay', request_id }
  }
  await call('customerReturned', await challenge('1050'))
  await call('customerReturnedUnnamed', await challenge('1052'))
  await call('customerReturnedByPost', await challenge('1051'))

  const [operation] = await openProcessor(sandbox.url, merchant_id).operations()
  const operationEvent = JSON.stringify({ id: 'evt_1', type: 'operation.updated', created_at: new Date(fate.now).toISOString(), operation })
  const receives = { merchant_id, merchant_connector_id }
  const signedEvent = (body?: string) => ({ ...(body && { body }), headers: { 'x-sandbox-signature': signed(body ?? '') } })
  await call('receiveWebhook', receives, {}, signedEvent(operationEvent))

  const bank = openProcessor(sandbox.url, 'sandbox_chairs')
  /** A payment that its customer disputes: the processor tells of it. */
  async function dispute(which: string): Promise<{ dispute_id: string }> {
    const { payment_id } = await call('createPayment', {}, { metadata: { order: which } })
    const { connector_transaction_id } = await call('retrievePayment', { payment_id })
    const raised = await bank.call('POST', `/control/payments/${connector_transaction_id}/dispute`, { reason: 'product_not_received' })
    const disputeEvent = JSON.stringify({ id: 'evt_2', type: 'dispute.updated', dispute: raised })
    const address = `/webhooks/${merchant_id}/${merchant_connector_id}`
    await http('POST', service.url + address, disputeEvent, {
      'content-type': 'application/json',
      'x-sandbox-signature': signed(disputeEvent),
    })
    return { dispute_id: (await call('retrievePayment', { payment_id })).disputes[0].dispute_id }
  }
  const contested = await dispute('1060')
  await call('retrieveDispute', contested)
  const evidence = formOf({ ...examples.attachEvidence!.value, ...contested })
  await call('attachEvidence', {}, {}, evidence)
  const [attached] = await call('retrieveEvidence', contested)
  await call('retrieveFile', { file_id: attached.file_metadata_response.file_id })
  await call('deleteEvidence', {}, contested)
  await call('attachEvidence', {}, {}, evidence)
  const { file_id } = await call('uploadFile', {}, {}, formOf({ ...examples.uploadFile!.value, ...contested }))
  await call('deleteFile', { file_id })
  await call('saveEvidenceDraft', contested)
  await call('retrieveEvidenceDraft', contested)
  await call('submitEvidence', {}, contested)
  await call('fetchDisputes', { connector_id: 'phonypay', fetch_from: '2026-01-01T00:00:00.000Z', fetch_till: '2027-01-01T00:00:00.000Z' })
  await call('acceptDispute', await dispute('1061'))
  const sold = await call('createPayment', {}, { metadata: { order: '1062' } })
  await listOf('Disputes', { start_time: '2026-01-01T00:00:00.000Z' })
  const { dispute_id } = await call('createDispute', {}, { payment_id: sold.payment_id })
  await call('updateDisputeStatus', { dispute_id })

  const { customer_id } = await call('createCustomer')
  await call('updateCustomer', { customer_id })
  await call('retrieveCustomer', { customer_id })
  await call('listCustomers')
  await call('listCustomersWithCount')
  const { id: ephemeral_key_id } = await call('createEphemeralKey')
  const { payment_method_id } = await call('createPaymentMethod', {}, { customer_id })
  await call('retrievePaymentMethod', { payment_method_id })
  await call('updatePaymentMethod', { payment_method_id })
  await call('listCustomerPaymentMethods', { customer_id })
  await call('listPaymentMethods')
  await call('retrieveCardBin', { bin: '424242' })
  const basket = await call('createPayment', {}, { customer_id, confirm: false, payment_method: null, payment_method_data: null })
  caller.credential = publishable_key
  await call('listOwnPaymentMethods', { client_secret: basket.client_secret })
  await call('retrieveSdkConfig', { platform: 'web', client_secret: basket.client_secret })
  await call('retrieveForCheckout', { payment_id: basket.payment_id, client_secret: basket.client_secret })
  caller.credential = api_key
  const waiting = await call('createPaymentMethod', {}, { customer_id, card: null })
  await call(
    'savePaymentMethod',
    { payment_method_id: waiting.payment_method_id },
    { payment_method_data: { card: { ...examples.createPaymentMethod!.value.card, card_number: '5555555555554444' } } },
  )
  const { pm_collect_link_id, link } = await call('createCollectLink', {}, { customer_id })
  const [, client_secret] = (await http('GET', link)).text.match(/"client_secret":"(\w+)"/)!
  caller.credential = publishable_key
  await call('submitCollectLink', { merchant_id, pm_collect_link_id }, { client_secret })
  caller.credential = api_key
  await call('showCollectLink', { merchant_id, pm_collect_link_id })
  await call('setDefaultPaymentMethod', { customer_id, payment_method_id: waiting.payment_method_id })
  await call('setDefaultPaymentMethodToo', { customer_id, payment_method_id })
  const agreed = { setup_future_usage: 'off_session', customer_acceptance: { acceptance_type: 'offline' } }
  const mandate_data = { mandate_type: { multi_use: { amount: 10_000, currency: 'USD' } } }
  const { mandate_id } = await call('createPayment', {}, { payment_id: null, customer_id, ...agreed, mandate_data })
  await call('retrieveMandate', { mandate_id })
  await call('listCustomerMandates', { customer_id })
  await call('listMandates')
  await call('listLedgerBalances')
  await call('listLedgerEntries')
  await call('exportLedgerEntries', { object_id: EXAMPLE_PAYMENT })
  await call('revokeMandate', { mandate_id })
  await call('deletePaymentMethod', { payment_method_id })
  await call('deleteCustomerPaymentMethod', { customer_id, payment_method_id: waiting.payment_method_id })
  await call('deleteEphemeralKey', { ephemeral_key_id })
  await call('deleteCustomer', { customer_id })
  const asPayer = { connector_type: 'payout_processor', connector_label: 'phonypay payouts' }
  await call('createConnectorAccount', { merchant_id }, asPayer)
  await call('createPayout', {}, { payout_id: EXAMPLE_PAYOUT })
  await call('retrievePayout', { payout_id: EXAMPLE_PAYOUT })
  const drafted = { confirm: false, auto_fulfill: false, payout_method_data: null, payout_type: null }
  /** One that waits for its merchant's last word. */
  async function draft(description: string): Promise<{ payout_id: string }> {
    const { payout_id } = await call('createPayout', {}, { ...drafted, description })
    await call('updatePayout', { payout_id })
    await call('putPayout', { payout_id })
    await call('confirmPayout', { payout_id })
    return { payout_id }
  }
  const linkOfPayout = { ...drafted, payout_link: true, customer_id: 'grace' }
  const withLink = await call('createPayout', {}, linkOfPayout)
  await call('showPayoutLink', { merchant_id, payout_id: withLink.payout_id })
  caller.credential = publishable_key
  await call('retrievePayoutForRecipient', { payout_id: withLink.payout_id, client_secret: withLink.client_secret })
  caller.credential = api_key
  const looked = await draft('looked at')
  await call('fulfillPayout', looked, looked)
  const dropped = await draft('dropped')
  await call('cancelPayout', dropped, dropped)
  await listOf('Payouts', { start_time: '2026-01-01T00:00:00.000Z' })
  const [{ profile_id: main }] = await call('retrieveFallbacks')
  const { id: routing_algorithm_id } = await call('createRouting', {}, { profile_id: main })
  await call('listRouting', { profile_id: main })
  await call('retrieveRouting', { routing_algorithm_id })
  await call('evaluateRouting', {}, { algorithm_id: routing_algorithm_id })
  await call('simulateRouting')
  await call('activateRouting', { routing_algorithm_id })
  await call('retrieveActiveRouting', { profile_id: main })
  await call('deactivateRouting', {}, { profile_id: main })
  await call('retrieveFallback')
  await call('setFallback')
  await call('setFallbackOfProfile', { profile_id: main })
  const { id: of_payouts } = await call('createPayoutRouting', {}, { profile_id: main })
  const itsId = { routing_algorithm_id: of_payouts }
  await call('listPayoutRouting', { profile_id: main })
  await call('retrievePayoutRouting', itsId)
  await call('activatePayoutRouting', itsId)
  await call('retrieveActivePayoutRouting', { profile_id: main })
  await call('deactivatePayoutRouting', {}, { profile_id: main })
  await call('retrievePayoutFallback')
  await call('setPayoutFallback')
  await call('retrievePayoutFallbacks')
  await call('setPayoutFallbackOfProfile', { profile_id: main })
  const profile = { merchant_id, profile_id: main }
  for (const kind of ['SuccessBased', 'Elimination']) {
    const { id: algorithm_id } = await call(`create${kind}Routing`, { ...profile, enable: 'metrics' })
    await call(`toggle${kind}Routing`, { ...profile, enable: 'dynamic_connector_selection' })
    await call(`update${kind}Routing`, { ...profile, algorithm_id })
  }
  const promised = { label: 'phonypay', mca_id: merchant_connector_id, target_count: 10_000, target_time: 1_900_000_000 }
  const contracts = { label_info: [promised] }
  const { id: algorithm_id } = await call('toggleContractBasedRouting', { ...profile, enable: 'metrics' }, contracts)
  await call('updateContractBasedRouting', { ...profile, algorithm_id }, contracts)
  const paymentInfo = { paymentId: 'order-1', amount: 12_950, currency: 'USD' }
  await call('evaluateRouting', {}, { paymentInfo })
  await call('routingFeedback', {}, { merchantId: merchant_id })
  await call('evaluateRule', {}, { created_by: main })
  await call('setDynamicShare', { ...profile, split: '50' })

  const stay = { capture_method: 'manual', request_incremental_authorization: true, request_extended_authorization: true }
  await call('completeAuthorize', await hold('1056'))
  const asked = await call('createPayment', {}, { confirm: false, metadata: { order: '1057' } })
  await call('checkEligibility', { payment_id: asked.payment_id })
  await call('checkEligibilityToo', { payment_id: asked.payment_id })
  const order = await call('createPayment', {}, { confirm: false, metadata: { order: '1052' } })
  await call('updatePayment', { payment_id: order.payment_id })
  const linked = { confirm: false, payment_link: true, payment_method: null, payment_method_data: null, metadata: { order: '1058' } }
  const { payment_id: paidByLink, payment_link } = await call('createPayment', {}, linked)
  const opens = `${service.url}/account/${merchant_id}/connectors/${merchant_connector_id}`
  const payment_methods_enabled = [
    { payment_method: 'card' },
    {
      payment_method: 'wallet',
      payment_method_types: ['paypal', 'google_pay', 'apple_pay'].map(payment_method_type => ({ payment_method_type })),
    },
  ]
  const opening = { connector_type: 'payment_processor', payment_methods_enabled, connector_wallets_details: wallets }
  await http('POST', opens, opening, { 'api-key': api_key })
  await call('createSessionTokens', {}, { payment_id: paidByLink })
  const taxed = `${service.url}/account/${merchant_id}/business_profile/${main}`
  await http('POST', taxed, { tax_rates: [{ country: 'NO', rate: 25 }] }, { 'api-key': api_key })
  await call('calculateTax', { payment_id: paidByLink })
  await call('postSessionTokens', { payment_id: paidByLink })
  await call('retrievePaymentLink', { payment_link_id: payment_link.payment_link_id })
  await call('showPaymentLink', { merchant_id, payment_id: paidByLink })
  const [shopsOwn] = (await http('GET', `${service.url}/account/${merchant_id}/business_profile`, undefined, { 'api-key': api_key })).body
  const framing = { payment_link_config: { allowed_domains: ['shop.example'] } }
  await http('POST', `${service.url}/account/${merchant_id}/business_profile/${shopsOwn.profile_id}`, framing, { 'api-key': api_key })
  await call('showSecurePaymentLink', { merchant_id, payment_id: paidByLink })
  await call('updateMetadata', await hold('1053'))
  const room = await call('createPayment', {}, { ...stay, metadata: { order: '1054' } })
  await call('incrementAuthorization', { payment_id: room.payment_id })
  await call('extendAuthorization', { payment_id: room.payment_id })
  const parcels = await call('createPayment', {}, { capture_method: 'manual_multiple', metadata: { order: '1056' } })
  await http('POST', `${service.url}/payments/${parcels.payment_id}/capture`, { amount_to_capture: 1000 }, { 'api-key': api_key })
  await call('releasePayment', { payment_id: parcels.payment_id })
  const short = { ...(examples.createPayment!.value.payment_method_data as Body).card, card_number: cards.declines }
  const declined = await call('createPayment', {}, { payment_method_data: { card: short }, metadata: { order: '1057' } })
  await call('expireSession', { payment_id: declined.payment_id })
  const soldOut = await call('createPayment', {}, { metadata: { order: '1055' } })
  await call('cancelPostCapture', { payment_id: soldOut.payment_id })
  await call('retrieveCancelPostCapture', { payment_id: soldOut.payment_id })
  // A directory authenticates the customers of the shop.
  const own = { 'api-key': api_key }
  const directory = { ...examples.createConnectorAccount!.value, connector_type: 'authentication_processor', connector_label: 'directory' }
  await http('POST', `${service.url}/account/${merchant_id}/connectors`, directory, own)
  const authentication_connector_details = { authentication_connectors: ['phonypay'], three_ds_requestor_url: 'https://shop.example/' }
  await http(
    'POST',
    `${service.url}/account/${merchant_id}/business_profile/${shopsOwn.profile_id}`,
    { authentication_connector_details },
    own,
  )
  for (const [name, order] of [
    ['customerAuthenticated', '1059'],
    ['customerAuthenticatedByPost', '1060'],
  ] as const) {
    const apart = { authentication_type: 'three_ds', request_external_three_ds_authentication: true, metadata: { order } }
    const { payment_id, client_secret, next_action } = await call('createPayment', {}, apart)
    const { poll_config, three_ds_authorize_url } = next_action.three_ds_data
    caller.credential = publishable_key
    await call('askIssuer', { payment_id }, { client_secret })
    await call('pollStatus', { poll_id: poll_config.poll_id })
    caller.credential = api_key
    const request_id = three_ds_authorize_url.split('/').at(-1)
    await call(name, { payment_id, merchant_id, connector: 'phonypay', request_id })
    const decided = await call('retrievePayment', { payment_id })
    await call('showWaitingPage', { payment_id, merchant_id, request_id: decided.reference_id })
  }

  // An operation without an answer, which the operator has looked for at the processor.
  const lost = { ...(examples.createPayment!.value.payment_method_data as Body).card, card_number: cards.resets }
  const unheard = await call('createPayment', {}, { payment_method_data: { card: lost }, metadata: { order: '1081' } })
  const slow = { payment_method_data: { card: { ...lost, card_number: cards.refundsLater } } }
  const unrefunded = await call('createPayment', {}, { ...slow, metadata: { order: '1082' } })
  const unanswered = await call('createRefund', {}, { payment_id: unrefunded.payment_id, amount: 500, refund_id: undefined })
  fate.now += 180_000
  caller.credential = ADMIN_KEY
  await call('updatePaymentManually', { payment_id: unheard.payment_id }, { merchant_id })
  await call('updateRefundManually', { refund_id: unanswered.refund_id }, { merchant_id })
  const publicKey = createPublicKey({ key: merchantsKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const shop = `${service.url}/account/${merchant_id}/business_profile/${shopsOwn.profile_id}`
  await http('POST', shop, { extended_card_info_config: { public_key: publicKey } }, { 'api-key': ADMIN_KEY })
  await http('POST', `${shop}/toggle_extended_card_info`, { enabled: true }, { 'api-key': ADMIN_KEY })
  caller.credential = api_key
  const shown = await call('createPayment', {}, { metadata: { order: '1083' } })
  await call('retrieveExtendedCardInfo', { payment_id: shown.payment_id })
  caller.credential = ADMIN_KEY
  const { profile_id } = await call('createProfile', { merchant_id })
  const outlet = { merchant_id, profile_id }
  await call('updateProfile', outlet)
  await call('retrieveProfile', outlet)
  await call('listProfiles', { merchant_id })
  await call('listOwnProfiles', { merchant_id })
  const more = { profile_id }
  const second = await call('createConnectorAccount', { merchant_id }, more)
  await call('deleteConnectorAccount', { merchant_id, merchant_connector_id: second.merchant_connector_id })
  await call('deleteProfile', outlet)
  const lent = await call('createApiKey', { merchant_id }, { name: 'lent' })
  await call('revokeApiKey', { merchant_id, key_id: lent.key_id })
  await call('createMerchantAccount', {}, { merchant_id: 'stools' })
  await call('deleteMerchantAccount', { merchant_id: 'stools' })
  await firstPeople(day, merchant_id, api_key)
  // No answer names an operation by itself: a list does.
  for (const path of [`payments/${EXAMPLE_PAYMENT}`, `payouts/${EXAMPLE_PAYOUT}`]) {
    const operations = await http('GET', `${service.url}/${path}/operations`, undefined, { 'api-key': api_key })
    ids.get('request_id')!.add(operations.body.data[0].request_id)
  }
  const mover = await http('POST', `${service.url}/customers`, { name: 'Joan' }, { 'api-key': api_key })
  caller.credential = api_key
  await call('migratePaymentMethod', {}, { customer_id: mover.body.customer_id })
  caller.credential = ADMIN_KEY
  await service.tick()
  await settle(day, merchant_connector_id, api_key)
  caller.credential = ADMIN_KEY
  // What needs nothing but what is there by now, with its own example.
  await call('putWebhook', receives, {}, signedEvent(operationEvent))
  await call('getWebhook', receives, {}, signedEvent())
  for (const endpoint of endpoints) if (!kept[endpoint.name]) await play(endpoint)
  return kept
}

/** Once all customers are deleted, no answer that is stored under a key contains their data. */
async function deleteCustomers(day: Day): Promise<void> {
  const { service, query, again, caller } = day
  await lastCustomer(day)
  const personal = ['grace@example.com', 'grace.hopper@example.com', 'Grace Hopper', '2025550143']
  const seen = await again.containing(personal)
  deepEqual(
    ['createCustomer', 'createPayment', 'createPayout', 'updatePayment'].filter(name => !seen.includes(name)),
    [],
    'this test would see them',
  )
  const people = await query('select merchant_id, customer_id from customers where redacted_at is null')
  for (const { customer_id } of people)
    await http('DELETE', `${service.url}/customers/${customer_id}`, undefined, { 'api-key': caller.api_key })
  for (let minutes = 0; minutes < 5; minutes++) {
    fate.now += 60_000
    await service.tick()
  }
  deepEqual(again.missing(), [], 'every operation that takes a key was answered under one')
  deepEqual(await again.containing(personal), [], 'no stored answer outlives a customer')
}

test('the documented example responses match the real responses (if not: npm run docs)', async () => {
  const day = await openDay()
  // The document that answers are compared with is written from what is recorded here.
  if (isRecorded) ofOtherReleases.add(new URL(day.service.url).origin)
  const now = await firstDay(day)
  deepEqual(Object.keys(now).sort(), endpoints.map(endpoint => endpoint.name).sort(), 'every operation is shown')
  if (isRecorded) return writeAnswers(now)
  const frozen = answers()
  // Each by itself: the difference of the whole document is too long to be read.
  for (const [name, answer] of Object.entries(now)) deepEqual(answer, frozen[name], name)
  await deleteCustomers(day)
})
