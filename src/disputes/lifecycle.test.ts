import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { obeysTheLaws } from '../../test/laws.ts'
import { type DisputeSaid, disputeStages, disputeStatuses } from '../connectors/dispute.ts'
import { exampleOf } from '../database/table.ts'
import { type Dispute, disputes } from './dispute.ts'
import { disputeLifecycle, mayGo, rankOf, type Standing, stageLifecycle } from './lifecycle.ts'
import { mergeNews } from './merge.ts'

obeysTheLaws({ name: 'the status of a dispute', grid: disputeLifecycle, begins: ['dispute_opened'] })
obeysTheLaws({ name: 'the stage of a dispute', grid: stageLifecycle, begins: ['pre_dispute'] })

const all: Standing[] = disputeStages.flatMap(dispute_stage => disputeStatuses.map(dispute_status => ({ dispute_stage, dispute_status })))

test('a dispute never goes back: whatever the grids allow is as far or further, and whatever is further they allow', () => {
  for (const from of all)
    for (const to of all) {
      const same = from.dispute_stage === to.dispute_stage && from.dispute_status === to.dispute_status
      equal(
        mayGo(from, to),
        same || from.dispute_stage !== to.dispute_stage ? rankOf(to) >= rankOf(from) || same : rankOf(to) > rankOf(from),
      )
    }
})

const said = (stage: DisputeSaid['stage'], status: DisputeSaid['status'], more: Partial<DisputeSaid> = {}): DisputeSaid => ({
  reference: 'dp_theirs',
  stage,
  status,
  said: `${stage} ${status}`,
  amount: { amount: 1250, currency: 'USD' },
  reason: null,
  reason_code: null,
  respond_by: null,
  created: null,
  updated: null,
  ...more,
})

/**
 * The news of a dispute that goes through two stages: as Adyen reports it; and as Stripe does, which sends the whole
 * dispute each time.
 */
const flows: Record<string, DisputeSaid[]> = {
  'through two stages': [
    said('pre_dispute', 'dispute_opened', { updated: '2026-01-01T00:00:00.000Z', reason: 'fraud' }),
    said('dispute', 'dispute_opened', { updated: '2026-01-02T00:00:00.000Z', respond_by: '2026-01-20T00:00:00.000Z' }),
    said('dispute', 'dispute_challenged', { updated: '2026-01-05T00:00:00.000Z' }),
    said('dispute', 'dispute_won', { updated: '2026-01-09T00:00:00.000Z' }),
    said('pre_arbitration', 'dispute_opened', { updated: '2026-02-01T00:00:00.000Z', respond_by: '2026-02-20T00:00:00.000Z' }),
    said('pre_arbitration', 'dispute_lost', { updated: '2026-03-01T00:00:00.000Z', amount: { amount: 1100, currency: 'USD' } }),
  ],
  'in one': [
    said('dispute', 'dispute_opened', { created: '2026-01-01T00:00:00.000Z', reason_code: '10.4' }),
    said('dispute', 'dispute_opened', { created: '2026-01-01T00:00:00.000Z', reason_code: '10.4', respond_by: '2026-01-10T00:00:00.000Z' }),
    said('dispute', 'dispute_challenged', { created: '2026-01-01T00:00:00.000Z', reason_code: '13.1' }),
    said('dispute', 'dispute_lost', { created: '2026-01-01T00:00:00.000Z' }),
  ],
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [i, item] of items.entries())
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [item, ...rest]
}

/** Applies all news, one after the other; every step must be one of the grids. */
function hear(news: readonly DisputeSaid[]): Dispute {
  let dispute: Dispute | undefined
  for (const one of news) {
    const told = mergeNews(dispute, one)
    if (!told) continue
    if (dispute) equal(mayGo(dispute, told), true)
    dispute = exampleOf(disputes, { ...dispute, ...told })
  }
  const { news: _news, ...stands } = dispute!
  return stands as Dispute
}

for (const [name, flow] of Object.entries(flows)) {
  test(`news of a dispute ${name} ends the same in every order, and heard twice`, () => {
    const expected = hear(flow)
    let orders = 0
    for (const order of permutations(flow)) {
      deepEqual(hear(order), expected)
      deepEqual(hear([...order, ...order]), expected)
      deepEqual(hear(order.flatMap(one => [one, one])), expected)
      orders++
    }
    equal(orders, flow.length === 6 ? 720 : 24)
  })
}

test('a dispute that was told of a hundred times still comes to its end, and keeps no more of the rest', () => {
  let dispute = exampleOf(disputes)
  for (let n = 0; n < 100; n++) {
    const told = mergeNews(n === 0 ? undefined : dispute, said('dispute', 'dispute_opened', { said: `needs_response ${100 + n}` }))
    dispute = exampleOf(disputes, { ...dispute, ...told })
  }
  equal(dispute.news.length, 40)
  const ended = mergeNews(dispute, said('dispute', 'dispute_lost'))
  equal(ended?.dispute_status, 'dispute_lost')
  equal(ended?.news.length, 41)
})

test('an end that is contradicted stays', () => {
  const won = hear([said('dispute', 'dispute_opened'), said('dispute', 'dispute_won')])
  equal(mergeNews({ ...won, news: [] }, said('dispute', 'dispute_lost')), null)
})
