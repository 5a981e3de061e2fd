import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVault } from '../../src/vault/process.ts'
import { newIdentities } from '../../src/vault/sealed-messages.ts'
import type { Complaint } from '../long/stage.ts'
import { openSimulatedDatabase } from './database.ts'
import { openSimulatedProcess } from './process.ts'

export const VAULT_PORT = 8085
const VAULT_DATABASE_PORT = 5433

/** Returns the log functions that record warnings and errors as complaints. `who`: the process that logs. */
export const complainsTo = (complaints: Complaint[], who: string) => (level: number) => (facts: object, message: string) => {
  const why = (facts as { err?: Error }).err
  if (level >= 40) complaints.push({ who, level, message, why: why?.message ?? '', line: `${message} ${why?.stack ?? ''}` })
}

/** Opens the vault as a process of its own, with its own keys and database. */
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
