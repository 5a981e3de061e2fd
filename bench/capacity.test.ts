import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { capacityOf, carries } from './capacity.ts'

const costs = { service: 200, postgres: 100, processor: 40, load: 10 }
const near = (actual: number, wanted: number) => ok(Math.abs(actual / wanted - 1) < 0.03, `${actual} is not about ${wanted}`)

test('with one core, throughput is limited by the total CPU time of all parts of a payment', () => {
  near(carries(costs, { cores: 1, processes: 1, clients: 64 }).perSecond, 1e6 / 350)
})

test('with enough cores, throughput is limited by the CPU time of each service process, and two processes double it', () => {
  near(carries(costs, { cores: 16, processes: 1, clients: 256 }).perSecond, 1e6 / 200)
  near(carries(costs, { cores: 16, processes: 2, clients: 256 }).perSecond, 2e6 / 200)
})

test('with many service processes, throughput is limited by the one payment processor', () => {
  near(carries(costs, { cores: 16, processes: 8, clients: 256 }).perSecond, 1e6 / 40)
})

test('with a single client, the time per payment is the sum of all parts and of two commits to disk', () => {
  // All that it waits for takes 320 µs (30 µs of PostgreSQL's come later), and each commit 500 µs more.
  near(carries(costs, { cores: 2, processes: 1, clients: 1 }).perSecond, 1e6 / 1320)
})

test('the CPU use of PostgreSQL follows from the payment throughput', () => {
  const { perSecond, postgres } = carries(costs, { cores: 4, processes: 2, clients: 64 })
  near(postgres, (perSecond * 100) / 1e4)
})

test('the capacity report shows measured throughput beside the model, and leaves void points out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-capacity-'))
  const file = join(folder, 'points.json')
  const point = { what: 'pay', clients: 256, perSecond: 5000, cpu: costs, database: { walBytes: 6000 }, void: null }
  const rounds = [[point, { ...point, what: 'retrieve one' }], [point], [{ ...point, perSecond: 1, void: 'failed' }]]
  writeFileSync(file, JSON.stringify({ processes: 1, rounds }))
  try {
    const report = capacityOf(file)
    match(report, /^ +256 +5000 +\d+ +-?\d+%$/m)
    equal(report.match(/^ +\d+ +\d+ +\d+ +\d+% +[\d.]+$/gm)?.length, 13)
    const most = report.match(/^ +16 +8 +(\d+)/m)?.[1]
    near(Number(most), 8e6 / 200)
  } finally {
    rmSync(folder, { recursive: true })
  }
  deepEqual(carries(costs, { cores: 2, processes: 1, clients: 8 }), carries(costs, { cores: 2, processes: 1, clients: 8 }), 'no dice')
})
