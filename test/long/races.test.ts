import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { connectors } from '../../src/connectors/all.ts'
import { sampleOf } from '../sample.ts'
import { ADMIN_KEY, type Answer, type Body, cards, http, openShop, processors, type Shop } from '../shop.ts'
import { paidBy } from '../ways.ts'
import { agree } from './agree.ts'
import { eachRound, ROUNDS, rounds } from './rounds.ts'
import { openSecond } from './second.ts'

/** Many requests at once, through two services on one database: exactly the allowed operations happen. */

/** A second service on the same database, so that races do not run inside one process only. */
const second = openSecond()
after(async () => (await second).close())

/** Sends `n` requests at once, half of them to the other service. */
async function atOnce(
  shop: Shop,
  n: number,
  path: string,
  body: (i: number) => Body,
  headers: Record<string, string> = {},
): Promise<Answer[]> {
  const other = await second
  return Promise.all(
    Array.from({ length: n }, (_, i) =>
      http('POST', (i % 2 === 0 ? shop.url : other.url) + path, body(i), { 'api-key': shop.api_key, ...headers }),
    ),
  )
}

const count = (answers: Answer[], status: number, code?: string) =>
  answers.filter(a => a.status === status && (code === undefined || a.body.error?.code === code)).length

/**
 * Opens a shop for races. A processor that cannot be queried sends webhooks; its account may capture a payment several
 * times.
 */
const openRacers = (connector: (typeof processors)[number]): Promise<Shop> =>
  connector === 'adyen' ? openShop({ connector, webhooks: 'on', sandboxKey: `sandbox_multi_${randomUUID()}` }) : openShop({ connector })

/** Lets the webhooks that are due arrive. */
const delivered = (shop: Shop) => shop.processor.advance(0)

for (const connector of sampleOf(processors, 2)) {
  test(`${connector}: a hundred concurrent confirms charge once; the other 99 get an error`, async () => {
    const shop = await openRacers(connector)
    const payment = await shop.create()
    const answers = await atOnce(shop, 100, `/payments/${payment.payment_id}/confirm`, () => ({}))
    equal(count(answers, 200), 1)
    equal(count(answers, 400, 'IR_16') + count(answers, 422, 'HE_00'), 99)
    for (const answer of answers) if (answer.body.error?.code === 'HE_00') ok(answer.headers['retry-after'])
    equal((await shop.processor.charges()).length, 1)
    equal((await shop.get(payment.payment_id)).status, 'succeeded')
  })

  test(`${connector}: a hundred concurrent creates under one Idempotency-Key make one charge, and all successes are identical`, async () => {
    const shop = await openRacers(connector)
    const answers = await atOnce(shop, 100, '/payments', () => shop.payBody(), { 'idempotency-key': 'one-order' })
    const good = answers.filter(a => a.status === 200)
    equal(good.length + count(answers, 409, 'HE_00'), 100)
    equal(new Set(good.map(a => a.text)).size, 1)
    equal((await shop.processor.charges()).length, 1)
    const [replay] = await atOnce(shop, 1, '/payments', () => shop.payBody(), { 'idempotency-key': 'one-order' })
    equal(replay!.text, good[0]!.text)
    equal(replay!.headers['idempotent-replayed'], 'true')
  })

  test(`${connector}: a hundred confirms under one Idempotency-Key charge once`, async () => {
    const shop = await openRacers(connector)
    const payment = await shop.create()
    const answers = await atOnce(shop, 100, `/payments/${payment.payment_id}/confirm`, () => ({}), { 'idempotency-key': 'one-confirm' })
    const good = answers.filter(a => a.status === 200)
    ok(good.length >= 1)
    equal(new Set(good.map(a => a.text)).size, 1)
    equal(good.length + count(answers, 409, 'HE_00') + count(answers, 400, 'IR_16') + count(answers, 422, 'HE_00'), 100)
    equal((await shop.processor.charges()).length, 1)
  })

  test(`${connector}: fifty creates with one payment_id and one body make one payment and one charge`, async () => {
    const shop = await openRacers(connector)
    const payment_id = `pay_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
    const answers = await atOnce(shop, 50, '/payments', () => shop.payBody({ payment_id }))
    equal(count(answers, 200), 50)
    equal((await shop.processor.charges()).length, 1)
  })

  test(`${connector}: concurrent captures that together exceed the authorization: exactly what fits succeeds`, async () => {
    const shop = await openRacers(connector)
    const hold = await shop.hold({ amount: 1000, capture_method: 'manual_multiple' })
    const answers = await Promise.all([captures(shop, hold.payment_id, 12, 150), captures(shop, hold.payment_id, 12, 150)])
    await untilQuiet(shop, hold.payment_id, id => captures(shop, id, 1, 150))
    await delivered(shop)
    const payment = await shop.get(hold.payment_id)
    equal(payment.amount_received, 900, JSON.stringify(answers.flat().map(a => [a.status, a.body.error?.code])))
    equal(payment.amount_capturable, 100)
    equal(payment.status, 'partially_captured_and_capturable')
    equal((await shop.processor.charges())[0]!.captured, 900)
  })

  const captures = (shop: Shop, id: string, n: number, amount_to_capture: number) =>
    atOnce(shop, n, `/payments/${id}/capture`, () => ({ amount_to_capture }))

  /** Repeats a request as long as the answer says "try again", until the answer is final. */
  async function untilQuiet(shop: Shop, id: string, again: (id: string) => Promise<Answer[]>): Promise<void> {
    for (let i = 0; i < 50; i++) {
      const [answer] = await again(id)
      if (answer!.status !== 200 && answer!.body.error?.code !== 'HE_00') return
    }
    throw new Error(`${id} of ${shop.merchant_id} never came to rest`)
  }

  test(`${connector}: thirty concurrent captures of an authorization capture it once`, async () => {
    const shop = await openRacers(connector)
    const hold = await shop.hold()
    const answers = await atOnce(shop, 30, `/payments/${hold.payment_id}/capture`, () => ({}))
    equal(count(answers, 200), 1)
    equal((await shop.processor.charges())[0]!.captured, 1250)
  })

  const changes = {
    increment: { label: 'increments', ask: { request_incremental_authorization: true }, path: 'incremental_authorization' },
    extend: { label: 'extensions', ask: { request_extended_authorization: true }, path: 'extend_authorization' },
  } as const
  for (const verb of ['increment', 'extend'] as const) {
    const { label, ask, path } = changes[verb]
    if (!connectors[connector]![verb]) continue
    test(`${connector}: concurrent ${label}, captures and cancels of an authorization: payment, ledger and processor agree`, async () => {
      const shop = await openRacers(connector)
      const { payment_id } = await shop.hold(ask)
      const answers = (
        await Promise.all([
          atOnce(shop, 10, `/payments/${payment_id}/${path}`, i => (verb === 'increment' ? { amount: 2000 + i } : {})),
          atOnce(shop, 6, `/payments/${payment_id}/capture`, () => ({})),
          atOnce(shop, 4, `/payments/${payment_id}/cancel`, () => ({})),
        ])
      ).flat()
      for (const { status, body } of answers)
        ok(status === 200 || ['HE_00', 'IR_14', 'IR_16'].includes(body.error.code), JSON.stringify(body))
      await delivered(shop)
      await shop.wait('1 minute')
      await agree(shop)
    })
  }

  test(`${connector}: a due scheduled capture, found by two services during captures and cancels, is made once or not at all`, async () => {
    const shop = await openRacers(connector)
    const other = await second
    const holds = await Promise.all(
      Array.from({ length: 10 }, () => shop.pay({ capture_on: new Date(Date.now() + shop.clock.ahead + 3_600_000).toISOString() })),
    )
    shop.clock.ahead += 3_601_000
    await shop.processor.advance(3601)
    const tick = async (service: { tick(): Promise<number> }) => {
      while ((await service.tick()) > 0);
    }
    await Promise.all([
      tick(shop.service),
      tick(other),
      ...holds.map((hold, i) => atOnce(shop, 4, `/payments/${hold.payment_id}/${i % 2 === 0 ? 'capture' : 'cancel'}`, () => ({}))),
    ])
    await delivered(shop)
    await shop.wait('16 minutes')
    await delivered(shop)
    await agree(shop)
    for (const { captured, status } of await shop.processor.charges())
      ok((status === 'captured' && captured === 1250) || (status === 'voided' && captured === 0), `${status} ${captured}`)
    deepEqual(await shop.query('select * from scheduled_captures where merchant_id = $1', [shop.merchant_id]), [])
  })

  test(`${connector}: concurrent releases, captures and refunds of an authorization: payment, ledger and processor agree`, async () => {
    const shop = await openRacers(connector)
    const { payment_id } = await shop.hold({ capture_method: 'manual_multiple' })
    await shop.capture(payment_id, 400)
    await delivered(shop)
    const answers = (
      await Promise.all([
        atOnce(shop, 8, `/payments/${payment_id}/release`, () => ({})),
        atOnce(shop, 8, `/payments/${payment_id}/capture`, i => ({ amount_to_capture: 300, final_capture: i % 2 === 0 })),
        atOnce(shop, 4, '/refunds', () => ({ payment_id, amount: 100 })),
      ])
    ).flat()
    for (const { status, body } of answers)
      ok(status === 200 || ['HE_00', 'IR_06', 'IR_13', 'IR_14', 'IR_16', 'IR_19'].includes(body.error.code), JSON.stringify(body))
    await delivered(shop)
    await shop.wait('1 minute')
    await agree(shop)
    const [charge] = await shop.processor.charges()
    ok([400, 700, 1000].includes(charge!.captured), `${charge!.captured} was taken`)
  })

  if (connectors[connector]!.post_capture_void)
    test(`${connector}: concurrent post-capture cancels and refunds: the money is returned once`, async () => {
      const shop = await openRacers(connector)
      const { payment_id } = await shop.pay()
      await delivered(shop)
      await Promise.all([
        atOnce(shop, 10, `/payments/${payment_id}/cancel_post_capture`, () => ({})),
        atOnce(shop, 10, '/refunds', () => ({ payment_id, amount: 700 })),
      ])
      await delivered(shop)
      await shop.wait('1 minute')
      await agree(shop)
      const [charge] = await shop.processor.charges()
      ok(charge!.refunded === 700 || charge!.refunded === 1250, `${charge!.refunded} went back`)
    })

  test(`${connector}: concurrent refunds that together exceed the captured amount: exactly what fits succeeds`, async () => {
    const shop = await openRacers(connector)
    const paid = await shop.pay({ amount: 1000 })
    await atOnce(shop, 40, '/refunds', () => ({ payment_id: paid.payment_id, amount: 300 }))
    await untilQuiet(shop, paid.payment_id, id => atOnce(shop, 1, '/refunds', () => ({ payment_id: id, amount: 300 })))
    await delivered(shop)
    const payment = await shop.get(paid.payment_id)
    deepEqual(
      payment.refunds.map((r: Body) => [r.status, r.amount]),
      Array(3).fill(['succeeded', 300]),
    )
    equal((await shop.processor.charges())[0]!.refunded, 900)
  })

  test(`${connector}: two concurrent refunds that together exceed the captured amount: one succeeds, ${ROUNDS} times`, async () => {
    const shop = await openRacers(connector)
    await eachRound(async () => {
      const { payment_id } = await shop.pay({ amount: 1000 })
      const answers = await atOnce(shop, 2, '/refunds', () => ({ payment_id, amount: 600 }))
      equal(count(answers, 200), 1, JSON.stringify(answers.map(a => a.text)))
    })
    equal((await shop.processor.charges()).length, ROUNDS)
    for (const charge of await shop.processor.charges()) equal(charge.refunded, 600)
  })

  test(`${connector}: twenty concurrent requests with one refund_id make one refund`, async () => {
    const shop = await openRacers(connector)
    const paid = await shop.pay({ amount: 1000 })
    const refund_id = `ref_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
    const answers = await atOnce(shop, 20, '/refunds', () => ({ payment_id: paid.payment_id, refund_id, amount: 200 }))
    equal(count(answers, 200) + count(answers, 422, 'HE_00'), 20)
    equal((await shop.processor.charges())[0]!.refunded, 200)
  })

  test(`${connector}: a cancel races a capture: exactly one succeeds, ${ROUNDS} times`, async () => {
    const shop = await openRacers(connector)
    const other = await second
    await rounds(async together => {
      const holds = await Promise.all(together.map(() => shop.hold()))
      const race = async (hold: Body) => {
        const [capture, cancel] = await Promise.all([
          http('POST', `${shop.url}/payments/${hold.payment_id}/capture`, {}, { 'api-key': shop.api_key }),
          http('POST', `${other.url}/payments/${hold.payment_id}/cancel`, {}, { 'api-key': shop.api_key }),
        ])
        equal(Number(capture.status === 200) + Number(cancel.status === 200), 1, `${capture.text} ${cancel.text}`)
        await delivered(shop)
        equal((await shop.get(hold.payment_id)).status, capture.status === 200 ? 'succeeded' : 'cancelled')
      }
      await Promise.all(holds.map(race))
    })
    for (const charge of await shop.processor.charges()) ok(charge.status === 'voided' ? charge.captured === 0 : charge.captured === 1250)
  })

  test(`${connector}: a customer accepts the challenge while the merchant cancels: the payment succeeds, or no money is kept`, async () => {
    const shop = await openRacers(connector)
    const challenged = await Promise.all(
      Array.from({ length: 20 }, () => shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })),
    )
    const asked = new Map((await shop.processor.operations()).map(one => [one.reference, one.id]))
    await Promise.all(
      challenged.map(async (payment, i) => {
        const accept = () => shop.processor.decide(asked.get(payment.reference_id), 'approved').catch(() => {})
        const cancel = () => shop.cancel(payment.payment_id)
        await Promise.all(i % 2 === 0 ? [accept(), cancel()] : [cancel(), accept()])
      }),
    )
    await shop.wait('5 minutes')
    await delivered(shop)
    const charges = new Map((await shop.processor.charges()).map(c => [c.reference, c]))
    for (const { payment_id, reference_id } of challenged) {
      const payment = await shop.get(payment_id)
      const charge = charges.get(reference_id)
      if (payment.status === 'succeeded') equal(charge?.captured, 1250)
      else {
        ok(['cancelled', 'failed', 'cancelled_post_capture'].includes(payment.status), payment.status)
        ok(!charge || charge.captured === charge.refunded || charge.status === 'voided', JSON.stringify(charge))
      }
    }
  })

  test(`${connector}: a refund races a dispute: money that the bank has taken is not refunded as well, ${ROUNDS} times`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    const other = await second
    await rounds(async together => {
      const payments = await Promise.all(together.map(() => shop.pay({ amount: 1250 })))
      await delivered(shop)
      await Promise.all(
        payments.flatMap(({ payment_id, connector_transaction_id }, i) => {
          const refund = () =>
            http('POST', `${i % 2 === 0 ? shop.url : other.url}/refunds`, { payment_id, amount: 1250 }, { 'api-key': shop.api_key })
          const dispute = () => shop.processor.call('POST', `/control/payments/${connector_transaction_id}/dispute`, {})
          return i % 4 < 2 ? [refund(), dispute()] : [dispute(), refund()]
        }),
      )
      await delivered(shop)
      const charges = new Map((await shop.processor.charges()).map(charge => [charge.reference, charge]))
      for (const { payment_id, reference_id } of payments) {
        const { state_metadata, disputes } = await shop.get(payment_id)
        const charge = charges.get(reference_id)!
        const [row] = await shop.query(
          'select amount_refunded::int as refunded, amount_refunding::int as refunding, amount_disputed::int as disputed from payments where merchant_id = $1 and payment_id = $2',
          [shop.merchant_id, payment_id],
        )
        deepEqual([row!.refunded, row!.disputed], [charge.refunded, charge.disputed ?? 0], JSON.stringify(state_metadata))
        equal(row!.refunding, 0)
        equal(disputes.length, 1)
        // A refund that was accepted began before the service knew that the bank had taken the money: an inquiry takes
        // none.
        const history = await shop.query('select type, posted from changes where merchant_id = $1 and object_id = $2 order by version', [
          shop.merchant_id,
          payment_id,
        ])
        const taken = history.findIndex(({ posted }) => posted?.entries.disputes > 0)
        const sent = history.findIndex(({ type }) => type === 'refund_sent')
        ok(taken !== -1, 'the bank has the money')
        ok(sent === -1 || sent < taken, history.map(({ type }) => type).join())
      }
    })
  })

  test(`${connector}: the same jobs run by two services at once settle each payment once`, async () => {
    const shop = await openRacers(connector)
    const payments = await Promise.all(Array.from({ length: 30 }, () => shop.pay({ card: cards.chargesAndResets })))
    shop.clock.ahead += 120_000
    await shop.processor.advance(120)
    const other = await second
    await Promise.all([shop.service.tick(), other.tick(), shop.service.tick(), other.tick()])
    await delivered(shop)
    for (const payment of payments) {
      equal((await shop.get(payment.payment_id)).status, 'succeeded')
      deepEqual((await shop.events(payment.payment_id)).filter(e => e.event_type === 'payment_succeeded').length, 1)
    }
  })
}

/** A payment method that sends its customer to their bank. */
const ideal = {
  ...{ amount: 1250, currency: 'EUR', return_url: 'https://shop.example/back', email: 'ada@shop.example' },
  billing: { address: { first_name: 'Ada', last_name: 'Byron', country: 'NL' }, email: 'ada@shop.example' },
  ...paidBy('bank_redirect', 'ideal'),
}

for (const connector of sampleOf(['stripe', 'adyen'] as const, 2))
  test(`iDEAL at ${connector}: concurrent return, reload, webhooks and sync or cancel: the payment ends once, ${ROUNDS} times`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    const other = await second
    const begunOnes: string[] = []
    await eachRound(async n => {
      const begun = await shop.pay(ideal)
      begunOnes.push(begun.payment_id)
      const page = (await http('GET', begun.next_action.redirect_to_url)).headers.location as string
      const back = (await http('POST', `${page}/${n % 3 === 0 ? 'reject' : 'accept'}`, '')).headers.location as string
      const home = (url: string) => http('GET', back.replace(shop.url, url))
      const asks = n % 2 === 0 ? shop.cancel(begun.payment_id) : shop.sync(begun.payment_id)
      await Promise.all([home(shop.url), home(other.url), delivered(shop), asks, home(shop.url)])
    })
    await shop.wait('2 hours')
    await delivered(shop)
    await agree(shop)
    const charges = new Map((await shop.processor.charges()).map(charge => [charge.reference, charge]))
    for (const payment_id of begunOnes) {
      const { reference_id, status, amount_received } = await shop.get(payment_id)
      const charge = charges.get(reference_id)
      const kept = (charge?.captured ?? 0) - (charge?.refunded ?? 0)
      equal(status === 'succeeded' ? amount_received : 0, kept, `${payment_id} is ${status}, and ${kept} is kept`)
      const ends = (await shop.events(payment_id)).filter(({ event_type }) => /^payment_(?:succeeded|failed|cancelled)$/.test(event_type))
      equal(ends.length, 1, `${payment_id}: ${ends.map(({ event_type }) => event_type).join()}`)
    }
  })

test('twenty concurrent requests for an API key under one Idempotency-Key create one key', async () => {
  const shop = await openShop()
  const other = await second
  const ask = { name: 'raced', expiration: 'never' }
  const headers = { 'api-key': ADMIN_KEY, 'idempotency-key': `key-of-${shop.merchant_id}` }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => http('POST', `${i % 2 === 0 ? shop.url : other.url}/api_keys/${shop.merchant_id}`, ask, headers)),
  )
  const good = answers.filter(a => a.status === 200)
  equal(good.length + count(answers, 409, 'HE_00'), 20)
  equal(new Set(good.map(a => a.text)).size, 1)
  equal((await shop.query("select * from api_keys where merchant_id = $1 and name = 'raced'", [shop.merchant_id])).length, 1)
})
