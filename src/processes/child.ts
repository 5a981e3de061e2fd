import cluster from 'node:cluster'
import type { Lines } from '../base/log.ts'
import { type Answers, openLine } from './ipc.ts'
import { PROCESS_NUMBER } from './siblings.ts'

export type Child = ReturnType<typeof openChild>

/** The longest log line that is kept while its end is missing; a longer one is dropped, because it is not ours. */
const LONGEST_LINE = 1_000_000

/**
 * Lets all processes wait for connections at one socket, where the kernel wakes them: a process that hangs takes none,
 * and waiting connections outlive a process that dies. (Node's own way, round robin, hands each connection over and
 * waits for its receipt.)
 */
export function shareOnePort(): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'], serialization: 'advanced' })
}

/** Starts process `n`. `lines`: whole lines of its log, as processes that share a pipe break each other's. */
export function openChild(n: number, lines: Lines, answers: Answers) {
  // The process does not read our standard input: the parent tells it when to stop.
  const worker = cluster.fork({ [PROCESS_NUMBER]: String(n), DIES_WITH_STDIN: '0' })
  let how: string | null = null
  let takesPayments = false
  const line = openLine(
    message => {
      // A process that has ended, or is about to, answers nothing.
      if (how === null && worker.isConnected()) worker.send(message, () => {})
    },
    {
      ...answers,
      ready: async () => {
        takesPayments = true
        ready.resolve(true)
        return true
      },
    },
  )
  const ready = Promise.withResolvers<boolean>()
  worker.on('message', line.receive)
  worker.on('error', () => {})

  let rest = ''
  const pass = (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) lines.write(rest + text.slice(0, end))
    rest = (end > 0 ? '' : rest) + text.slice(end)
    if (rest.length > LONGEST_LINE) rest = ''
  }
  worker.process.stdout?.setEncoding('utf8').on('data', pass)

  /** The exit code or signal, once the rest of the log is read. */
  const ended = new Promise<string>(resolve => {
    const end = (reason: string) => {
      how = reason
      if (rest !== '') lines.write(`${rest}\n`)
      ready.resolve(false)
      resolve(how)
    }
    worker.process.once('close', (code: number | null, signal: string | null) => end(signal ?? `code ${code}`))
    // The process was never started.
    worker.process.once('error', (error: Error) => worker.process.pid === undefined && end(error.message))
  })

  return {
    n,
    pid: worker.process.pid,
    ended,
    /** True once the process takes payments; false if it ended before. */
    ready: ready.promise,
    takesPayments: () => takesPayments && how === null,
    ask: line.ask,
    kill: (signal: 'SIGTERM' | 'SIGKILL'): void => void worker.process.kill(signal),
  }
}
