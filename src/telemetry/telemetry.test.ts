import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openPlace, openShop } from '../../test/shop.ts'

/** The telemetry of the service: metrics, traces, log lines, and the API request log of merchants. */

const TOKEN = 'token_of_the_metrics'

/** Opens a server that receives spans as a collector does. */
async function openCollector() {
  const spans: Body[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
      spans.push(...resourceSpans.flatMap((one: Body) => one.scopeSpans.flatMap((scope: Body) => scope.spans)))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans }
}

const collector = await openCollector()
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
const otel = { OTEL_SERVICE_NAME: 'shop', OTEL_BSP_SCHEDULE_DELAY: '10' }
await openPlace({ metrics: { host: '127.0.0.1', port: 0, token: TOKEN }, otel })

const scrape = async (token = TOKEN) => {
  const { service } = await openPlace()
  return http('GET', service.metrics!, undefined, { authorization: `Bearer ${token}` })
}
/** Gives the value of a metric with these labels. */
async function figure(name: string, labels: Record<string, string> = {}): Promise<number> {
  const lines = (await scrape()).text.split('\n').filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  const mine = lines.filter(line => Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)))
  return mine.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

test('metrics count payments by connector, method and outcome, and measure latency by connector', async () => {
  const shop = await openShop()
  const paid = { connector: 'phonypay', method: 'card', outcome: 'done' }
  const declined = { ...paid, outcome: 'declined' }
  const name = 'switchyard_payment_attempts_total'
  const before = [await figure(name, paid), await figure(name, declined)]
  const batches = await figure('switchyard_commit_batch_size_count')
  const held = await shop.hold()
  await shop.capture(held.payment_id)
  await shop.pay({ card: cards.declines })
  await shop.tryToPay({ amount: -1 })
  deepEqual([await figure(name, paid), await figure(name, declined)], [before[0]! + 1, before[1]! + 1])
  equal(await figure('switchyard_operations_total', { verb: 'capture', outcome: 'done', connector: 'phonypay' }), 1)
  ok((await figure('switchyard_connector_call_seconds_count', { connector: 'phonypay', purpose: 'move', outcome: '2xx' })) >= 2)
  ok((await figure('switchyard_commit_batch_size_count')) > batches)
  ok((await figure('switchyard_http_request_seconds_count', { route: '/payments', method: 'POST', status: '200' })) >= 2)
  ok((await figure('switchyard_queue_due', { queue: 'outbox' })) > 0)
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'deployment.md'), 'utf8')
  const alerts = [...guide.matchAll(/`((?:switchyard|nodejs)_\w+)(?:\{(\w+="[\w.]+")\})?`/g)]
  ok(alerts.length >= 9)
  for (const [all, name, label = ''] of alerts)
    if (label !== 'queue="sink"')
      match((await scrape()).text, new RegExp(`^${name}.*${label.replace('.', '\\.')}`, 'm'), `the guide names ${all}`)
  equal(await figure('switchyard_metrics_database_read'), 1)
  equal(await figure('switchyard_webhook_endpoints', { state: 'failing' }), 0)
  const { text } = await scrape()
  for (const secret of [shop.merchant_id, shop.api_key, held.payment_id]) ok(!text.includes(secret), 'labels are names of ours alone')
})

test('metrics are served only with their token, and their port serves nothing else', async () => {
  const { service } = await openPlace()
  equal((await scrape('x')).status, 401)
  equal((await http('GET', service.metrics!)).status, 401)
  equal((await http('GET', service.metrics!.replace('/metrics', '/payments'))).status, 404)
  equal((await http('GET', `${service.url}/metrics`)).status, 404)
})

test('a request is a trace: its writes and processor requests are spans, in the trace of the caller', async () => {
  const shop = await openShop()
  const trace_id = `${'a'.repeat(31)}b`
  const answer = await shop.post('/payments', shop.payBody(), { traceparent: `00-${trace_id}-00000000000000ab-01` })
  equal(answer.status, 200, answer.text)
  const webhookless = await shop.pay({ card: cards.chargesAndResets })
  await shop.wait('6 seconds')
  equal((await shop.get(webhookless.payment_id)).status, 'succeeded')
  const mine = () => collector.spans.filter(span => span.traceId === trace_id)
  while (!mine().some(span => span.name === 'POST /payments') || !collector.spans.some(span => span.name === 'processor GET'))
    await new Promise(setImmediate)
  const root = mine().find(span => span.name === 'POST /payments')!
  equal(root.parentSpanId, '00000000000000ab')
  const children = mine().filter(span => span.parentSpanId === root.spanId)
  deepEqual(children.map(span => span.name).sort(), ['commit payments', 'commit payments', 'processor POST'])
  const { text } = { text: JSON.stringify(collector.spans) }
  for (const secret of [shop.api_key, '4242424242424242', 'card_cvc']) ok(!text.includes(secret))
  const line = shop.logs.map(line => JSON.parse(line)).find(line => line.trace_id === trace_id)
  equal(line.merchant_id, shop.merchant_id)
})

test('a request and its attempt are one log line each, and the attempt’s line names the request', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.declines })
  const lines = shop.logs.map(line => JSON.parse(line))
  const attempt = lines.find(line => line.words === 'attempt' && line.object_id === payment_id)
  const facts = [attempt.verb, attempt.state, attempt.connector, attempt.method, attempt.merchant_connector_id, attempt.amount]
  deepEqual(facts, ['authorize', 'declined', 'phonypay', 'card', shop.merchant_connector_id, 1250])
  ok(attempt.code && attempt.request_id)
  const request = lines.find(line => line.req_id === attempt.req_id && line.words === 'answered')
  deepEqual([request.route, request.status, request.merchant_id], ['/payments', 200, shop.merchant_id])
  match(request.by, /^secret_key snd_/)
  deepEqual(
    request.wrote.map((one: Body) => [one.kind, one.id, one.version]),
    [
      ['payment', payment_id, 1],
      ['payment', payment_id, 2],
    ],
  )
  const late = await shop.pay({ card: cards.chargesAndResets })
  await shop.wait('6 seconds')
  const attempts = shop.logs.map(line => JSON.parse(line)).filter(line => line.words === 'attempt' && line.object_id === late.payment_id)
  deepEqual(
    attempts.map(line => [line.state, line.by]),
    [
      ['unknown', attempts[0].by],
      ['done', 'alarm'],
    ],
  )
})

test('merchants see their requests, the reason of a refusal and the events written, but no values that were sent', async () => {
  const shop = await openShop()
  const other = await openShop()
  const held = await shop.hold({ description: 'a secret of ours' })
  await shop.capture(held.payment_id, 700)
  const refused = await shop.post(
    `/payments/${held.payment_id}/capture`,
    { amount_to_capture: 'x' },
    { 'x-request-id': 'mine-1', 'user-agent': 'till/1' },
  )
  isRefused(refused, 400, 'IR_06')
  isRefused(await shop.post('/payments', { [shop.api_key]: 1, '4242424242424242': 1 }), 400, 'IR_06')
  isRefused(await shop.call('GET', `/payments/${held.client_secret}`), 404, 'HE_02')
  await shop.service.tick()
  const all = async (query = ''): Promise<Body[]> => (await shop.call('GET', `/logs${query}`)).body.data
  const about = await all(`?object_id=${held.payment_id}`)
  deepEqual(
    about.map(line => [line.method, line.route, line.status, line.error_code]),
    [
      ['POST', '/payments/{payment_id}/capture', 400, 'IR_06'],
      ['POST', '/payments/{payment_id}/capture', 200, null],
      ['POST', '/payments', 200, null],
    ],
  )
  const [last, captured, created] = about
  deepEqual(
    [last!.error_field, last!.request_id, last!.user_agent, last!.members],
    ['amount_to_capture', 'mine-1', 'till/1', ['amount_to_capture']],
  )
  ok(created!.members.includes('payment_method_data'))
  deepEqual(
    (await all('?request_id=mine-1')).map(line => line.log_id),
    [last!.log_id],
  )
  deepEqual(
    (await all(`?only_failed=true&object_id=${held.payment_id}`)).map(line => line.log_id),
    [last!.log_id],
  )
  deepEqual(
    (await all(`?status=200&method=POST&route=/payments&limit=1`)).map(line => line.log_id),
    [created!.log_id],
  )
  deepEqual(
    (await all(`?before_log=${captured!.log_id}&object_id=${held.payment_id}`)).map(line => line.log_id),
    [created!.log_id],
  )
  deepEqual(await all('?created_before=2020-01-01T00:00:00Z'), [])
  equal((await all('?created_after=2020-01-01T00:00:00Z')).length, 5)
  deepEqual(await all(`?payment_id=${captured!.object_id}`), await all(`?object_id=${captured!.object_id}`))
  deepEqual(await all(`?payment_id=${captured!.object_id}&object_id=other`), [])
  const { body: detail } = await shop.call('GET', `/logs/${captured!.log_id}`)
  deepEqual(
    detail.events.map((event: Body) => [event.event_type, event.object_id]),
    [
      [null, held.payment_id],
      ['payment_captured', held.payment_id],
    ],
  )
  const { body: event } = await shop.call('GET', `/events/${detail.events[1].event_id}`)
  equal(event.event_type, 'payment_captured')
  const rows = JSON.stringify(await shop.query('select * from request_logs where merchant_id = $1', [shop.merchant_id]))
  for (const secret of ['a secret of ours', shop.api_key, '4242424242424242', held.client_secret]) ok(!rows.includes(secret), secret)
  deepEqual((await other.call('GET', '/logs')).body.data, [])
  isRefused(await other.call('GET', `/logs/${captured!.log_id}`), 404, 'HE_02')
  isRefused(await shop.call('GET', '/logs?created_after=x'), 422, 'IR_05', /created_after/)
  isRefused(await http('GET', `${shop.url}/logs`, undefined, { 'api-key': ADMIN_KEY }), 401, 'IR_01')
  isRefused(await http('GET', `${shop.url}/logs/x`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  await shop.wait('31 days')
  deepEqual(await all(), [])
})

test('the request log adds no database query to a payment', async () => {
  const { service } = await openPlace()
  const shop = await openShop()
  await shop.service.tick()
  const asked: string[] = []
  const { query } = service.context
  service.context.query = (statement, values) => {
    asked.push(statement.name)
    return query(statement, values)
  }
  await shop.pay()
  service.context.query = query
  ok(!asked.includes('request_logs_write'))
})

test('a request log that cannot be written is written later and fails no payment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-'))
  const { openRequestLog } = await import('./request-log.ts')
  const { service } = await openPlace()
  let away = true
  const context = {
    ...service.context,
    query: (statement: never, values: never) => (away ? Promise.reject(new Error('away')) : service.context.query(statement, values)),
  }
  const log = openRequestLog(context as never, 30)
  const line = {
    merchant_id: 'nobody',
    request_id: 'r',
    by: 'x',
    method: 'GET',
    route: '/',
    path: '/',
    object_id: null,
    status: 200,
    latency_ms: 1,
    members: [],
    address: '::1',
  }
  const more = {
    error_code: null,
    error_field: null,
    error_message: 'the card 4111111111111111',
    user_agent: null,
    wrote: [],
    created: service.context.now(),
  }
  for (let i = 0; i < 20_100; i++) log.add({ ...line, ...more })
  equal(log.waiting(), 20_000)
  await log.write()
  equal(log.waiting(), 20_000)
  away = false
  await log.write()
  equal(log.waiting(), 0)
  const { query } = await openPlace()
  const [{ n, words: message }] = (await query(
    "select count(*)::int as n, max(error_message) as words from request_logs where merchant_id = 'nobody'",
  )) as [Body]
  equal(n, 20_000)
  ok(!message.includes('4111111111111111'))
  rmSync(folder, { recursive: true })
})
