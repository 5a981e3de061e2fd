import { setTimeout as timer } from 'node:timers/promises'
import type { Lines } from '../base/log.ts'
import { Misconfigured, notListening } from '../base/misconfigured.ts'
import type { Config } from '../config.ts'
import type { Log } from '../context.ts'
import { type Child, openChild, shareOnePort } from './child.ts'
import type { Figures } from './metrics.ts'
import { watch } from './watch.ts'

/** How long a process that ended is not restarted, by how often it has ended in a row. */
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000]
/** How long a process must have run so that its end does not count as one in a row. */
const STEADY_MS = 60_000
/** Others have read settings by then, or do not trust theirs any more (`accounts/settings-counter.ts`). */
const READ_WITHIN_MS = 1_000
const FIGURES_WITHIN_MS = 3_000
/** How long the processes may take to close: a little longer than a process takes to close, or to give up. */
const CLOSED_WITHIN_MS = 28_500

const wait = (ms: number, signal: AbortSignal): Promise<void> => timer(ms, undefined, { signal }).catch(() => {})

/** `restarted`: called for each process that is started again. */
function openChildren(log: Log, lines: Lines, restarted: () => void) {
  const children = new Map<number, Child>()
  const closing = new AbortController()
  const running = () => [...children.values()].filter(child => child.takesPayments())

  /** Has all other processes read the settings that process `by` has written. */
  async function written(by: number): Promise<true> {
    const others = running().filter(({ n }) => n !== by)
    await Promise.all(others.map(other => other.ask('read_settings', null, READ_WITHIN_MS)))
    return true
  }

  function open(n: number): Child {
    const child = openChild(n, lines, { written: () => written(n) })
    children.set(n, child)
    const over = new AbortController()
    void child.ended.then(() => {
      over.abort()
      children.delete(n)
    })
    const silent = () => {
      log.error({ process: n, pid: child.pid }, 'a process has stopped responding and is killed')
      child.kill('SIGKILL')
    }
    const ask = (within_ms: number) => child.ask('alive', null, within_ms)
    void child.ready.then(ready => (ready ? watch(ask, wait, over.signal, silent) : undefined))
    return child
  }

  async function keep(child: Child): Promise<void> {
    const { n } = child
    for (let died = 0; ; ) {
      const since = performance.now()
      const how = await child.ended
      if (closing.signal.aborted) return
      died = performance.now() - since > STEADY_MS ? 1 : died + 1
      const pause_ms = PAUSES_MS[Math.min(died, PAUSES_MS.length) - 1]!
      log.error({ process: n, pid: child.pid, restarts_in_ms: pause_ms }, `a process ended with ${how}; it restarts`)
      await wait(pause_ms, closing.signal)
      if (closing.signal.aborted) return
      restarted()
      child = open(n)
    }
  }

  return {
    open,
    keep,
    running,
    closing: closing.signal,
    /** Ends all processes at once, each in order. Throws if one did not end well. */
    async close(): Promise<void> {
      closing.abort()
      // A process that is still starting may not be able yet to end in order.
      const all = [...children.values()].map(child => ({ ended: child.ended, started: child.takesPayments() }))
      const signal = (name: 'SIGTERM' | 'SIGKILL') => {
        for (const child of children.values()) child.kill(name)
      }
      signal('SIGTERM')
      const late = setTimeout(signal, CLOSED_WITHIN_MS, 'SIGKILL')
      const ends = await Promise.all(all.map(async ({ ended, started }) => ({ how: await ended, started })))
      clearTimeout(late)
      const badly = ends.filter(({ how, started }) => how !== 'code 0' && (started || how !== 'SIGTERM')).map(({ how }) => how)
      if (badly.length > 0) throw new Error(`of its processes ${badly.length} ended with ${badly.join(', ')}`)
    },
  }
}

/** Null if metrics are disabled. */
async function openMetricsOfAll(config: Config, restarts: { n: number }, running: () => Child[]) {
  if (!config.metrics) return null
  const [{ openParentMetrics }, { serveMetrics }] = await Promise.all([import('./metrics.ts'), import('../telemetry/metrics-port.ts')])
  const metrics = openParentMetrics(() => ({ running: running().length, restarts: restarts.n }))
  const show = async () => {
    const asked = running().map((child, i) => child.ask('metrics', { whole: i === 0 }, FIGURES_WITHIN_MS))
    return metrics.show((await Promise.all(asked)).filter((figures): figures is Figures => figures !== null))
  }
  return serveMetrics(config.metrics, show).catch(error => Promise.reject(notListening(error, config.metrics!, 'METRICS_PORT')))
}

/**
 * Opens the parent of several processes of the service, which share one port: starts them, the first alone (it
 * migrates, makes keys, finds mistakes), restarts those that end, and tells each process when another has written
 * settings. The parent takes no requests itself. Throws `Misconfigured` without a message if the first process could
 * not start, because that process has reported why.
 */
export async function openParent(config: Config, log: Log, lines: Lines): Promise<{ close(): Promise<void> }> {
  shareOnePort()
  const restarts = { n: 0 }
  const { open, keep, running, closing, close } = openChildren(log, lines, () => restarts.n++)
  const first = open(1)
  if (!(await first.ready)) throw new Misconfigured('')
  const scraped = await openMetricsOfAll(config, restarts, running)
  const all = [first, ...Array.from({ length: config.processes - 1 }, (_, i) => open(i + 2))]
  for (const child of all) void keep(child)
  void Promise.all(all.map(({ ready }) => ready)).then(() => {
    const facts = { processes: running().length, ...(scraped && { metrics: scraped.url }), pid: process.pid }
    if (!closing.aborted) log.info(facts, 'the processes are running')
  })
  return {
    async close() {
      await close()
      await scraped?.close()
    },
  }
}
