import type { Switchyard } from '@switchyard/node'
import type { Desk } from './command.ts'
import { json, paint, plain, wrap } from './output.ts'
import { pause } from './pause.ts'

const PAUSE_MS = 2_000
/** The age from which on a log entry can be followed. The service shows an entry three seconds after its answer. */
const SETTLED_MS = 4_000

type Log = Awaited<ReturnType<Switchyard['logs']['list']>>['data'][number]

function line({ screen }: Desk, log: Log): void {
  if (screen.json) {
    screen.out(`${JSON.stringify(log)}\n`)
    return
  }
  const { created, status, method, path, latency_ms, error_code, error_message, object_id } = log
  const colour = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'
  const rest = error_code === null ? (object_id ?? '') : `${error_code} ${error_message ?? ''}`
  const line = `${paint(screen, 'dim', String(created).slice(11, 19))} ${paint(screen, colour, String(status))} ${plain(method)} ${plain(path)} ${latency_ms} ms ${plain(rest)}`
  screen.out(`${wrap(screen, line.trimEnd(), 9)}\n`)
}

/** Prints the log of requests, each entry once, oldest first. `follow: false`: prints the newest entries and ends. */
export async function tailLogs(
  desk: Desk,
  client: Switchyard,
  ask: { failed: boolean; limit: number; follow: boolean; signal: AbortSignal },
): Promise<void> {
  const query = ask.failed ? { only_failed: true } : {}
  const { data } = await client.logs.list({ ...query, limit: ask.limit })
  if (!ask.follow && desk.screen.json) return json(desk.screen, data)
  const settled = data.filter(({ created }) => Date.now() - Date.parse(String(created)) > SETTLED_MS)
  let last = settled[0]?.log_id
  for (const log of (ask.follow ? settled : data).toReversed()) line(desk, log)
  while (ask.follow && !ask.signal.aborted) {
    await pause(PAUSE_MS, ask.signal)
    if (ask.signal.aborted) return
    const page = await client.logs.list({ ...query, limit: 100, ...(last !== undefined && { after_log: last }) }, { signal: ask.signal })
    // Without an entry to follow, only entries that are old enough to be followed are printed.
    const fresh = last === undefined ? page.data.filter(({ created }) => Date.now() - Date.parse(String(created)) > SETTLED_MS) : page.data
    for (const log of fresh.toReversed()) line(desk, log)
    last = fresh[0]?.log_id ?? last
  }
}
