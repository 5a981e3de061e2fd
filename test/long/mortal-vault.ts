import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readIdentity } from '../../src/config.ts'
import { startVault } from '../../src/vault/process.ts'
import { newIdentities } from '../../src/vault/sealed-messages.ts'
import { type JudgeQuery, judgeVault } from '../judge-vault.ts'
import { openMortalDatabase } from './mortal-database.ts'
import type { MortalProcess } from './mortal-process.ts'

/** What the stage does for the vault: starts a process of a command, at an address of its own. */
type Ground = {
  folder: string
  port: number
  host: string
  mortal(name: string, command: string[], url: string, ready: string, settings: Record<string, string>): MortalProcess
}

/**
 * Opens the vault of a stage as a process of its own, with a database of its own; both can die and come back.
 */
export async function openMortalVault({ folder, port, host, mortal }: Ground) {
  const database = await openMortalDatabase()
  const url = `http://${host}:${port}`
  const file = (name: string) => join(folder, name)
  for (const [side, identity] of Object.entries(await newIdentities())) writeFileSync(file(`${side}.json`), JSON.stringify(identity))
  const process = mortal('the vault', ['launch/vault.ts'], url, '/health', {
    DATABASE_URL: database.url,
    VAULT_IDENTITY: file('vault.json'),
    KEY_FILE: file('vault-keys.json'),
    SWITCHYARD_DATA: folder,
    HOST: host,
    PORT: String(port),
  })
  let ahead_ms = 0
  let here: { close(): Promise<void> } | null = null
  return {
    process,
    database,
    /** The settings of a service that uses this vault. */
    settings: { VAULT_URL: url, VAULT_IDENTITY: file('service.json') },
    /**
     * Sets the vault's clock ahead. The vault then runs in the process of the test, because messages are refused if
     * the clocks of service and vault differ.
     */
    async ahead(ms: number): Promise<void> {
      ahead_ms = ms
      if (here) return
      await process.stop()
      const config = {
        databaseUrl: database.url,
        databaseConnections: 3,
        keys: { mode: 'test' as const, keys: null, command: null, file: file('vault-keys.json') },
        identity: readIdentity(file('vault.json')),
        host,
        port,
      }
      here = await startVault(config, { info: () => {}, warn: () => {}, error: () => {} }, () => Date.now() + ahead_ms)
    },
    /** Compares the vault's records with the rows of the service. Gives the differences. */
    async judge(ours: JudgeQuery): Promise<string[]> {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      return judgeVault(ours, async (text, values) => (await client.query(text, values)).rows).finally(() => client.end())
    },
    async close(): Promise<void> {
      await here?.close()
      process.thaw()
      await process.kill()
      database.thaw()
      await database.drop()
    },
  }
}
export type MortalVault = Awaited<ReturnType<typeof openMortalVault>>
