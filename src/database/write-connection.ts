import { connectionSettings, type Deadlines } from './connection-settings.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'
import { PrimaryClient } from './primary-client.ts'

/** Writes find rows by key: no scan of a table without statistics, and one plan, as values make no difference. */
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
    isConnecting: (): boolean => connecting,
    /** Tries with pauses until connected, or until `goOn`, which receives the error, returns false. Never rejects. */
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
    close: async (): Promise<void> => pipeline?.close(),
  }
}
