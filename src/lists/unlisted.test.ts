import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { type Body, cards, openPlace, openShop, type Shop } from '../../test/shop.ts'

/** While set, calls that move money wait on their way to the processor. */
let gate: { arrived(): void; opened: Promise<void> } | null = null

await openPlace({}, context => ({
  ...context,
  send: async (request, sender) => {
    if (gate && sender.purpose === 'move') {
      gate.arrived()
      await gate.opened
    }
    return context.send(request, sender)
  },
}))

/** Makes payments that are on their way to the processor, until `open` is called. */
async function onTheirWay(shop: Shop, asks: Body[]) {
  let open = () => {}
  let arrive = () => {}
  let arrived = 0
  const all = new Promise<void>(resolve => {
    arrive = () => void (++arrived === asks.length && resolve())
  })
  gate = { arrived: arrive, opened: new Promise(resolve => (open = resolve)) }
  const answers = asks.map(ask => shop.tryToPay(ask))
  await all
  gate = null
  return {
    open: async (): Promise<Body[]> => {
      open()
      return (await Promise.all(answers)).map(answer => answer.body)
    },
  }
}

const ids = (found: Body[]): string[] => found.map(({ payment_id }) => payment_id)
const search = async (shop: Shop, ask: Body): Promise<[ids: string[], count: number]> => {
  const { data, total_count } = await succeed(shop.post('/payments/list', ask))
  return [ids(data), total_count]
}
const find = async (shop: Shop, query: string): Promise<string[]> => ids((await succeed(shop.call('GET', `/payments/list?${query}`))).data)
const listings = (shop: Shop, id: string): Promise<Body[]> =>
  shop.query('select facets from listings l join listing_kinds k using (merchant_id, kind) where l.merchant_id = $1 and object_id = $2', [
    shop.merchant_id,
    id,
  ])

/** Verifies the answers of every kind of list about the payments under way. */
async function asked(shop: Shop, found: string[]): Promise<void> {
  const [late, early] = found as [string, string]
  deepEqual(await search(shop, { status: ['processing'] }), [[late, early], 2])
  deepEqual(await search(shop, { status: ['processing'], limit: 1, offset: 1 }), [[early], 2])
  deepEqual(await search(shop, { status: ['processing'], limit: 1, offset: 2 }), [[], 2])
  deepEqual(await search(shop, { status: ['processing'], order: { on: 'created', by: 'asc' } }), [[early, late], 2])
  deepEqual(await search(shop, { status: ['processing'], amount_filter: { start_amount: 701 } }), [[late], 1])
  deepEqual(await search(shop, { customer_id: 'cus_ida', status: ['processing'] }), [[early], 1])
  deepEqual(await find(shop, 'status=processing'), [late, early])
  deepEqual(await find(shop, `status=processing&starting_after=${late}`), [early])
  deepEqual(await find(shop, `status=processing&ending_before=${early}`), [late])
  deepEqual(await find(shop, 'status=failed,processing&currency=EUR'), [late])
  const aggregated = await succeed(shop.call('GET', '/payments/aggregate?start_time=2020-01-01T00:00:00Z'))
  equal(aggregated.status_with_count.processing, 2)
  const filters = await succeed(shop.post('/payments/filter', { start_time: '2020-01-01T00:00:00Z' }))
  deepEqual(filters.status.includes('processing'), true)
  const { text } = await shop.call('GET', '/payments/export?status=processing&format=jsonl')
  deepEqual(
    ids(
      text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ),
    [late, early],
  )
}

test('a payment in one call is listed while the processor has not responded, and its list row is written once, when it is decided', async () => {
  const shop = await openShop()
  const done = [await shop.pay({ customer_id: 'cus_ida' }), await shop.pay({ currency: 'EUR', amount: 702 }), await shop.pay()]
  const early = await onTheirWay(shop, [{ customer_id: 'cus_ida', amount: 700 }])
  const late = await onTheirWay(shop, [{ currency: 'EUR', amount: 701, card: cards.declines }])
  const [[first, second]] = await search(shop, { status: ['processing'] })
  await asked(shop, [first!, second!])
  // The payments are among others, at any offset of the page.
  const all = [first!, second!, ...ids(done).reverse()]
  const both = { status: ['succeeded', 'processing'] }
  for (let offset = 0; offset <= all.length; offset++)
    for (const limit of [1, 2, 4])
      deepEqual((await search(shop, { ...both, limit, offset }))[0], all.slice(offset, offset + limit), `${offset} ${limit}`)
  deepEqual((await search(shop, { ...both, order: { on: 'amount', by: 'asc' } }))[0].slice(0, 3), [second, first, done[1]!.payment_id])
  deepEqual((await search(shop, { ...both, order: { on: 'modified', by: 'desc' } }))[0].slice(0, 2), [first, second])
  deepEqual(await search(shop, {}), [all, 5])
  for (const id of [first!, second!]) deepEqual(await listings(shop, id), [])

  equal((await early.open())[0]!.status, 'succeeded')
  deepEqual(await search(shop, { status: ['processing'] }), [[first], 1])
  equal((await late.open())[0]!.status, 'failed')
  deepEqual(await search(shop, { status: ['processing'] }), [[], 0])
  deepEqual(await search(shop, { status: ['failed'] }), [[first], 1])
  for (const id of all) equal((await listings(shop, id)).length, 1)
  equal((await listings(shop, second!))[0]!.facets.status, 'succeeded')
})

test('a payment in progress appears only in lists whose filters it matches', async () => {
  const shop = await openShop()
  const first = await onTheirWay(shop, [{}])
  deepEqual(await search(shop, { status: ['succeeded'] }), [[], 0])
  deepEqual(await search(shop, { status: ['succeeded'], limit: 1, offset: 1 }), [[], 0])
  const [[id]] = await search(shop, {})
  deepEqual(await search(shop, { currency: ['USD'] }), [[id], 1])
  equal((await first.open())[0]!.status, 'succeeded')
  const others = [await shop.pay(), await shop.pay()].map(({ payment_id }) => payment_id).reverse()
  const second = await onTheirWay(shop, [{}])
  const [[late]] = await search(shop, { status: ['processing'] })
  deepEqual(await search(shop, { status: ['succeeded'] }), [[...others, id], 3])
  for (let offset = 0; offset <= 4; offset++) {
    deepEqual((await search(shop, { status: ['succeeded'], limit: 2, offset }))[0], [...others, id].slice(offset, offset + 2))
    deepEqual((await search(shop, { currency: ['USD'], limit: 2, offset }))[0], [late, ...others, id].slice(offset, offset + 2))
  }
  deepEqual(await find(shop, `currency=USD&starting_after=${late}`), [...others, id])
  deepEqual(await find(shop, `currency=USD&ending_before=${id}`), [late, ...others])
  await second.open()
  deepEqual((await search(shop, { status: ['succeeded'] }))[1], 4)
})

test('a payment whose process crashed before the processor responded stays in the lists while its outcome is unknown', async () => {
  const shop = await openShop()
  await shop.processor.fault('lookup', '500_before', { times: 100 })
  const dead = await onTheirWay(shop, [{}])
  const [[id]] = await search(shop, { status: ['processing'] })
  for (const duration of ['20 seconds', '1 minute', '3 minutes', '1 hour']) {
    await shop.wait(duration)
    deepEqual(await search(shop, { status: ['processing'] }), [[id], 1], duration)
  }
  equal((await listings(shop, id!)).length, 1)
  await dead.open()
  equal((await listings(shop, id!)).length, 1)
})
