import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../src/config.ts'
import { startVault } from '../src/vault/process.ts'
import { newIdentities } from '../src/vault/sealed-messages.ts'

/**
 * Opens the separate vault process within this process, with a database, keys and a port of its own. `now`: the clock
 * that the vault uses, in milliseconds.
 */
export async function openVaultProcess(database: { url: string; drop(): Promise<void> }, now: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-vault-'))
  const identities = await newIdentities()
  const logs: string[] = []
  const line = (facts: object, message: string) => void logs.push(JSON.stringify({ ...facts, words: message }))
  const keyFile = join(folder, 'keys.json')
  const open = (port: number) =>
    startVault(
      {
        databaseUrl: database.url,
        databaseConnections: 3,
        keys: { mode: 'test', keys: null, command: null, file: keyFile },
        identity: identities.vault,
        host: '127.0.0.1',
        port,
      },
      { info: line, warn: line, error: line },
      now,
    )
  let running = await open(0)
  const { url } = running
  const identityFile = join(folder, 'service.json')
  writeFileSync(identityFile, JSON.stringify(identities.service))
  const setting: NonNullable<Config['vault']> = { url, identity: identities.service }
  return {
    setting,
    identities,
    logs,
    keyFile,
    databaseUrl: database.url,
    /** Closes the vault, so that no process listens; `again` opens it at the same address. */
    stop: () => running.close(),
    forgetExpired: () => running.forgetExpired(),
    /** The environment variables that give a service in another process the address of this vault. */
    environment: { VAULT_URL: url, VAULT_IDENTITY: identityFile },
    async again() {
      running = await open(Number(new URL(url).port))
    },
    async close() {
      await running.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type VaultProcess = Awaited<ReturnType<typeof openVaultProcess>>
