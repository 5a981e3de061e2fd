// The report of a measurement, for people.
import { cores } from './cpu.ts'
import { fine, median, type Round, ratio, table, times, whole } from './figures.ts'
import type { Point, What } from './points.ts'
import { ratchet } from './ratchet.ts'

export type Facts = {
  rounds: Round[]
  seconds: number
  load: { begin: string; end: string }
  memory: { after10k: number | null; end: number }
  batchClients: number
  notes: string[]
}

const titles: Record<What, string> = {
  pay: 'Create and confirm in one call (payments)',
  'pay by saved card': 'The same, paid with one of 300 saved cards (payments)',
  'create, then confirm': 'Create, then confirm (payments; latencies are of single requests)',
  'retrieve one': 'Retrieve one payment, again and again (requests)',
  'retrieve many': 'Retrieve 10,000 payments in turn (requests)',
  'one at a time': 'Limit: pgbench, the same two statements a payment, each its own transaction (payments)',
  yardstick: 'Yardstick: pgbench, the two frozen statements a payment, each its own transaction (payments)',
  batched: 'Limit: pgbench, 16 payments a transaction, pipelined (payments)',
}

export function report(facts: Facts): string {
  const { rounds } = facts
  const points = rounds.flat()
  const parts = (Object.keys(titles) as What[])
    .filter(what => points.some(point => point.what === what))
    .map(what => `${titles[what]}\n${section(facts, what)}`)
  const memory = `Service's resident memory: ${facts.memory.after10k === null ? '' : `${facts.memory.after10k} MB after the first 10,000 payments, `}${facts.memory.end} MB at the end`
  const held = ratchet(rounds, facts.memory.after10k) ?? []
  return [...parts, memory, ...facts.notes, footer(facts), held].flat().join('\n\n')
}

function section(facts: Facts, what: What): string {
  const { rounds } = facts
  const all = rounds.flat().filter(point => point.what === what)
  const served = all[0]!.p50 !== null
  const pays = what === 'pay'
  const head = [
    'clients',
    '/s',
    'min–max',
    ...(served ? ['p50 ms', 'p99 ms'] : []),
    ...(served ? ['service', 'PostgreSQL', 'processor', 'wrk'] : ['PostgreSQL', 'pgbench']),
    'idle',
    'others',
    ...(pays ? ['of one at a time', 'of batched', 'WAL bytes', 'commits', 'flushes', 'under way'] : []),
    'void',
  ]
  const rows = [...new Set(all.map(point => point.clients))].map(clients => {
    const mine = all.filter(point => point.clients === clients)
    const good = mine.filter(point => point.void === null)
    const voids = mine.length === good.length ? '' : `${mine.length - good.length} of ${mine.length}`
    if (good.length === 0) return [String(clients), ...head.slice(1, -1).map(() => '-'), voids]
    const mid = (read: (point: Point) => number) => median(good.map(read))
    const speeds = good.map(point => point.perSecond)
    const database = (read: (counters: NonNullable<Point['database']>) => number) =>
      mid(point => (point.database ? read(point.database) : 0))
    return [
      String(clients),
      whole(median(speeds)),
      `${whole(Math.min(...speeds))}–${whole(Math.max(...speeds))}`,
      ...(served ? [fine(mid(point => point.p50 ?? 0)), fine(mid(point => point.p99 ?? 0))] : []),
      ...(served ? [whole(mid(point => point.cpu.service))] : []),
      whole(mid(point => point.cpu.postgres)),
      ...(served ? [whole(mid(point => point.cpu.processor))] : []),
      whole(mid(point => point.cpu.load)),
      `${whole(mid(point => point.idle))}%`,
      `${whole(mid(point => point.others))}%`,
      ...(pays
        ? [
            times(ratio(rounds, 'pay', clients, 'one at a time')),
            times(ratio(rounds, 'pay', clients, 'batched', facts.batchClients)),
            whole(database(one => one.walBytes)),
            fine(database(one => one.writes)),
            fine(database(one => one.flushes)),
            whole(mid(point => point.beyond ?? 0)),
          ]
        : []),
      voids,
    ]
  })
  const reasons = all.filter(point => point.void !== null).map(point => `  void at ${point.clients} clients: ${point.void}`)
  return [table([head, ...rows]), ...reasons].join('\n')
}

function footer({ rounds, seconds, load }: Facts): string {
  return `Medians of ${rounds.length} interleaved round${rounds.length === 1 ? '' : 's'} of ${seconds}-second points, each after a warm-up; differences under a tenth mean nothing.
Processor time in microseconds for each payment (or request). idle, others: percent of ${cores * 100} (${cores} cores); others are programs that are none of ours.
Ratios are medians of the ratios within rounds. WAL, commits (transactions that wrote) and flushes are for each payment; "under way" are payments that were finished
after the load generator had stopped counting. Everything, load generator included, shares these cores. Load average ${load.begin} before, ${load.end} after.`
}
