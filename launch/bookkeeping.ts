// The tools of the ledger commands: the service's own database, read and written as the service does.
import '../src/service.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { openRandomBytes } from '../src/base/random.ts'
import { later } from '../src/base/time.ts'
import type { Context } from '../src/context.ts'
import { openCommit } from '../src/database/commit.ts'
import { openReader } from '../src/database/connection.ts'
import { usualDeadlines } from '../src/database/connection-settings.ts'
import { openWriter } from '../src/database/writer.ts'
import { loadKeys } from '../src/vault/keys.ts'
import { openVault } from '../src/vault/vault.ts'
import { checkOwnKeys, openOwnDatabase, ownKeys } from './own.ts'

const PATIENCE_MS = 600_000

export type Bookkeeping = Pick<Context, 'query' | 'commit' | 'now' | 'by' | 'random'>

/**
 * Runs work on the service's own database, and closes the database afterwards. The work's clock is that of
 * the database.
 */
export async function withBooks<T>(work: (context: Bookkeeping) => Promise<T>): Promise<T> {
  const keys = loadKeys(ownKeys)
  const vault = openVault(keys)
  const database = await openOwnDatabase()
  const deadlines = { ...usualDeadlines, statement_ms: PATIENCE_MS, silence_ms: PATIENCE_MS + 1000 }
  const reader = openReader(database.url, 1, () => {}, deadlines)
  const writer = openWriter(database.url, ms => wait(ms))
  try {
    await checkOwnKeys(reader, keys)
    const [clock] = await reader.query<{ now: string }>(
      { name: 'books_clock', text: `select clock_timestamp()::timestamptz(3) as now` },
      [],
    )
    const began = performance.now()
    const edges = { now: () => later(clock!.now, Math.round(performance.now() - began)), random: openRandomBytes(), vault }
    return await work({ query: reader.query, commit: openCommit(writer, edges), now: edges.now, random: edges.random, by: 'operator' })
  } finally {
    await writer.close()
    await reader.close()
    await database.close()
  }
}
