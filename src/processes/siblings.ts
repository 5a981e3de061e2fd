import cluster from 'node:cluster'
import type { Settings } from '../accounts/settings.ts'
import type { Config } from '../config.ts'
import { type Answers, openLine } from './ipc.ts'

/** A process that shares its port with others communicates with them only through its parent. */

/** The time after which no process trusts settings that it has not read again (`accounts/settings-counter.ts`). */
const READ_WITHIN_MS = 1_000

/** The environment variable with the number of a process, from 1, as its parent has set it. */
export const PROCESS_NUMBER = 'SWITCHYARD_PROCESS'

export type Siblings = ReturnType<typeof openSiblings>

/** Of processes that do everything only the first handles due work: each would have its own limits of calls. */
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

    /** Resolves once the others use the settings that this process wrote, or do not trust the old ones. */
    async written(): Promise<void> {
      await line.ask('written', null, READ_WITHIN_MS)
    },

    answer(more: Answers): void {
      Object.assign(answers, more)
    },
  }
}

/** A write here is read by all others before its caller is answered; a write elsewhere is read here. */
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
