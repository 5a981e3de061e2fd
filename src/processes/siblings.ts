import cluster from 'node:cluster'
import type { Settings } from '../accounts/settings.ts'
import type { Config } from '../config.ts'
import { type Answers, openLine } from './line.ts'

/** A process that shares its port with others knows them by its parent alone. */

/** Longer than this nothing that was known before is believed anywhere (`accounts/settings-counter.ts`). */
const READ_WITHIN_MS = 1_000

/** Its number among them, from 1, as its parent said it. */
export const PROCESS_NUMBER = 'SWITCHYARD_PROCESS'

/** What a process tells its parent and the others, and what it answers them. */
export type Siblings = ReturnType<typeof openSiblings>

/**
 * Of processes that do everything only the first has what falls due: several would look for the same events, and
 * each would have places of its own for calls to an endpoint.
 */
export const roleOf = (role: Config['role'], { n }: Siblings): Config['role'] => (role === 'all' && n > 1 ? 'api' : role)

/** Opens the line of this process to its parent. `stop`: called when the parent is gone. */
export function openSiblings(stop: () => void) {
  const answers: Answers = { alive: async () => true }
  const line = openLine(message => {
    // Without a parent no end of the line is left.
    if (process.connected) process.send?.(message)
  }, answers)
  process.on('message', line.hear)
  const { worker } = cluster
  worker?.on('disconnect', () => {
    // Node would end this process at once: what is under way is brought to its end first.
    worker.exitedAfterDisconnect = true
    stop()
  })

  return {
    /** The number of this process, from 1. */
    n: Number(process.env[PROCESS_NUMBER]),

    /** This process takes payments from now on. */
    ready: (): void => void line.ask('ready', null, READ_WITHIN_MS),

    /** This process has written settings: gives once all others go by them, or do not believe what they knew. */
    async written(): Promise<void> {
      await line.ask('written', null, READ_WITHIN_MS)
    },

    /** What this process answers, from now on. */
    answer(more: Answers): void {
      Object.assign(answers, more)
    },
  }
}

/**
 * Settings of which the other processes hear when this one has written, and that are read anew when another has: who
 * is told that something was written finds it so at each of them.
 */
export function withSiblings(settings: Settings, siblings: Siblings): Settings {
  siblings.answer({ read_settings: () => settings.written().then(() => true) })
  return {
    ...settings,
    async written() {
      await settings.written()
      await siblings.written()
    },
  }
}
