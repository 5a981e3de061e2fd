import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { obeysTheLaws } from '../../test/laws.ts'
import { type DisputeReport, disputeStages, disputeStatuses } from '../connectors/dispute.ts'
import { exampleOf } from '../database/table.ts'
import { type Dispute, disputes } from './dispute.ts'
import { disputeLifecycle, mayGo, rankOf, type Standing, stageLifecycle } from './lifecycle.ts'
import { mergeReport } from './merge.ts'

obeysTheLaws({ name: 'the status of a dispute', grid: disputeLifecycle, begins: ['dispute_opened'] })
obeysTheLaws({ name: 'the stage of a dispute', grid: stageLifecycle, begins: ['pre_dispute'] })

const all: Standing[] = disputeStages.flatMap(dispute_stage => disputeStatuses.map(dispute_status => ({ dispute_stage, dispute_status })))

test('a dispute never goes back: the lifecycle allows exactly the moves to a later stage or status', () => {
  for (const from of all)
    for (const to of all) {
      const same = from.dispute_stage === to.dispute_stage && from.dispute_status === to.dispute_status
      equal(
        mayGo(from, to),
        same || from.dispute_stage !== to.dispute_stage ? rankOf(to) >= rankOf(from) || same : rankOf(to) > rankOf(from),
      )
    }
})

const report = (stage: DisputeReport['stage'], status: DisputeReport['status'], more: Partial<DisputeReport> = {}): DisputeReport => ({
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
const flows: Record<string, DisputeReport[]> = {
  'through two stages': [
    report('pre_dispute', 'dispute_opened', { updated: '2026-01-01T00:00:00.000Z', reason: 'fraud' }),
    report('dispute', 'dispute_opened', { updated: '2026-01-02T00:00:00.000Z', respond_by: '2026-01-20T00:00:00.000Z' }),
    report('dispute', 'dispute_challenged', { updated: '2026-01-05T00:00:00.000Z' }),
    report('dispute', 'dispute_won', { updated: '2026-01-09T00:00:00.000Z' }),
    report('pre_arbitration', 'dispute_opened', { updated: '2026-02-01T00:00:00.000Z', respond_by: '2026-02-20T00:00:00.000Z' }),
    report('pre_arbitration', 'dispute_lost', { updated: '2026-03-01T00:00:00.000Z', amount: { amount: 1100, currency: 'USD' } }),
  ],
  'in one': [
    report('dispute', 'dispute_opened', { created: '2026-01-01T00:00:00.000Z', reason_code: '10.4' }),
    report('dispute', 'dispute_opened', {
      created: '2026-01-01T00:00:00.000Z',
      reason_code: '10.4',
      respond_by: '2026-01-10T00:00:00.000Z',
    }),
    report('dispute', 'dispute_challenged', { created: '2026-01-01T00:00:00.000Z', reason_code: '13.1' }),
    report('dispute', 'dispute_lost', { created: '2026-01-01T00:00:00.000Z' }),
  ],
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [i, item] of items.entries())
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [item, ...rest]
}

/** Applies all news, one after the other; every step must be one of the grids. */
function apply(reports: readonly DisputeReport[]): Dispute {
  let dispute: Dispute | undefined
  for (const one of reports) {
    const merged = mergeReport(dispute, one)
    if (!merged) continue
    if (dispute) equal(mayGo(dispute, merged), true)
    dispute = exampleOf(disputes, { ...dispute, ...merged })
  }
  const { news: _news, ...stands } = dispute!
  return stands as Dispute
}

for (const [name, flow] of Object.entries(flows)) {
  test(`webhooks of a dispute ${name} have the same result in every order, and when repeated`, () => {
    const expected = apply(flow)
    let orders = 0
    for (const order of permutations(flow)) {
      deepEqual(apply(order), expected)
      deepEqual(apply([...order, ...order]), expected)
      deepEqual(apply(order.flatMap(one => [one, one])), expected)
      orders++
    }
    equal(orders, flow.length === 6 ? 720 : 24)
  })
}

test('a dispute reported a hundred times keeps 40 reports, and still accepts its final status', () => {
  let dispute = exampleOf(disputes)
  for (let n = 0; n < 100; n++) {
    const merged = mergeReport(n === 0 ? undefined : dispute, report('dispute', 'dispute_opened', { said: `needs_response ${100 + n}` }))
    dispute = exampleOf(disputes, { ...dispute, ...merged })
  }
  equal(dispute.news.length, 40)
  const ended = mergeReport(dispute, report('dispute', 'dispute_lost'))
  equal(ended?.dispute_status, 'dispute_lost')
  equal(ended?.news.length, 41)
})

test('a final status is kept when a later report contradicts it', () => {
  const won = apply([report('dispute', 'dispute_opened'), report('dispute', 'dispute_won')])
  equal(mergeReport({ ...won, news: [] }, report('dispute', 'dispute_lost')), null)
})
