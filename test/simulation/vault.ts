import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVault } from '../../src/vault/process.ts'
import { REFERENCE } from '../../src/vault/sealed.ts'
import { newIdentities } from '../../src/vault/sealed-messages.ts'
import type { Complaint } from '../long/stage.ts'
import { openSimulatedDatabase } from './database.ts'
import { openSimulatedProcess } from './process.ts'

export const VAULT_PORT = 8085
const VAULT_DATABASE_PORT = 5433

/** Returns the log functions that record warnings and errors as complaints. `who`: the process that logs. */
export const complainsTo = (complaints: Complaint[], who: string) => (level: number) => (facts: object, words: string) => {
  const why = (facts as { err?: Error }).err
  if (level >= 40) complaints.push({ who, level, words, why: why?.message ?? '', line: `${words} ${why?.stack ?? ''}` })
}

/** Opens the vault as a process of its own (decision 50), with its own keys and database. */
export async function openSimulatedVault(folder: string, complaints: Complaint[], died: (how: string) => void) {
  const database = await openSimulatedDatabase(folder, null, { name: 'the database of the vault', port: VAULT_DATABASE_PORT })
  const identityFile = join(folder, 'service.json')
  const say = complainsTo(complaints, 'the vault')
  const log = { info: say(30), warn: say(40), error: say(50) }
  let identities: Awaited<ReturnType<typeof newIdentities>> | null = null
  const opens = () =>
    startVault(
      {
        databaseUrl: database.url,
        databaseConnections: 3,
        keys: { mode: 'test', keys: null, command: null, file: join(folder, 'vault-keys.json') },
        identity: identities!.vault,
        host: '127.0.0.1',
        port: VAULT_PORT,
      },
      log,
    )
  const process = openSimulatedProcess('the vault', opens, died)
  return {
    database,
    process,
    /** The settings by which services use this vault. */
    settings: { VAULT_URL: `http://127.0.0.1:${VAULT_PORT}`, VAULT_IDENTITY: identityFile },
    async start(): Promise<void> {
      identities = await newIdentities()
      writeFileSync(identityFile, JSON.stringify(identities.service))
      await process.start()
    },
  }
}
export type SimulatedVault = Awaited<ReturnType<typeof openSimulatedVault>>

type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

/**
 * Returns errors unless the service's rows and the vault agree: each reference in a row has its card number in the
 * vault, and each card number in the vault has a row. No security codes and no orphaned records may be left.
 */
export async function judgeVault(ours: Query, theirs: Query): Promise<string[]> {
  const records = 'select merchant_id, record, sealed from vault_records'
  const kept = new Set((await theirs(records, [])).map(({ merchant_id, record }) => `${merchant_id} ${record}`))
  const waiting = await theirs('select merchant_id, payment_id from waiting_cvcs', [])
  const orphans = await ours('select merchant_id, record, forget_at from orphaned_records', [])
  const found: string[] = []
  const referred = new Set<string>()
  for (const { merchant_id, record, sealed } of await ours(records, [])) {
    const reference = sealed as Buffer
    const name = `${merchant_id} ${record} ${reference.subarray(-HANDLE).toString('hex')}`
    referred.add(name)
    if (reference[0] !== REFERENCE) found.push(`a number stands in our own row: ${merchant_id} ${record}`)
    else if (!kept.has(name)) found.push(`a number is lost: the vault has no ${name}`)
  }
  for (const name of kept) if (!referred.has(name)) found.push(`a number is left over in the vault: ${name}`)
  for (const { payment_id } of waiting) found.push(`a security code is left over in the vault: ${payment_id}`)
  for (const { record, forget_at } of orphans) found.push(`${record} should have been forgotten at ${forget_at}`)
  return found
}

/** The length in bytes of the handle at the end of a reference (`src/vault/split.ts`). */
const HANDLE = 16
