import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { diesWithParent } from '../../launch/death-signal.mjs'

export type MortalPlan = {
  name: string
  command: string[]
  env: Record<string, string>
  /** Any answer below 500 from here means that it is ready. */
  ready: string
  /** Each line that it says while it lives; what a start says that fails is its own matter. */
  hears(line: string, from: 'stdout' | 'stderr'): void
  /** It ended, and no blow had killed it. */
  died(how: string): void
}

/** Longer than a service waits for what is under way. */
const LONGEST_END_MS = 45_000

/** A process of ours that is killed, stopped and started again, always at the same address. */
export function openMortalProcess(plan: MortalPlan) {
  let child: ChildProcess | null = null
  let ended: Promise<string> = Promise.resolve('')
  /** Its end is our doing, or it has not come to life yet (a service cannot start while its database is away). */
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
        for (const line of lines) if (from === 'stdout' || !excused) plan.hears(line, from)
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
    /** Starts it, as often as it takes until it is ready. */
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
    /** As a deployment does: asked to stop, given its time. Gives how it ended. */
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
    /** Resident memory in MB; 0 if it is not there. */
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
