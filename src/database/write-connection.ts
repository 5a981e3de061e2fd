import { connectionSettings, type Deadlines } from './connection-settings.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'
import { PrimaryClient } from './primary-client.ts'

/**
 * Settings for writes, which find every row by its key. PostgreSQL must not read a whole table because it has no
 * statistics of it, and values make no difference to the plan: so it plans a statement once, not six times.
 */
const byKeys = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'plan_cache_mode=force_generic_plan']
  .map(setting => `-c ${setting}`)
  .join(' ')

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500

/** Connects once. Rejects with the error of `pg`. */
async function connectPipeline(url: string, deadlines: Deadlines): Promise<Pipeline> {
  const client = new PrimaryClient(connectionSettings(url, 'writes', deadlines, byKeys))
  await client.connect()
  return openPipeline(client, deadlines.silence_ms)
}

/** Opens the one connection that writes. It is opened when it is first needed, and again after it was dropped. */
export function openWriteConnection(url: string, deadlines: Deadlines, wait: (ms: number) => Promise<void>) {
  let pipeline: Pipeline | null = null
  let connecting = false
  return {
    /** The connection, if there is one. */
    pipeline: (): Pipeline | null => pipeline,
    /** Whether `connect` is in progress. */
    isConnecting: (): boolean => connecting,
    /**
     * Tries until the connection is open, with pauses between the tries. After each failed try `goOn` receives the
     * error; if it returns false, no further try is made, and the connection stays closed. Never rejects.
     */
    async connect(goOn: (error: unknown) => boolean): Promise<void> {
      connecting = true
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        try {
          pipeline = await connectPipeline(url, deadlines)
          break
        } catch (error) {
          if (!goOn(error)) break
          await wait(pause)
        }
      }
      connecting = false
    },
    /** Drops `dropped` at once, and forgets it, unless another connection has taken its place. */
    drop(dropped: Pipeline): void {
      if (pipeline === dropped) pipeline = null
      dropped.destroy()
    },
    /** Closes the connection; transactions in progress are answered first. */
    close: async (): Promise<void> => pipeline?.close(),
  }
}
