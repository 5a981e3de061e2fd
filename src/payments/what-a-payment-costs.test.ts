// Quiet: it counts what the memory of this process allocates, which grows with the time that a payment takes.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { purchase } from '../../bench/body.ts'
import { openPlace, openShop, type Shop } from '../../test/shop.ts'
import { Secret } from '../base/secret.ts'
import { redactedExchange } from '../connectors/redaction/exchanges.ts'

/**
 * The work of the service for an ordinary payment, as counts: counts do not scatter as times do. A commit that makes a
 * payment more expensive changes a number here, and docs/design/payment-cost.md gives the reason.
 */

// The service stores the exchanges of two hundred payments a second at most, so their cost varies: the test counts
// without them.
await openPlace({ exchangeDays: 0 })

const WARM_UP = 150
const PAYMENTS = 150

/** The bytes that the service's own code may allocate for a payment whose customer waits alone. */
const MOST_BYTES = 72_000

const pay = async (shop: Shop) => equal((await shop.post('/payments', { ...purchase, confirm: true })).body.status, 'succeeded')

/** Gives the other end of a socket of this process, seen from the service; null for our own calls to it. */
function partnerOf(socket: Socket & { server?: unknown }, service: string): 'client' | 'processor' | 'database' | null {
  if (socket.server) return 'client'
  if (String(socket.remotePort) === service) return null
  return String(socket.remotePort) === new URL(process.env.TEST_SANDBOX_URL!).port ? 'processor' : 'database'
}

type Writes = { _writeGeneric(...all: unknown[]): void }
const sockets = Socket.prototype as unknown as Writes
const write = sockets._writeGeneric

test('a payment takes one socket write to the client, one to the processor and two to the database', async t => {
  const shop = await openShop()
  for (let i = 0; i < 20; i++) await pay(shop)
  const service = new URL(shop.url).port
  const counts = { client: 0, processor: 0, database: 0 }
  // Every write of a socket, of one piece or of several, passes through this function: it is one system call.
  t.mock.method(sockets, '_writeGeneric', function (this: Socket, ...all: unknown[]) {
    const partner = partnerOf(this, service)
    if (partner) counts[partner]++
    write.apply(this as unknown as Writes, all)
  })
  const each: (typeof counts)[] = []
  for (let i = 0; i < 41; i++) {
    const before = { ...counts }
    await pay(shop)
    each.push({
      client: counts.client - before.client,
      processor: counts.processor - before.processor,
      database: counts.database - before.database,
    })
  }
  // Other writes happen in between (settings are read, uses of keys are written), the more the slower the machine: not
  // for every payment, and no payment has fewer than its own.
  const fewest = (of: keyof typeof counts) => Math.min(...each.map(one => one[of]))
  deepEqual(
    { client: fewest('client'), processor: fewest('processor'), database: fewest('database') },
    { client: 1, processor: 1, database: 2 },
  )
})

type Sampled = { callFrame: { url: string }; selfSize: number; children: Sampled[] }

/** Gives the bytes allocated by functions of this folder, including those freed since. */
const ownBytes = ({ callFrame, selfSize, children }: Sampled): number =>
  (callFrame.url.includes('/src/') && !callFrame.url.includes('.test.') ? selfSize : 0) +
  children.reduce((sum, child) => sum + ownBytes(child), 0)

async function allocatedBy(work: () => Promise<void>): Promise<Sampled> {
  const session = new Session()
  session.connect()
  const all = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
  await session.post('HeapProfiler.startSampling', { samplingInterval: 256, ...all })
  await work()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return profile.head
}

test('the code of the service allocates no more memory per payment than the limit', async () => {
  const shop = await openShop()
  for (let i = 0; i < WARM_UP; i++) await pay(shop)
  // What the service does each second (it reads settings, looks for jobs) is allocated as well, the more the slower the
  // machine; and code that was not compiled yet allocates more. So one of five rounds must be within the limit.
  let bytes = Infinity
  for (let round = 0; round < 5 && bytes > MOST_BYTES; round++) {
    const allocated = await allocatedBy(async () => {
      for (let i = 0; i < PAYMENTS; i++) await pay(shop)
    })
    bytes = Math.min(bytes, ownBytes(allocated) / PAYMENTS)
  }
  ok(bytes <= MOST_BYTES, `${Math.round(bytes)} bytes`)
})

/** The bytes that may be allocated until one exchange with a processor is redacted, including the runtime's. */
const MOST_REDACTING_BYTES = 80_000

const allBytes = ({ selfSize, children }: Sampled): number => children.reduce((sum, child) => sum + allBytes(child), selfSize)

test('the redaction of one processor request and response allocates no more memory than the limit', async () => {
  const { number, cvc, ...card } = { number: '4242424242424242', cvc: '737', holder: 'Joan Doe', exp_month: '12', exp_year: '2040' }
  const credentials = { api_key: new Secret('sk_of_an_account_8c1f5a0e2b7a4938') }
  const redact = (reference: string) =>
    redactedExchange(
      {
        at: '2026-03-01T10:00:00.000Z',
        ms: 12,
        request: {
          method: 'POST',
          url: 'https://processor.example/v1/operations',
          headers: { authorization: `Bearer ${credentials.api_key.reveal()}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...purchase, reference, card: { number, cvc, ...card } }),
        },
        reply: {
          is: 'reply',
          status: 200,
          headers: {},
          body: JSON.stringify({ id: `op_${reference}`, state: 'approved', reference, amount: 12_950 }),
        },
      },
      {
        credentials,
        secret: new Secret('whsec_0123456789abcdef'),
        instrument: { number: new Secret(number), cvc: new Secret(cvc), ...card },
      },
    )
  const many = async () => {
    for (let i = 0; i < PAYMENTS; i++) redact(`01JDHQ8B5V4PXZKQ6T3M${String(i).padStart(6, '0')}`)
  }
  await many()
  const bytes = allBytes(await allocatedBy(many)) / PAYMENTS
  ok(bytes <= MOST_REDACTING_BYTES, `${Math.round(bytes)} bytes`)
})
