// `npm run user:link EMAIL`: prints a link that sets a new password, once. `npm run user:link -- --merchant ID`:
// prints a link that makes the first owner of a merchant. For deployments without a mail server. Settings are those of
// the service; without DATABASE_URL, the database is that of `npm start`, running or not.
import './help.mjs'
import '../src/service.ts'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { openRandomBytes } from '../src/base/random.ts'
import { openReader } from '../src/database/connection.ts'
import { usualDeadlines } from '../src/database/connection-settings.ts'
import { makeOperatorLink } from '../src/users/operator-link.ts'
import { loadKeys } from '../src/vault/keys.ts'
import { openVault } from '../src/vault/vault.ts'
import { checkOwnKeys, openOwnDatabase, ownKeys } from './own.ts'

function readAsk([first, second, more]: readonly string[]): { email: string } | { merchant_id: string } {
  if (first === '--merchant' && second !== undefined && more === undefined) return { merchant_id: second }
  if (first !== undefined && !first.startsWith('-') && second === undefined) return { email: first }
  throw new Misconfigured('an e-mail address is required: npm run user:link EMAIL, or npm run user:link -- --merchant ID')
}

async function run(): Promise<{ url: string; expires_at: string }> {
  const ask = readAsk(process.argv.slice(2))
  const keys = loadKeys(ownKeys)
  const vault = openVault(keys)
  const database = await openOwnDatabase()
  const reader = openReader(database.url, 1, () => {}, usualDeadlines)
  const { PUBLIC_URL, PORT, HOST } = process.env
  try {
    await checkOwnKeys(reader, keys)
    const [clock] = await reader.query<{ now: string }>({ name: 'link_clock', text: 'select clock_timestamp()::timestamptz(3) as now' }, [])
    const context = { query: reader.query, vault, random: openRandomBytes(), now: () => clock!.now }
    return await makeOperatorLink(context, PUBLIC_URL?.replace(/(?<!\/)\/+$/, '') || `http://${HOST || '127.0.0.1'}:${PORT || '8080'}`, ask)
  } finally {
    await reader.close()
    await database.close()
  }
}

try {
  const { url, expires_at } = await run()
  process.stdout.write(`${url}\nIt works once, until ${expires_at}.\n`)
} catch (error) {
  const { message, why } = error as Error & { why?: string }
  process.stderr.write(`no link was made: ${why ?? message}\n`)
  process.exitCode = 2
}
