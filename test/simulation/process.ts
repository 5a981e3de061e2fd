import { killSockets } from './network.ts'
import { as, endWhoThrows, openProgram, type Program, thaw } from './world.ts'

/** Starts a program of the deployment within this process, and returns its `close`. */
type Opens = () => Promise<{ close(): Promise<unknown> }>

/** The time after which the supervisor restarts a program that ended by itself. */
const PAUSE_MS = 50

/** The handler by which an uncaught error ends its program. */
const crashes = new Map<Program, (error: unknown) => void>()
endWhoThrows((program, error) => {
  const crash = crashes.get(program)
  if (!crash) throw error
  crash(error)
})

/**
 * Returns a process that can be killed, stopped and started again, always at the same address: the counterpart of
 * `../long/mortal-process.ts`.
 */
export function openSimulatedProcess(name: string, opens: Opens, died: (how: string) => void) {
  let program: Program = { ...openProgram(name), isAlive: false }
  let running: { close(): Promise<unknown> } | null = null
  /** Called when the running program has ended, however it ends. */
  let ended = () => {}
  const end = () => {
    program.isAlive = false
    killSockets(program)
    running = null
    ended()
  }
  return {
    name,
    alive: () => program.isAlive,
    /** The program as which the process runs now. Each start makes a new program. */
    program: () => program,
    /** Starts the process, again and again until it is ready. */
    async start(): Promise<void> {
      while (!program.isAlive) {
        const mine: Program = openProgram(name)
        program = mine
        const threw = new Promise<never>((_, reject) => {
          crashes.set(mine, error => (running === null ? reject(error) : died(`${name} ended with ${(error as Error)?.stack}`)))
        })
        try {
          running = await Promise.race([as(mine, opens), threw])
        } catch {
          end()
          await new Promise(done => setTimeout(done, PAUSE_MS))
        }
      }
    },
    kill: async () => end(),
    async stop(): Promise<string> {
      // A stalled process ends when it goes on, unless its parent restarts it before; a starting process is stopped
      // once it is ready.
      while (program.isAlive && (program.isFrozen || !running)) await new Promise(done => setTimeout(done, PAUSE_MS))
      if (!running) return 'code 0'
      const its = running
      // The supervisor may kill the process while it closes, and start it again.
      const killed = new Promise<'killed'>(done => {
        ended = () => done('killed')
      })
      const how = await Promise.race([as(program, () => its.close()), killed])
      if (how === 'killed') return 'killed'
      end()
      return 'code 0'
    },
    freeze(): void {
      program.isFrozen = true
    },
    thaw: () => thaw(program),
    /** Sets the host's clock ahead by so many milliseconds from now on. */
    leap(ms: number): void {
      program.clockAhead = ms
    },
    memory: () => 0,
  }
}
export type SimulatedProcess = ReturnType<typeof openSimulatedProcess>
