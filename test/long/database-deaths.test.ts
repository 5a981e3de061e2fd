import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { afterEach, type TestContext, test } from 'node:test'
import type { Request } from '../../src/context.ts'
import { DatabaseAway } from '../../src/database/connection.ts'
import { sampleOf } from '../sample.ts'
import { type Answer, cards, http, openPlace, openShop } from '../shop.ts'
import { agree } from './agree.ts'
import { type Clients, isTryAgain, openClients } from './clients.ts'
import { openMortalDatabase } from './mortal-database.ts'

/**
 * PostgreSQL dies while the service takes payments, and comes back; the service lives on. Afterwards the service must
 * agree with the processor's ledger in everything, and with every success that it has answered. Meanwhile every caller
 * is answered: by a success, or by a refusal that says "ask again".
 */

// A request that waits forever for something that the database has lost would keep this run alive.
setTimeout(() => process.exit(1), 600_000).unref()

const database = await openMortalDatabase()

/** The function called with every request that the processor has answered, before the service receives the answer. */
let answered = async (_asked: Request): Promise<void> => {}
const { logs, service, query } = await openPlace(
  {},
  context => ({
    ...context,
    async send(asked, sender) {
      const reply = await context.send(asked, sender)
      await answered(asked)
      return reply
    },
  }),
  async () => database,
)

// A database that one test leaves dead would make all others fail.
afterEach(() => database.start())

/** Holds back the answers to the next `n` requests of a method, until `release` is called. */
function holdBack(method: Request['method'], n: number) {
  const [all, out] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let held = 0
  answered = async asked => {
    if (asked.method !== method || held === n) return
    if (++held === n) all.resolve()
    await out.promise
  }
  return { all: all.promise, release: out.resolve }
}

/** Gives the reasons of the 500s that the service itself has logged. */
const ownMistakes = (): string[] =>
  logs.filter(line => line.includes('"a request failed"')).map(line => JSON.parse(line).err.stack.split('\n', 1)[0])

function isAskAgain(answer: Answer): void {
  ok(answer.status === 503 && isTryAgain(answer) && answer.headers['retry-after'], answer.text)
}

/** Makes one request of a customer's browser, without following redirects. */
async function visit(method: 'GET' | 'POST', url: string) {
  const { status, headers, text } = await http(method, url)
  return { status, location: (headers.location as string | undefined) ?? null, text }
}

/**
 * Runs a load of clients with faults, and then compares the books. Each fault begins when payments have succeeded
 * since the last one, and ends with the database up.
 */
async function underLoad(t: TestContext, disruptions: ((clients: Clients) => Promise<void>)[]): Promise<void> {
  const shop = await openShop({ webhooks: 'on' })
  const clients = openClients({ ...shop, visit }, 24, { seed: 1, whileRunning: 'put aside' })
  const before = ownMistakes().length
  try {
    for (const disruption of disruptions) {
      await clients.yeses(120)
      await disruption(clients)
      equal((await shop.pay()).status, 'succeeded', 'it takes payments again')
    }
    await clients.yeses(120)
  } finally {
    await database.start()
    await clients.end(() => shop.wait('1 minute'))
  }
  for (const time of ['5 minutes', '11 hours', '1 hour']) await shop.wait(time)
  const sums = await agree(shop, clients.received)
  t.diagnostic(JSON.stringify({ ...sums, answers: clients.counts }))
  deepEqual([clients.surprises, ownMistakes().slice(before)], [[], []])
}

const dieAndComeBack = async () => {
  await database.kill()
  await database.start()
}

/** The faults under load, of which each test is about a minute long. */
const loads: Record<string, (t: TestContext) => Promise<void>> = {
  'PostgreSQL is killed five times under load: no success is lost, and every amount agrees with the processor': async t => {
    deepEqual(await query("select current_setting('fsync') || ' ' || current_setting('synchronous_commit') as is"), [{ is: 'on on' }])
    const before = database.crashes()
    await underLoad(t, [
      dieAndComeBack,
      dieAndComeBack,
      async () => {
        await database.kill()
        await database.killAtItsStart()
        await database.start()
      },
      dieAndComeBack,
      dieAndComeBack,
    ])
    ok(database.crashes() - before >= 5)
  },
  'a PostgreSQL session is killed under load, which closes all others: every amount agrees with the processor': async t => {
    await underLoad(t, [() => database.killSession('switchyard writes'), () => database.killSession('switchyard reads')])
  },
  'PostgreSQL is shut down under load: every amount agrees with the processor': async t => {
    const before = database.crashes()
    await underLoad(t, [
      async () => {
        await database.stop()
        await database.start()
      },
      async clients => {
        database.stopAccepting()
        // Open connections go on working.
        await clients.yeses(60)
        await database.stop()
        await database.start()
      },
    ])
    equal(database.crashes(), before)
  },
}

for (const [name, tells] of sampleOf(Object.entries(loads), 3)) test(name, tells)

test('PostgreSQL is killed after processor approvals: they are written once it is back, and refused requests charge nothing', async () => {
  const shop = await openShop()
  const [paid, captured, cancelled] = await Promise.all([shop.pay(), shop.hold(), shop.hold()])
  const held = holdBack('POST', 4)
  const buy = (key: string) => shop.tryToPay({ description: key }, { 'idempotency-key': key })
  let open = 4
  const calls = [buy('begun'), shop.capture(captured.payment_id), shop.cancel(cancelled.payment_id), shop.refund(paid.payment_id, 500)].map(
    call => call.finally(() => open--),
  )
  await held.all
  const ledger = await shop.processor.ledger()
  equal(ledger.charges.length, 4)
  await database.kill()
  held.release()

  const late = ['one', 'two', 'three']
  const refused = await Promise.all([
    ...late.map(buy),
    shop.capture(captured.payment_id),
    shop.refund(paid.payment_id, 100),
    shop.tryToPay(),
  ])
  for (const answer of refused) isAskAgain(answer)
  isAskAgain(await shop.call('GET', `/payments/${paid.payment_id}`))
  await rejects(service.tick())
  equal(open, 4, 'nobody is told what is not written')
  deepEqual(await shop.processor.ledger(), ledger)
  await database.start()

  const answers = await Promise.all(calls)
  deepEqual(
    answers.map(answer => [answer.status, answer.body.status]),
    [
      [200, 'succeeded'],
      [200, 'succeeded'],
      [200, 'cancelled'],
      [200, 'succeeded'],
    ],
  )
  equal((await query('select 1 from payments where merchant_id = $1', [shop.merchant_id])).length, 4)
  deepEqual(await shop.processor.ledger(), ledger)
  const again = await Promise.all(['begun', ...late].map(buy))
  equal(again[0]!.text, answers[0]!.text)
  for (const answer of again) equal(answer.body.status, 'succeeded')
  equal((await shop.processor.charges()).length, 7)
  await shop.wait('5 minutes')
  await agree(shop)
})

test('PostgreSQL is killed while no request runs: each next request gets a 503, and nothing is charged', async () => {
  const shop = await openShop()
  await shop.pay()
  await database.kill()
  try {
    let first: Answer | undefined
    void shop.tryToPay().then(answer => {
      first = answer
    })
    isAskAgain(await shop.tryToPay())
    isAskAgain(await shop.call('GET', '/payments/pay_00000000000000000000000001'))
    equal(first?.status, 503, 'who came first is still waiting')
    isAskAgain(first)
  } finally {
    await database.start()
  }
  equal((await shop.pay()).status, 'succeeded')
  await shop.wait('5 minutes')
  equal((await agree(shop)).captured, 2 * 1250)
})

test('PostgreSQL is killed while polls receive their responses: the jobs run again, and every charge is found', async () => {
  const shop = await openShop()
  const payments = await Promise.all(Array.from({ length: 20 }, () => shop.pay({ card: cards.chargesAndResets })))
  const held = holdBack('GET', 20)
  shop.clock.ahead += 10_000
  // After the jobs come the deliveries of webhooks, for which the database may still be away; they continue by
  // themselves when it is back.
  const ringing = service.tick().catch(error => ok(error instanceof DatabaseAway, error))
  await held.all
  await database.kill()
  held.release()
  await database.start()
  await ringing
  await shop.wait('5 minutes')
  equal((await agree(shop)).captured, 20 * 1250)
  for (const { payment_id } of payments) equal((await shop.get(payment_id)).status, 'succeeded')
})

test('a payment read while PostgreSQL is killed is returned, or gets a retryable error', async () => {
  const shop = await openShop()
  const paid = await shop.pay()
  const before = ownMistakes().length
  for (let round = 0; round < 3; round++) {
    const some = Promise.withResolvers<void>()
    let seen = 0
    const looks = Array.from({ length: 300 }, async () => {
      const answer = await shop.call('GET', `/payments/${paid.payment_id}`)
      if (++seen === 50) some.resolve()
      return answer
    })
    await some.promise
    await database.kill()
    const answers = await Promise.all(looks).finally(() => database.start())
    deepEqual(
      [answers.filter(answer => answer.status !== 200 && !isTryAgain(answer)).map(answer => answer.text), ownMistakes().slice(before)],
      [[], []],
    )
  }
})
