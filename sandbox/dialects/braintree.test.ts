import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import braintree from 'braintree'
import { cards } from '../../test/cards.ts'
import { context, openShop, openTestSandbox } from '../test-shop.ts'

/**
 * Braintree's dialect as its own client library finds it: its GraphQL client pays, captures, voids, refunds and looks
 * up, and its webhook parser reads what is announced.
 */

const { url } = await openTestSandbox()

type Letter = { type: string | undefined; text: string }
const letters: Letter[] = []
const postbox = createServer(async (asked, answer) => {
  let text = ''
  for await (const chunk of asked) text += chunk
  letters.push({ type: asked.headers['content-type'], text })
  answer.writeHead(200).end()
})
await new Promise<void>(resolve => postbox.listen(0, '127.0.0.1', resolve))
after(() => postbox.close())

// biome-ignore lint/suspicious/noExplicitAny: the library says nothing of its answers
type Reply = any
type GraphQlClient = { query(document: string, variables?: object): Promise<Reply> }

function openClient(key = `sandbox_${randomUUID()}`) {
  const { hostname, port } = new URL(url)
  const environment = Object.assign(Object.create(braintree.Environment.Sandbox as object), {
    ...{ ssl: false, graphQLServer: hostname, graphQLPort: port, baseGraphQLUrl: () => '/braintree/graphql' },
  })
  const gateway = new braintree.BraintreeGateway({ environment, merchantId: 'shop', publicKey: key, privateKey: key })
  const { graphQLClient } = gateway as unknown as { graphQLClient: GraphQlClient }
  const ask = async (document: string, variables?: object): Promise<Reply> => {
    const { data, errors } = await graphQLClient.query(document, variables)
    return errors ? { errors } : data
  }
  return { ask, gateway, sandbox: openShop(url, { key }) }
}
type Client = ReturnType<typeof openClient>

const money = 'amount { value currencyCode }'
const TOKENIZE = 'mutation ($input: TokenizeCreditCardInput!) { tokenizeCreditCard(input: $input) { paymentMethod { id usage } } }'
const CHARGE = `mutation ($input: ChargePaymentMethodInput!) { chargePaymentMethod(input: $input) {
  transaction { id legacyId status orderId ${money} paymentMethod { id }
    statusHistory { __typename status ... on ProcessorDeclinedEvent { processorResponse { legacyCode } } } } } }`
const AUTHORIZE = `mutation ($input: AuthorizePaymentMethodInput!) { authorizePaymentMethod(input: $input) {
  transaction { id status ${money} } } }`
const CAPTURE = `mutation ($input: CaptureTransactionInput!) { captureTransaction(input: $input) { transaction { id status ${money} } } }`
const REVERSE = `mutation ($input: ReverseTransactionInput!) { reverseTransaction(input: $input) {
  reversal { __typename ... on Transaction { id status } ... on Refund { id orderId ${money} } } } }`
const REFUND = `mutation ($input: RefundTransactionInput!) { refundTransaction(input: $input) { refund { id orderId ${money} } } }`
const READ = `query ($id: ID!) { node(id: $id) { __typename ... on Transaction { status ${money} refunds { orderId ${money} } } } }`
const SEARCH = `query ($orderId: String) { search { transactions(input: { orderId: { is: $orderId } }) { edges { node { id status } } } } }`

async function tokenOf({ ask }: Client, number: string = cards.approves, more: object = {}): Promise<Reply> {
  const creditCard = { number, expirationMonth: '03', expirationYear: '2090', cvv: '100', ...more }
  const reply = await ask(TOKENIZE, { input: { creditCard } })
  return reply.errors ? reply : reply.tokenizeCreditCard.paymentMethod.id
}
async function charge(client: Client, transaction: object = {}, more: object = {}, number?: string): Promise<Reply> {
  const input = {
    paymentMethodId: await tokenOf(client, number),
    transaction: { amount: '12.50', orderId: `order-${randomUUID()}`, ...transaction },
    ...more,
  }
  const reply = await client.ask(CHARGE, { input })
  return reply.errors ? reply : reply.chargePaymentMethod.transaction
}
const codesOf = ({ errors }: Reply): string[] => errors.map((one: Reply) => one.extensions.legacyCode)

test('the Braintree client library pays, and finds the payment by its id and its order id', async () => {
  const client = openClient()
  const paid = await charge(client, { orderId: 'order-1' })
  deepEqual([paid.status, paid.orderId, paid.amount], ['SUBMITTED_FOR_SETTLEMENT', 'order-1', { value: '12.50', currencyCode: 'USD' }])
  deepEqual(
    paid.statusHistory.map((one: Reply) => one.__typename),
    ['SubmittedForSettlementEvent', 'AuthorizedEvent'],
  )
  equal((await client.ask(READ, { id: paid.id })).node.status, 'SUBMITTED_FOR_SETTLEMENT')
  deepEqual((await client.ask(SEARCH, { orderId: 'order-1' })).search.transactions.edges, [{ node: { id: paid.id, status: paid.status } }])
  deepEqual((await client.ask(SEARCH, { orderId: 'order-2' })).search.transactions.edges, [])
  equal((await client.ask('query { ping }')).ping, 'pong')
  await rejects(openClient('private_invalid').ask(SEARCH, { orderId: 'order-1' }), { type: 'authenticationError' })
  await rejects(client.ask(READ, { id: 'unknown' }), { type: 'notFoundError' })
})

test('a payment is made once per request key; a reused key with other input is refused until it expires', async () => {
  const client = openClient()
  const input = { apiRequestKey: 'key-1', paymentMethodId: await tokenOf(client), transaction: { amount: '12.50', orderId: 'order-1' } }
  const first = (await client.ask(CHARGE, { input })).chargePaymentMethod.transaction
  equal((await client.ask(CHARGE, { input })).chargePaymentMethod.transaction.id, first.id)
  const other = { ...input, paymentMethodId: await tokenOf(client) }
  deepEqual(codesOf(await client.ask(CHARGE, { input: other })), ['915232'])
  equal((await client.sandbox.charges()).length, 1)
  context.pass(31 * 24 * 3_600_000)
  equal((await client.ask(CHARGE, { input: other })).chargePaymentMethod.transaction.status, 'SUBMITTED_FOR_SETTLEMENT')
})

test('a single-use payment method token can be used only once', async () => {
  const client = openClient()
  const paymentMethodId = await tokenOf(client)
  const input = { paymentMethodId, transaction: { amount: '12.50' } }
  equal((await client.ask(CHARGE, { input })).errors, undefined)
  deepEqual(codesOf(await client.ask(CHARGE, { input })), ['91564'])
  deepEqual(codesOf(await client.ask(CHARGE, { input: { ...input, paymentMethodId: 'unknown' } })), ['91565'])
  deepEqual(codesOf(await tokenOf(client, '4242424242424241')), ['81715'])
  deepEqual(codesOf(await tokenOf(client, cards.approves, { expirationMonth: '13' })), ['81712'])
})

test('a saved card can be charged again', async () => {
  const client = openClient()
  const kept = await charge(client, { vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' } })
  const input = { paymentMethodId: kept.paymentMethod.id, transaction: { amount: '7.00', paymentInitiator: 'UNSCHEDULED' } }
  for (let i = 0; i < 2; i++)
    equal((await client.ask(CHARGE, { input })).chargePaymentMethod.transaction.status, 'SUBMITTED_FOR_SETTLEMENT')
})

const kinds = { PayPalAccount: 'fake-paypal-billing-agreement-nonce', VenmoAccount: 'fake-venmo-account-nonce' }
const payBy = (kind: string) => `mutation ($input: Charge${kind}Input!) { charge${kind}(input: $input) {
  transaction { id status paymentMethodSnapshot { __typename } paymentMethod { id customer { id } } } } }`
const MAKE = 'mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }'

test('the single-use test tokens of PayPal and Venmo are charged as their own type, saved for a customer, and charged again', async () => {
  const client = openClient()
  const { customer } = (await client.ask(MAKE, { input: { customer: { firstName: 'Ada', email: 'ada@example.com' } } })).createCustomer
  for (const [kind, nonce] of Object.entries(kinds)) {
    const transaction = {
      amount: '12.50',
      customerId: customer.id,
      vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' },
    }
    const reply = await client.ask(payBy(kind), { input: { paymentMethodId: nonce, transaction } })
    const paid = reply[`charge${kind}`].transaction
    deepEqual(
      [paid.status, paid.paymentMethodSnapshot.__typename, paid.paymentMethod.customer.id],
      kind === 'PayPalAccount'
        ? ['SETTLING', 'PayPalTransactionDetails', customer.id]
        : ['SUBMITTED_FOR_SETTLEMENT', 'VenmoAccountDetails', customer.id],
    )
    const again = { paymentMethodId: paid.paymentMethod.id, transaction: { amount: '7.00', paymentInitiator: 'RECURRING' } }
    equal((await client.ask(payBy(kind), { input: again }))[`charge${kind}`].transaction.status, paid.status)
    const detailed = { ...again, transaction: { amount: '7.00', customerDetails: { email: 'ada@example.com' } } }
    deepEqual(codesOf(await client.ask(payBy(kind), { input: detailed })), ['91510'], 'whose it is is known')
    const other = Object.values(kinds).find(one => one !== nonce)
    deepEqual(codesOf(await client.ask(payBy(kind), { input: { paymentMethodId: other, transaction: { amount: '7.00' } } })), ['915101'])
  }
  const once = { paymentMethodId: 'fake-paypal-one-time-nonce', transaction: { amount: '1.00', customerId: customer.id } }
  const kept = { ...once.transaction, vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' } }
  const paid = await client.ask(payBy('PayPalAccount'), { input: { ...once, transaction: kept } })
  equal(paid.chargePayPalAccount.transaction.paymentMethod, null)
})

test('a customer is created, updated, read and deleted; a client token is created for the page', async () => {
  const client = openClient()
  const { id } = (await client.ask(MAKE, { input: { customer: { firstName: 'Ada' } } })).createCustomer.customer
  const input = { customerId: id, customer: { email: 'ada@example.com' } }
  const read = () => client.ask('query ($id: ID!) { node(id: $id) { ... on Customer { firstName email } } }', { id })
  await client.ask('mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { customer { id } } }', { input })
  deepEqual((await read()).node, { firstName: 'Ada', email: 'ada@example.com' })
  const gone = 'mutation ($input: DeleteCustomerInput!) { deleteCustomer(input: $input) { clientMutationId } }'
  await client.ask(gone, { input: { customerId: id } })
  await rejects(read(), { type: 'notFoundError' })
  const token = 'mutation ($input: CreateClientTokenInput) { createClientToken(input: $input) { clientToken } }'
  const { clientToken } = (await client.ask(token)).createClientToken
  equal(JSON.parse(Buffer.from(clientToken, 'base64').toString()).version, 2)
  deepEqual(codesOf(await client.ask(token, { input: { clientToken: { merchantAccountId: 'unknown' } } })), ['91513'])
})

test('an authorization is captured only once, never for more than its amount; an uncaptured one can be voided', async () => {
  const client = openClient()
  const hold = async (): Promise<Reply> => {
    const input = { paymentMethodId: await tokenOf(client), transaction: { amount: '12.50' } }
    return (await client.ask(AUTHORIZE, { input })).authorizePaymentMethod.transaction
  }
  const { id, status } = await hold()
  equal(status, 'AUTHORIZED')
  const capture = (amount: string) => client.ask(CAPTURE, { input: { transactionId: id, transaction: { amount } } })
  deepEqual(codesOf(await capture('12.51')), ['91522'])
  const captured = (await capture('5.00')).captureTransaction.transaction
  deepEqual([captured.id, captured.status, captured.amount.value], [id, 'SUBMITTED_FOR_SETTLEMENT', '5.00'])
  deepEqual(codesOf(await capture('1.00')), ['91507'])
  const other = await hold()
  const reversed = await client.ask(REVERSE, { input: { transactionId: other.id } })
  deepEqual(reversed.reverseTransaction.reversal, { __typename: 'Transaction', id: other.id, status: 'VOIDED' })
  deepEqual(codesOf(await client.ask(REVERSE, { input: { transactionId: other.id } })), ['91504'])
})

test('a payment is voided as a whole before settlement, and refunded after it', async () => {
  const client = openClient()
  const [first, second, third] = [await charge(client), await charge(client), await charge(client)]
  const refund = (transactionId: string, of: object) => client.ask(REFUND, { input: { transactionId, refund: of } })
  deepEqual(codesOf(await refund(first.id, { amount: '5.00' })), ['91506'])
  equal((await client.ask(REVERSE, { input: { transactionId: first.id } })).reverseTransaction.reversal.status, 'VOIDED')
  context.pass(24 * 3_600_000)
  equal((await client.ask(READ, { id: second.id })).node.status, 'SETTLED')
  const back = (await refund(second.id, { amount: '5.00', orderId: 'back-1' })).refundTransaction.refund
  deepEqual([back.orderId, back.amount.value], ['back-1', '5.00'])
  deepEqual(codesOf(await refund(second.id, { amount: '7.51' })), ['91521'])
  deepEqual((await client.ask(READ, { id: second.id })).node.refunds, [
    { orderId: 'back-1', amount: { value: '5.00', currencyCode: 'USD' } },
  ])
  const { reversal } = (await client.ask(REVERSE, { input: { transactionId: third.id } })).reverseTransaction
  deepEqual([reversal.__typename, reversal.amount.value, reversal.orderId], ['Refund', '12.50', third.orderId])
  deepEqual(
    (await client.sandbox.charges()).map(({ captured, refunded }: Reply) => captured - refunded),
    [0, 750, 0],
  )
})

test('test amounts select the result, and the merchant account selects the currency', async () => {
  const client = openClient()
  for (const [amount, status, code] of [
    ['2000.00', 'PROCESSOR_DECLINED', '2000'],
    ['2015.99', 'PROCESSOR_DECLINED', '2015'],
    ['3000.00', 'FAILED', undefined],
    ['5001.00', 'GATEWAY_REJECTED', undefined],
    ['1999.99', 'SUBMITTED_FOR_SETTLEMENT', undefined],
  ]) {
    const reply = await charge(client, { amount })
    deepEqual([reply.status, reply.statusHistory[0].processorResponse?.legacyCode], [status, code], amount)
  }
  deepEqual((await charge(client, { amount: '2000', merchantAccountId: 'shop_jpy' })).amount, { value: '2000', currencyCode: 'JPY' })
  deepEqual(codesOf(await charge(client, { merchantAccountId: 'unknown' })), ['91513'])
})

test('a field that the schema does not have is refused at any depth, and nothing is paid', async () => {
  const client = openClient()
  const strange = { errors: true }
  for (const [transaction, more] of [
    [{ bogus: true }, {}],
    [{ descriptor: { bogus: 1 } }, {}],
    [{ amount: 12.5, shipping: { shippingAddress: { street: 'x' } } }, {}],
    [{}, { options: {} }],
  ])
    equal('errors' in (await charge(client, transaction, more)), strange.errors)
  deepEqual(await client.sandbox.charges(), [])
})

test('a dispute webhook is read and verified by the Braintree parser', async () => {
  const key = `sandbox_${randomUUID()}`
  const client = openClient(key)
  const { port } = postbox.address() as { port: number }
  await client.sandbox.settings({ webhook_url: `http://127.0.0.1:${port}/`, webhook_secret: 'not used' })
  const paid = await charge(client, { orderId: 'order-9' }, {}, cards.isDisputed)
  await client.sandbox.advance(0)
  equal(letters.length, 1, 'of a payment itself nothing is told')
  equal(letters[0]!.type, 'application/x-www-form-urlencoded')
  const form = new URLSearchParams(letters[0]!.text)
  const notification: Reply = await client.gateway.webhookNotification.parse(form.get('bt_signature')!, form.get('bt_payload')!)
  deepEqual(
    [notification.kind, notification.dispute.status, notification.dispute.transaction.orderId],
    ['dispute_opened', 'open', 'order-9'],
  )
  match(notification.dispute.id, /^\w{16}$/)
  equal(notification.dispute.transaction.id, paid.legacyId)
  await rejects(client.gateway.webhookNotification.parse(form.get('bt_signature')!, `${form.get('bt_payload')!}AAAA`))
})
