import type { Config } from '../config.ts'
import type { Log } from '../context.ts'
import { openReader, type Reader } from '../database/connection.ts'
import type { Deadlines } from '../database/connection-settings.ts'
import { OLDEST_SERVER } from '../database/health-checks.ts'
import { migrate } from '../database/migrate.ts'

export async function openDatabase({ databaseUrl, databaseConnections, mode }: Config, log: Log, deadlines: Deadlines): Promise<Reader> {
  await migrate(databaseUrl, { oldestServer: mode === 'live' ? OLDEST_SERVER : 0 })
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  return openReader(databaseUrl, databaseConnections, lost, deadlines)
}
