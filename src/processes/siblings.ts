import cluster from 'node:cluster'
import type { Settings } from '../accounts/settings.ts'
import type { Config } from '../config.ts'
import { type Answers, openLine } from './line.ts'

/** A process that shares its port with others communicates with them only through its parent. */

/** The time after which no process trusts settings that it has not read again (`accounts/settings-counter.ts`). */
const READ_WITHIN_MS = 1_000

/** The environment variable with the number of a process, from 1, as its parent has set it. */
export const PROCESS_NUMBER = 'SWITCHYARD_PROCESS'

/** The messages of a process to its parent and the others, and its answers to theirs. */
export type Siblings = ReturnType<typeof openSiblings>

/**
 * Returns the role of a process. Of processes that do everything only the first handles due work: several would look
 * for the same events, and each would have its own limit of calls to an endpoint.
 */
export const roleOf = (role: Config['role'], { n }: Siblings): Config['role'] => (role === 'all' && n > 1 ? 'api' : role)

/** Opens the line of this process to its parent. `stop`: called when the parent is gone. */
export function openSiblings(stop: () => void) {
  const answers: Answers = { alive: async () => true }
  const line = openLine(message => {
    // Without a parent the line has no other end.
    if (process.connected) process.send?.(message)
  }, answers)
  process.on('message', line.receive)
  const { worker } = cluster
  worker?.on('disconnect', () => {
    // Node would end this process at once; work in progress is completed first.
    worker.exitedAfterDisconnect = true
    stop()
  })

  return {
    /** The number of this process, from 1. */
    n: Number(process.env[PROCESS_NUMBER]),

    ready: (): void => void line.ask('ready', null, READ_WITHIN_MS),

    /**
     * Tells the others that this process has written settings; resolves once all of them use the new settings, or do
     * not trust the old ones.
     */
    async written(): Promise<void> {
      await line.ask('written', null, READ_WITHIN_MS)
    },

    answer(more: Answers): void {
      Object.assign(answers, more)
    },
  }
}

/**
 * Returns settings that the other processes read again when this one has written, and that are read again when another
 * has: a caller that has received the answer to a write finds the new settings at each process.
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
