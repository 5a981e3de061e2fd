// A model of what more cores and more processes would carry. The parts of a payment, each with its measured processor
// time, run against each other on a number of cores. The model first repeats what was measured, so that its error is
// known; then it predicts what was not (`npm run bench -- --capacity FILE`, where FILE is what `--json` wrote).
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fine, median, type Round, table, whole } from './figures.ts'
import type { Point } from './points.ts'

/** The processor time that a payment takes of each program, in microseconds of a core. */
export type Costs = Point['cpu']
/** The machine to simulate. `processes`: of the service; each has its own connection for writes. */
export type Machine = { cores: number; processes: number; clients: number }
/** Payments a second, and PostgreSQL's load in percent of one core. */
export type Carried = { perSecond: number; postgres: number }

/**
 * The time that a disk takes to confirm that a commit is written, in microseconds. The writer waits, and no core
 * works.
 */
const FLUSH_US = 500
/** The part of PostgreSQL's time that no payment waits for: events, counters, balances. */
const BESIDE = 0.3
/**
 * How often a process works on a payment: before the payment is written, before the request is sent, and after the
 * answer.
 */
const TURNS = 3
/** How often a payment is written: before the request is sent, and with the answer. */
const WRITES = 2
/** The simulated time that is not counted, because the queues fill first. */
const WARM_UP_US = 500_000
const MEASURED_US = 2_000_000

/** One thread: a time on a core for each job, then a wait on no core. `batches`: all waiting jobs are done as one. */
type Thread = { waiting: { us: number; done: () => void }[]; batches: boolean; after_us: number; busy: boolean; used: number }
const newThread = (batches = false, after_us = 0): Thread => ({ waiting: [], batches, after_us, busy: false, used: 0 })

/** Simulates payments of a number of clients, each of which pays again as soon as its last payment is answered. */
export function carries(costs: Costs, { cores, processes, clients }: Machine): Carried {
  const until = WARM_UP_US + MEASURED_US
  const ready: Thread[] = []
  const events: { at: number; run: () => void }[] = []
  let now = 0
  let free = cores
  let answered = 0
  const later = (us: number, run: () => void) => {
    let at = events.length
    events.push({ at: now + us, run })
    // The earliest event is last in the array. Few events are pending at once.
    for (; at > 0 && events[at - 1]!.at < now + us; at--) [events[at - 1], events[at]] = [events[at]!, events[at - 1]!]
  }
  const ask = (thread: Thread, us: number, done: () => void) => {
    thread.waiting.push({ us, done })
    if (!thread.busy) begin(thread)
  }
  function begin(thread: Thread): void {
    thread.busy = true
    ready.push(thread)
    work()
  }
  /** Gives cores to threads in the order in which the threads became ready. */
  function work(): void {
    while (free > 0 && ready.length > 0) {
      const thread = ready.shift()!
      const jobs = thread.waiting.splice(0, thread.batches ? thread.waiting.length : 1)
      const us = jobs.reduce((sum, job) => sum + job.us, 0)
      free--
      later(us, () => {
        free++
        if (now > WARM_UP_US) thread.used += us
        const end = () => {
          thread.busy = false
          for (const job of jobs) job.done()
          if (thread.waiting.length > 0 && !thread.busy) begin(thread)
          work()
        }
        if (thread.after_us > 0) later(thread.after_us, end)
        else end()
        work()
      })
    }
  }

  const [load, processor, beside] = [newThread(), newThread(), newThread()]
  const services = Array.from({ length: processes }, () => newThread())
  const writers = services.map(() => newThread(true, FLUSH_US))
  function pay(client: number): void {
    const [service, writer] = [services[client % processes]!, writers[client % processes]!]
    const turn = costs.service / TURNS
    const write = (costs.postgres * (1 - BESIDE)) / WRITES
    const answer = () => {
      if (now > WARM_UP_US) answered++
      ask(beside, costs.postgres * BESIDE, () => {})
      ask(load, costs.load / 2, () => pay(client))
    }
    const settle = () => ask(service, turn, () => ask(writer, write, () => ask(service, turn, answer)))
    const send = () => ask(processor, costs.processor, settle)
    ask(load, costs.load / 2, () => ask(service, turn, () => ask(writer, write, send)))
  }
  for (let client = 0; client < clients; client++) pay(client)
  while (events.length > 0 && now < until) {
    const next = events.pop()!
    now = next.at
    next.run()
  }
  const seconds = MEASURED_US / 1e6
  const used = [...writers, beside].reduce((sum, thread) => sum + thread.used, 0)
  return { perSecond: answered / seconds, postgres: (used / MEASURED_US) * 100 }
}

/**
 * Returns the report for a file of `--json`: its measurements repeated by the model, and the prediction for more
 * cores.
 */
export function capacityOf(file: string): string {
  const { rounds, processes } = JSON.parse(readFileSync(file, 'utf8')) as { rounds: Round[]; processes: number }
  const paid = rounds.flat().filter(point => point.what === 'pay' && point.void === null)
  const clients = [...new Set(paid.map(point => point.clients))]
  const of = (n: number, what: (point: Point) => number) => median(paid.filter(point => point.clients === n).map(what))
  const costsAt = (n: number): Costs => ({
    service: of(n, ({ cpu }) => cpu.service),
    postgres: of(n, ({ cpu }) => cpu.postgres),
    processor: of(n, ({ cpu }) => cpu.processor),
    load: of(n, ({ cpu }) => cpu.load),
  })
  const cores = availableParallelism()
  const again = clients.map(n => {
    const measured = of(n, point => point.perSecond)
    const { perSecond } = carries(costsAt(n), { cores, processes, clients: n })
    return [String(n), whole(measured), whole(perSecond), `${whole((perSecond / measured - 1) * 100)}%`]
  })
  const most = Math.max(...clients)
  const wal = of(most, point => point.database?.walBytes ?? 0)
  const elsewhere = { ...costsAt(most), processor: 0, load: 0 }
  const more = [2, 4, 8, 16].flatMap(many =>
    [1, 2, 4, 8]
      .filter(n => n <= many)
      .map(n => {
        const { perSecond, postgres } = carries(elsewhere, { cores: many, processes: n, clients: most })
        return [String(many), String(n), whole(perSecond), `${whole(postgres)}%`, fine((perSecond * wal) / 1e6)]
      }),
  )
  return [
    `Payments a second on ${cores} cores, as measured and by the model (processes of the service: ${processes})`,
    table([['clients', 'measured', 'model', 'differs'], ...again]),
    '',
    `By the model, ${most} clients, service and PostgreSQL on one machine, processor and clients on others`,
    table([['cores', 'processes', '/s', 'PostgreSQL, of one core', 'WAL MB/s'], ...more]),
  ].join('\n')
}
