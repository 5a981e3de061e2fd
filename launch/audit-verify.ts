// `npm run audit:verify [PLACE:SEAL]`: verifies that the audit log was not altered. With the end of the chain at an
// earlier time (the last line of an earlier run, or `audit` in the service's log) also verifies that nothing was cut
// off since. Settings are those of the service; without DATABASE_URL, the database is that of `npm start`, running or
// not.
import './help.mjs'
import type { ChainEnd } from '../src/audit/seal.ts'
import { type ChainVerification, verify } from '../src/audit/verify.ts'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { openReader } from '../src/database/connection.ts'
import { usualDeadlines } from '../src/database/connection-settings.ts'
import { loadKeys } from '../src/vault/keys.ts'
import { openVault } from '../src/vault/vault.ts'
import { checkOwnKeys, openOwnDatabase, ownKeys } from './own.ts'

const PATIENCE_MS = 120_000

function readEnd(argument: string | undefined): ChainEnd | null {
  if (argument === undefined) return null
  const [, place, seal] = argument.match(/^(\d+):([0-9a-f]{64})$/) ?? []
  if (place === undefined)
    throw new Misconfigured(`${argument} is not a valid end of the chain: use PLACE:SEAL, as printed by this command`)
  return { place: Number(place), seal: seal! }
}

async function run(): Promise<ChainVerification> {
  const known = readEnd(process.argv[2])
  const keys = loadKeys(ownKeys)
  const vault = openVault(keys)
  const database = await openOwnDatabase()
  const deadlines = { ...usualDeadlines, statement_ms: PATIENCE_MS, silence_ms: PATIENCE_MS + 1000 }
  const reader = openReader(database.url, 1, () => {}, deadlines)
  try {
    await checkOwnKeys(reader, keys)
    return await verify({ query: reader.query, vault }, known)
  } finally {
    await reader.close()
    await database.close()
  }
}

try {
  const { end, waiting, misfit } = await run()
  if (misfit) {
    const { place, n, why } = misfit
    const which = [place !== null && `at place ${place}`, n !== null && `number ${n}`].filter(Boolean).join(', ')
    process.stdout.write(`The audit log is not intact. Entry ${which}: ${why}.\n`)
    process.exitCode = 1
  } else {
    process.stdout.write(
      `The audit log is intact: ${end.place} entries in the chain, ${waiting} not yet sealed. The chain ends with\n${end.place}:${end.seal}\n`,
    )
  }
} catch (error) {
  process.stderr.write(`the audit log cannot be verified: ${(error as Error).message}\n`)
  process.exitCode = 2
}
