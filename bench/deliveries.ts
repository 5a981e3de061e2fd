// The cost and speed of webhooks: `npm run bench -- --deliveries`. Measures, and asserts nothing about time; the
// verdicts are in the report.
//
// Measures payments without an endpoint and with one (the cost of an announced change), a backlog of webhooks to a
// receiver that answers at once, and payments while a backlog waits for a receiver that answers after a second.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { checkpoint, settleDown } from './counters.ts'
import { table, times, whole } from './figures.ts'
import { planOf } from './points.ts'
import { MERCHANT, openStage, type Stage } from './stage.ts'
import { type Loaded, load } from './wrk.ts'

const CLIENTS = 16
const SECONDS = 8
const PILE = 20_000
/** The goals on two cores: webhooks a second, and the factor by which a backlog may increase p99. */
const LEAST_A_SECOND = 1000
const MOST_SLOWER = 2

/** Opens a merchant's endpoint that answers after a number of milliseconds. */
async function openReceiver(after_ms: number) {
  let received = 0
  const server = createServer((asked, answer) => {
    asked.resume()
    asked.on('end', async () => {
      received++
      if (after_ms > 0) await wait(after_ms)
      answer.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/hooks`, received: () => received, close }
}

/** Creates a webhook endpoint. `events`: the event types; all by default. */
async function endpointAt(stage: Stage, url: string, events: object = {}): Promise<string> {
  const { statusCode, body } = await request(`${stage.url}/webhook_endpoints`, {
    method: 'POST',
    headers: { 'api-key': stage.key, 'content-type': 'application/json' },
    body: JSON.stringify({ url, ...events }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`The webhook endpoint could not be created: ${text}`)
  return JSON.parse(text).endpoint_id
}

/**
 * Writes a number of webhooks for one endpoint, each of its own payment and all due. They are as large as those of a
 * payment.
 */
async function pile(stage: Stage, endpoint_id: string, many: number, bytes: number): Promise<void> {
  const name = `'${endpoint_id}_' || n`
  const numbers = `generate_series(1, ${many}) n`
  const body = JSON.stringify({ padding: 'x'.repeat(bytes) })
  const { database } = stage
  await database.query(`insert into announcements (merchant_id, event_id, body, created) select $1, ${name}, $2, now() from ${numbers}`, [
    MERCHANT,
    body,
  ])
  await database.query(
    `insert into deliveries (merchant_id, event_id, endpoint_id, line, version, status, tries, created) select $1, ${name}, $2, ${name}, 1, 'pending', 0, now() from ${numbers}`,
    [MERCHANT, endpoint_id],
  )
  await database.query(
    `insert into delivery_lines (merchant_id, endpoint_id, line, newest, due_at) select $1, $2, ${name}, 1, now() from ${numbers}`,
    [MERCHANT, endpoint_id],
  )
}

async function pay(stage: Stage, wrk: string): Promise<Loaded> {
  await checkpoint(stage.database)
  const loaded = await load({ ...(await planOf(stage, wrk, 'pay', CLIENTS)), seconds: SECONDS })
  if (loaded.failures !== '') throw new Error(`The service did not accept payments: ${loaded.failures}`)
  stage.forgetLog()
  return loaded
}

/** Waits until all webhooks are delivered. */
async function quiet(stage: Stage, endpoint_id: string): Promise<void> {
  const waiting = async () =>
    (
      await stage.database.query(
        'select exists (select from outbox) or exists (select from delivery_lines where endpoint_id = $1) as more',
        [endpoint_id],
      )
    ).rows[0].more
  while (await waiting()) await wait(100)
}

/**
 * Measures webhooks and returns the report. `backlog`: the number of webhooks that wait while the last payments are
 * made.
 */
export async function measureDeliveries(wrk: string, backlog: number): Promise<string> {
  const stage = await openStage({ env: { WEBHOOK_LOOPBACK: '1' } })
  const [fast, slow] = [await openReceiver(0), await openReceiver(1000)]
  try {
    await pay(stage, wrk)
    const without = await pay(stage, wrk)
    const endpoint_id = await endpointAt(stage, fast.url)
    const announced = await pay(stage, wrk)
    await quiet(stage, endpoint_id)

    await pile(stage, endpoint_id, PILE, 3000)
    await settleDown(stage.database)
    const [before, begun] = [fast.received(), performance.now()]
    await quiet(stage, endpoint_id)
    const rate = ((fast.received() - before) / (performance.now() - begun)) * 1000

    // Only the webhooks written here wait for this endpoint, none of a payment.
    const behind = await endpointAt(stage, slow.url, { event_types: ['webhook_endpoint.failing'] })
    await pile(stage, behind, backlog, 300)
    await settleDown(stage.database)
    const beside = await pay(stage, wrk)

    const perSecond = ({ requests, seconds }: Loaded) => requests / seconds
    const row = (label: string, one: Loaded) => [
      label,
      whole(perSecond(one)),
      one.p50.toFixed(1),
      one.p99.toFixed(1),
      times(perSecond(one) / perSecond(without)),
    ]
    const slower = beside.p99 / announced.p99
    const verdict = (holds: boolean) => (holds ? 'holds' : 'DOES NOT HOLD')
    return [
      `Payments by ${CLIENTS} clients`,
      table([
        ['', 'a second', 'p50 ms', 'p99 ms', 'of the first'],
        row('nobody listens', without),
        row('an endpoint listens', announced),
        row(`${backlog.toLocaleString('en')} webhooks wait besides`, beside),
      ]),
      '',
      `An announced change costs ${whole(1e6 / perSecond(announced) - 1e6 / perSecond(without))} µs of the machine, delivery included.`,
      `${whole(rate)} webhooks a second to a receiver that answers at once; wanted are ${LEAST_A_SECOND}: ${verdict(rate >= LEAST_A_SECOND)}.`,
      `The backlog makes p99 ${slower.toFixed(2)} times what it was; allowed are ${MOST_SLOWER}: ${verdict(slower < MOST_SLOWER)}.`,
    ].join('\n')
  } finally {
    fast.close()
    slow.close()
    await stage.close()
  }
}
