import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { diesWithParent } from '../../launch/death-signal.mjs'

export type MortalPlan = {
  name: string
  command: string[]
  env: Record<string, string>
  /** The URL whose answer proves that the process is ready: any status below 500. */
  ready: string
  /** Receives each line that the process writes while it lives; the output of a failed start is not passed on. */
  onLine(line: string, from: 'stdout' | 'stderr'): void
  /** Called when the process ended although no fault had killed it. */
  died(how: string): void
}

/** Milliseconds that a process may take to stop: longer than a service waits for requests under way. */
const LONGEST_END_MS = 45_000

/** Opens a process of ours that can be killed, stopped and started again, always at the same address. */
export function openMortalProcess(plan: MortalPlan) {
  let child: ChildProcess | null = null
  let ended: Promise<string> = Promise.resolve('')
  /**
   * Whether an end of the process is expected: we end it, or it is not ready yet (a service cannot start while its
   * database is away).
   */
  let excused = true

  function spawnOne(): ChildProcess {
    const [command, ...args] = [...diesWithParent('KILL'), process.execPath, ...plan.command]
    const one = spawn(command!, args, { env: plan.env, stdio: ['pipe', 'pipe', 'pipe'] })
    one.stdin!.on('error', () => {})
    for (const from of ['stdout', 'stderr'] as const) {
      let rest = ''
      one[from]!.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        for (const line of lines) if (from === 'stdout' || !excused) plan.onLine(line, from)
      })
    }
    ended = new Promise(resolve => one.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)))
    void ended.then(how => {
      if (child === one) child = null
      if (!excused) plan.died(`${plan.name} ended with ${how}`)
    })
    return one
  }

  async function isReady(): Promise<boolean> {
    try {
      const { statusCode, body } = await request(plan.ready, { headersTimeout: 2000 })
      await body.dump()
      return statusCode < 500
    } catch {
      return false
    }
  }

  const signal = (name: NodeJS.Signals) => child?.kill(name)

  return {
    name: plan.name,
    alive: () => child !== null,
    /** Starts the process, as often as needed until it is ready. */
    async start(): Promise<void> {
      if (child && !excused) return
      excused = true
      while (!(await isReady())) {
        child ??= spawnOne()
        await pause(50)
      }
      excused = false
    },
    async kill(): Promise<void> {
      excused = true
      signal('SIGKILL')
      await ended
    },
    /** Stops the process as a deployment does: by a signal, with time to finish. Gives how it ended. */
    async stop(): Promise<string> {
      if (!child) return 'code 0'
      excused = true
      signal('SIGTERM')
      const enough = new AbortController()
      const late = pause(LONGEST_END_MS, 'never', { signal: enough.signal }).catch(() => 'never')
      const how = await Promise.race([ended, late])
      enough.abort()
      if (how === 'never') {
        signal('SIGKILL')
        await ended
      }
      return how
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    /** Gives the resident memory in MB; 0 if the process does not run. */
    memory: (): number => (child ? residentOf(child.pid!) : 0),
  }
}
export type MortalProcess = ReturnType<typeof openMortalProcess>

function residentOf(pid: number): number {
  try {
    return Math.round(Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
