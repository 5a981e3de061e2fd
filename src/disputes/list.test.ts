import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { decide, disputed, getDispute, openDisputedShop } from '../../test/disputes.ts'
import { succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import type { Body } from '../../test/shop.ts'

const start_time = '2020-01-01T00:00:00.000Z'

test('disputes are listed newest first with each filter; both lists, the filter values and the counts agree', async () => {
  const shop = await openDisputedShop()
  const made: string[] = []
  const make = async (ask: object, to?: { status?: string }) => {
    const one = await disputed(shop, ask)
    if (to) await decide(shop, one.remote, to)
    made.unshift(one.dispute_id)
    return one
  }
  const first = await make({ amount: 300 })
  await make({ reason: 'product_not_received' }, { status: 'won' })
  await make({ stage: 'inquiry' })
  const lost = await make({}, { status: 'lost' })
  const all = await Promise.all(made.map(id => getDispute(shop, id)))
  const get = async (query = ''): Promise<Body[]> => (await succeed(shop.call('GET', `/disputes/list${query}`))) as unknown as Body[]
  const search = async (body: Body = {}): Promise<Body> => succeed(shop.post('/disputes/list', { start_time, ...body }))
  deepEqual(await get(), all)
  const found = await search()
  deepEqual([found.count, found.total_count, found.data], [4, 4, all])
  const ids = (list: Body[]) => list.map(({ dispute_id }) => dispute_id)
  const [d, c, b, a] = made
  const finds = async (body: Body, wanted: unknown[]) => {
    deepEqual(ids((await search(body)).data), wanted)
    const query = Object.entries(body).map(([name, value]) => `${name}=${encodeURIComponent([value].flat().join(','))}`)
    deepEqual(ids(await get(`?${query.join('&')}`)), wanted)
  }
  await finds({ dispute_status: ['dispute_opened'] }, [c, a])
  await finds({ dispute_status: ['dispute_won', 'dispute_lost'] }, [d, b])
  await finds({ dispute_stage: ['pre_dispute'] }, [c])
  await finds({ reason: 'product_not_received' }, [b])
  await finds({ payment_id: lost.payment.payment_id }, [d])
  await finds({ dispute_id: a }, [a])
  await finds({ connector: ['phonypay'], currency: ['USD'], merchant_connector_id: shop.merchant_connector_id, limit: 2, offset: 1 }, [
    c,
    b,
  ])
  await finds({ connector: ['stripe'] }, [])
  const since = encodeURIComponent(all[2]!.created_at)
  deepEqual(ids(await get(`?received_time.gte=${since}`)), [d, c, b])
  deepEqual(ids(await get(`?received_time.lt=${since}`)), [a])
  deepEqual(ids(await get(`?starting_after=${c}`)), [b, a])
  deepEqual(ids((await search({ column_predicates: [{ column: 'amount', operator: 'lt', value: 1000 }] })).data), [a])
  equal(first.dispute.amount, '300')
  isRefused(await shop.post('/disputes/list', {}), 400, 'IR_04', /start_time/)
  isRefused(await shop.call('GET', '/disputes/list?dispute_status=open'), 400, 'IR_06', /dispute_status/)
  const choices = await succeed(shop.call('GET', '/disputes/filter'))
  deepEqual(Object.keys(choices).sort(), ['connector', 'currency', 'dispute_stage', 'dispute_status'])
  deepEqual(choices.connector.phonypay[0].merchant_connector_id, shop.merchant_connector_id)
  const { status_with_count } = await succeed(shop.call('GET', `/disputes/aggregate?start_time=${start_time}`))
  deepEqual(
    [status_with_count.dispute_opened, status_with_count.dispute_won, status_with_count.dispute_lost, status_with_count.dispute_expired],
    [2, 1, 1, 0],
  )
  deepEqual(ids((await succeed(shop.call('GET', '/disputes/profile/list'))) as unknown as Body[]), made)
  const file = await shop.call('GET', '/disputes/export?format=jsonl&dispute_stage=dispute')
  const lines = file.text.split('\n').filter(Boolean)
  deepEqual(
    lines.map(line => JSON.parse(line)),
    all.filter((one: Body) => one.dispute_stage === 'dispute'),
  )
  match((await shop.call('GET', '/disputes/export')).text, /^dispute_id,payment_id,amount,/)
  isRefused(await shop.call('GET', '/disputes/export?columns=colour'), 400, 'IR_06', /columns/)
})

test('disputes can be listed by the deadline for evidence, earliest first', async () => {
  const shop = await openDisputedShop()
  const made: { dispute_id: string; due: string | null }[] = []
  for (let i = 0; i < 3; i++) {
    const { dispute_id } = await disputed(shop, {})
    made.push({ dispute_id, due: (await getDispute(shop, dispute_id)).challenge_required_by })
  }
  const [a, b, c] = made as { dispute_id: string; due: string }[]
  ok(a!.due < b!.due && b!.due < c!.due)
  const ids = (list: Body[]) => list.map(({ dispute_id }) => dispute_id)
  const get = async (query: string) => ids((await succeed(shop.call('GET', `/disputes/list?${query}`))) as unknown as Body[])
  deepEqual(await get('order=challenge_required_by'), ids([a!, b!, c!]))
  deepEqual(await get('order=challenge_required_by&limit=1&offset=1'), ids([b!]))
  deepEqual(await get('order=created'), ids([c!, b!, a!]))
  deepEqual(await get(`challenge_required_by.lte=${encodeURIComponent(b!.due)}`), ids([b!, a!]))
  deepEqual(
    await get(`order=challenge_required_by&challenge_required_by.gte=${encodeURIComponent(b!.due)}&dispute_status=dispute_opened`),
    ids([b!, c!]),
  )
  const { data } = await succeed(shop.post('/disputes/list', { start_time, order: { on: 'challenge_required_by', by: 'desc' } }))
  deepEqual(ids(data), ids([c!, b!, a!]))
  isRefused(await shop.call('GET', `/disputes/list?order=challenge_required_by&starting_after=${a!.dispute_id}`), 400, 'IR_16', /offset/)
  isRefused(await shop.call('GET', '/disputes/list?challenge_required_by.lte=soon'), 422, 'IR_05', /challenge_required_by/)
})
