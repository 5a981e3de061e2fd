import { killSockets } from './network.ts'
import { as, endWhoThrows, openProgram, type Program, thaw } from './world.ts'

/** A program of ours in this process: it begins, and ends when it is asked to. */
type Opens = () => Promise<{ close(): Promise<unknown> }>

/** After an end by itself a supervisor starts it again. */
const PAUSE_MS = 50

/** The end of each program by an error that its code does not hear. */
const crashes = new Map<Program, (error: unknown) => void>()
endWhoThrows((program, error) => {
  const crash = crashes.get(program)
  if (!crash) throw error
  crash(error)
})

/** A process that is killed, stopped and started again, always at the same address; as `mortal-process.ts` has it. */
export function openSimulatedProcess(name: string, opens: Opens, died: (how: string) => void) {
  let program: Program = { ...openProgram(name), isAlive: false }
  let running: { close(): Promise<unknown> } | null = null
  const end = () => {
    program.isAlive = false
    killSockets(program)
    running = null
  }
  return {
    name,
    alive: () => program.isAlive,
    /** As which it runs now; the next start is another. */
    program: () => program,
    /** Starts it, as often as it takes until it is ready. */
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
      if (!running) return 'code 0'
      const its = running
      await as(program, () => its.close())
      end()
      return 'code 0'
    },
    freeze(): void {
      program.isFrozen = true
    },
    thaw: () => thaw(program),
    /** Its host's clock is wrong by so much from now on. */
    leap(ms: number): void {
      program.clockAhead = ms
    },
    memory: () => 0,
  }
}
export type SimulatedProcess = ReturnType<typeof openSimulatedProcess>
