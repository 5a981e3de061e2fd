import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client, Environment, TransactionSearchController } from '@paypal/paypal-server-sdk'
import { context, openShop, openTestSandbox } from '../test-shop.ts'

/**
 * PayPal's search of transactions, as its own client library and its document have it: what moved the balance, three
 * hours late, within 31 days. Fees are 1.4 % and ten of what is charged, and 15 of a refund.
 */

const { url } = await openTestSandbox()
const HOUR_S = 3600
const [DAY_S, DAY_MS] = [24 * HOUR_S, 24 * HOUR_S * 1000]

type Sent = { method?: string; body?: object; token?: string }

async function send(path: string, { method = 'GET', body, token }: Sent = {}) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${url}/paypal${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads every answer
  return { status: response.status, body: (await response.json()) as any }
}

async function grant(key: string, client = 'client') {
  const authorization = `Basic ${Buffer.from(`${client}:${key}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(`${url}/paypal/v1/oauth2/token`, { method: 'POST', headers, body: 'grant_type=client_credentials' })
  return (await response.json()) as { access_token: string; scope: string }
}

async function open() {
  const key = `sandbox_${randomUUID()}`
  const sandbox = openShop(url, { key })
  // From one o'clock on, no day ends within some hours.
  const first = Math.ceil((DAY_MS - (context.now() % DAY_MS)) / 1000) + HOUR_S
  await sandbox.advance(first)
  let advanced = first * 1000
  const now = (): number => context.now() + advanced
  const token = async () => (await grant(key)).access_token
  const post = async (path: string, body: object) => (await send(path, { method: 'POST', body, token: await token() })).body
  return {
    ...{ key, sandbox, post, now },
    async advance(seconds: number) {
      await sandbox.advance(seconds)
      advanced += seconds * 1000
    },
    async pay(value: string, number = '4242424242424242') {
      const unit = { amount: { currency_code: 'USD', value }, custom_id: `order-${randomUUID()}` }
      const { id } = await post('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [unit] })
      const body = { payment_source: { card: { number, expiry: '2090-03', security_code: '123' } } }
      const paid = await post(`/v2/checkout/orders/${id}/capture`, body)
      return { order: id as string, capture: paid.purchase_units[0].payments.captures[0].id as string, ...unit }
    },
    async search(query: Record<string, string> = {}) {
      const span = { start_date: new Date(now() - 30 * DAY_MS).toISOString(), end_date: new Date(now()).toISOString() }
      return send(`/v1/reporting/transactions?${new URLSearchParams({ ...span, ...query })}`, { token: await token() })
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads every answer
const brief = ({ transaction_info: { transaction_event_code, transaction_amount, fee_amount, transaction_status } }: any) => [
  ...[transaction_event_code, transaction_amount.value, fee_amount?.value ?? null, transaction_status],
]

test('charges, refunds, disputes with their fee, and the withdrawal of the day are found, each with what it belongs to', async () => {
  const { pay, post, sandbox, advance, search } = await open()
  const sold = await pay('50.00')
  const refunded = await pay('30.00')
  const disputed = await pay('40.00')
  const whole = await pay('10.00')
  await post(`/v2/payments/captures/${refunded.capture}/refund`, {
    amount: { currency_code: 'USD', value: '12.00' },
    invoice_id: 'refund-1',
  })
  await post(`/v2/payments/captures/${whole.capture}/refund`, {})
  await sandbox.move(disputed.order, 'dispute', { amount: 1500 })
  equal((await search()).body.total_items, 0, 'three hours late')
  await advance(4 * HOUR_S)
  const { body } = await search()
  const byTime = body.transaction_details.map(brief)
  deepEqual(byTime.toSorted(), [
    ['T0006', '10.00', '-0.24', 'V'],
    ['T0006', '30.00', '-0.52', 'S'],
    ['T0006', '40.00', '-0.66', 'S'],
    ['T0006', '50.00', '-0.80', 'S'],
    ['T0106', '-15.00', null, 'S'],
    ['T1107', '-10.00', '-0.15', 'S'],
    ['T1107', '-12.00', '-0.15', 'S'],
    ['T1201', '-15.00', null, 'S'],
  ])
  // biome-ignore lint/suspicious/noExplicitAny: a test reads every answer
  const infos: any[] = body.transaction_details.map(({ transaction_info }: any) => transaction_info)
  const charge = infos.find(({ transaction_id }) => transaction_id === sold.capture)
  deepEqual([charge.custom_field, charge.paypal_reference_id], [sold.custom_id, undefined])
  const refund = infos.find(({ invoice_id }) => invoice_id === 'refund-1')
  deepEqual([refund.paypal_reference_id, refund.paypal_reference_id_type], [refunded.capture, 'TXN'])
  const taken = infos.find(({ transaction_event_code }) => transaction_event_code === 'T1201')
  equal(taken.paypal_reference_id, disputed.capture)
  equal(infos.find(({ transaction_event_code }) => transaction_event_code === 'T0106').paypal_reference_id, taken.transaction_id)
  await advance(DAY_S)
  const [withdrawal, ...others] = (await search({ transaction_type: 'T0400' })).body.transaction_details
  // 50 + 30 + 40 + 10 - 12 - 10 - 15 - 15, less fees of 0.80 + 0.52 + 0.66 + 0.24 + 2 × 0.15.
  deepEqual([others, withdrawal.transaction_info.transaction_amount], [[], { currency_code: 'USD', value: '-75.48' }])
  match(withdrawal.transaction_info.bank_reference_id, /^\d{8}USD$/)
})

test('what is pending or was denied is found only if others than those that moved the balance are asked for', async () => {
  const { pay, advance, search } = await open()
  await pay('20.00', '4000000000000002')
  await pay('30.00')
  await advance(4 * HOUR_S)
  deepEqual((await search()).body.transaction_details.map(brief), [['T0006', '30.00', '-0.52', 'S']])
  const all = (await search({ balance_affecting_records_only: 'N' })).body.transaction_details.map(brief).toSorted()
  deepEqual(all, [
    ['T0006', '20.00', null, 'D'],
    ['T0006', '30.00', '-0.52', 'S'],
  ])
})

test('the PayPal client library reads pages of transactions, up to the time of the last refresh', async () => {
  const { key, pay, advance, now } = await open()
  for (const value of ['10.00', '20.00', '30.00']) await pay(value)
  await advance(5 * HOUR_S)
  const client = new Client({
    environment: Environment.Sandbox,
    clientCredentialsAuthCredentials: { oAuthClientId: 'client', oAuthClientSecret: key },
    unstable_httpClientOptions: {
      async adapter(config: { url: string; method: string; headers: Record<string, string>; data?: string }) {
        const headers = Object.fromEntries(Object.entries(config.headers).map(([name, value]) => [name, String(value)]))
        const at = config.url.replace('https://api-m.sandbox.paypal.com', `${url}/paypal`)
        const response = await fetch(at, { method: config.method, headers, ...(config.data !== undefined && { body: config.data }) })
        const { status, statusText } = response
        return { data: await response.text(), status, statusText, headers: Object.fromEntries(response.headers), config }
      },
    },
  })
  const search = new TransactionSearchController(client)
  const [startDate, endDate] = [new Date(now() - DAY_MS).toISOString(), new Date(now()).toISOString()]
  const { result } = await search.searchTransactions({ startDate, endDate, pageSize: 2, page: 2, fields: 'transaction_info' })
  deepEqual([result.page, result.totalItems, result.totalPages, result.transactionDetails!.length], [2, 3, 2, 1])
  equal(result.transactionDetails![0]!.transactionInfo!.transactionAmount!.value, '30.00')
  const refreshed = new Date(now() - 3 * HOUR_S * 1000).toISOString().slice(0, 16)
  deepEqual([result.lastRefreshedDatetime!.slice(0, 16), result.endDate!.slice(0, 16)], [refreshed, refreshed])
})

test('a search of more than 31 days, of no fields that there are, or by an app without the permission is refused by name', async () => {
  const { key, search, now } = await open()
  const at = (days: number) => new Date(now() - days * DAY_MS).toISOString()
  const problem = async (query: Record<string, string>) => {
    const { status, body } = await search(query)
    return `${status} ${body.name}: ${body.message}`
  }
  equal((await search({ start_date: at(31), end_date: at(0) })).status, 200)
  equal(await problem({ start_date: at(31.1) }), '400 INVALID_REQUEST: Date range is greater than 31 days')
  const tooLate = '400 INVALID_REQUEST: Data for the given start date is not available.'
  equal(await problem({ start_date: at(0.1) }), tooLate)
  equal(await problem({ start_date: at(1200), end_date: at(1199) }), tooLate)
  for (const wrong of [
    { start_date: '2026-05-04' },
    { end_date: at(31) },
    { fields: 'transaction_info,bogus' },
    { balance_affecting_records_only: 'yes' },
    { page_size: '501' },
    { page: '0' },
    { bogus: '1' },
  ] as Record<string, string>[])
    match(await problem(wrong), /^400 INVALID_REQUEST/, JSON.stringify(wrong))
  const { scope } = await grant(key)
  match(scope, /reporting\/search\/read/)
  const forbidden = await grant(key, 'client_without_transaction_search')
  equal(forbidden.scope.includes('reporting'), false)
  const path = `/v1/reporting/transactions?${new URLSearchParams({ start_date: at(2), end_date: at(1) })}`
  const { status, body } = await send(path, { token: forbidden.access_token })
  deepEqual([status, body.name, body.details[0].issue], [403, 'NOT_AUTHORIZED', 'PERMISSION_DENIED'])
})
