import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { capacityOf, carries } from './capacity.ts'

const costs = { service: 200, postgres: 100, processor: 40, load: 10 }
const near = (actual: number, wanted: number) => ok(Math.abs(actual / wanted - 1) < 0.03, `${actual} is not about ${wanted}`)

test('one core carries what all parts of a payment together leave time for', () => {
  near(carries(costs, { cores: 1, processes: 1, clients: 64 }).perSecond, 1e6 / 350)
})

test('with cores to spare a process carries what its own thread has time for, and another process as much again', () => {
  near(carries(costs, { cores: 16, processes: 1, clients: 256 }).perSecond, 1e6 / 200)
  near(carries(costs, { cores: 16, processes: 2, clients: 256 }).perSecond, 2e6 / 200)
})

test('what is not the service’s bounds it too: so many processes wait for the one processor', () => {
  near(carries(costs, { cores: 16, processes: 8, clients: 256 }).perSecond, 1e6 / 40)
})

test('a client alone waits for every part in turn, and for the disk twice', () => {
  // All that it waits for takes 320 µs (30 µs of PostgreSQL's come later), and each commit 500 µs more.
  near(carries(costs, { cores: 2, processes: 1, clients: 1 }).perSecond, 1e6 / 1320)
})

test('PostgreSQL is as busy as payments make it', () => {
  const { perSecond, postgres } = carries(costs, { cores: 4, processes: 2, clients: 64 })
  near(postgres, (perSecond * 100) / 1e4)
})

test('what was measured is said again beside the model, with points that count only', () => {
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
