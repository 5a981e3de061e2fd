// Processor time by program, from /proc. Ticks are 10 ms, so a window should last a second or more.
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const TICKS_PER_SECOND = 100 // USER_HZ, the same on every Linux that Node runs on

type Stat = { parent: number; own: number; reaped: number }

/** Returns the ticks of a process and of its ended children; null if the process has ended. */
function stat(pid: number | 'self'): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const field = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(field[1]), own: Number(field[11]) + Number(field[12]), reaped: Number(field[13]) + Number(field[14]) }
  } catch {
    return null
  }
}

/**
 * Returns the ticks of a process and its children, including ended ones: PostgreSQL's postmaster reaps its children,
 * so their time moves to the postmaster. A child that ends during the reading would be counted twice or not at all;
 * the reading is then repeated.
 */
function family(pid: number): number {
  for (;;) {
    const before = stat(pid)
    if (!before) return 0
    let sum = before.own + before.reaped
    for (const name of readdirSync('/proc')) {
      const child = /^\d+$/.test(name) ? stat(Number(name)) : null
      if (child?.parent === pid) sum += child.own + child.reaped
    }
    if (stat(pid)?.reaped === before.reaped) return sum
  }
}

/** Returns the ticks of all processors together: idle ticks, and all ticks. */
function machine(): { idle: number; all: number } {
  const fields = readFileSync('/proc/stat', 'latin1').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number)
  return { idle: fields[3]! + fields[4]!, all: fields.reduce((sum, ticks) => sum + ticks, 0) }
}

export type Pids = { service: number | null; postgres: number; processor: number | null; load: number | null }

/**
 * Processor time by program, in seconds. `idle` and `others` (programs that do not belong to the bench) are in
 * percent, 100 being one core.
 */
export type Used = { service: number; postgres: number; processor: number; load: number; idle: number; others: number; seconds: number }

export const cores = cpus().length

/**
 * Reads the times now. The returned function reads again and returns the difference. `load: null` means the children
 * of this process, once they have ended.
 */
export function watch(pids: Pids): () => Used {
  const read = () => ({
    at: performance.now(),
    machine: machine(),
    postgres: family(pids.postgres),
    // With PROCESSES, the service is a parent and its children.
    service: pids.service === null ? 0 : family(pids.service),
    processor: pids.processor === null ? 0 : (stat(pids.processor)?.own ?? 0),
    load: pids.load === null ? (stat('self')?.reaped ?? 0) : (stat(pids.load)?.own ?? 0),
    bench: stat('self')?.own ?? 0,
  })
  const before = read()
  return () => {
    const now = read()
    const used = (name: 'service' | 'postgres' | 'processor' | 'load' | 'bench') => (now[name] - before[name]) / TICKS_PER_SECOND
    const all = now.machine.all - before.machine.all
    const idle = ((now.machine.idle - before.machine.idle) / all) * 100 * cores
    const seconds = (now.at - before.at) / 1000
    const ours = used('service') + used('postgres') + used('processor') + used('load') + used('bench')
    const others = Math.max(0, 100 * cores - idle - (ours / seconds) * 100)
    return {
      service: used('service'),
      postgres: used('postgres'),
      processor: used('processor'),
      load: used('load'),
      idle,
      others,
      seconds,
    }
  }
}

/** Returns a function that returns the load of all programs since now, in percent, 100 being one core. */
export function watchMachine(): () => number {
  const before = machine()
  return () => {
    const now = machine()
    return (1 - (now.idle - before.idle) / (now.all - before.all)) * 100 * cores
  }
}

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Math.round(Number(kb ?? 0) / 1024)
}
